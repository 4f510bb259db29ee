// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/node_findings.h"

#include "core/report/catalogue/node_sentences.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <string>

namespace quadric::report {

namespace {

std::string wholeText(const study::IdleRanks& ranks)
{
    std::vector<std::string> counts;
    for (const int count : ranks.wholeCounts)
        counts.push_back(std::to_string(count));
    return text::formatList(counts, "or");
}

Finding makeIdleFinding(const study::IdleRanks& ranks)
{
    Finding finding = makeFinding(catalogue::kIdleRanks, {{"factor", ranks.factor},
                                                          {"count", std::to_string(ranks.count)},
                                                          {"nodes", std::to_string(ranks.nodes)},
                                                          {"size", std::to_string(ranks.node.ranks)},
                                                          {"idle", std::to_string(ranks.idle())},
                                                          {"all", std::to_string(ranks.all())},
                                                          {"source", ranks.node.source}});
    if (!ranks.wholeCounts.empty())
        finding.advice =
            fill(catalogue::kWholeCounts, {{"factor", ranks.factor}, {"counts", wholeText(ranks)}});
    return finding;
}

} // namespace

std::vector<Finding> findIdleRanks(const study::Study& study, const std::vector<study::Settings>& settings)
{
    std::vector<Finding> findings;
    for (const study::Settings& each : settings) {
        const auto ranks = study::idleRanksAt(study, each);
        if (!ranks)
            continue;
        Finding finding = makeIdleFinding(*ranks);
        if (std::ranges::find(findings, finding.sentence, &Finding::sentence) == findings.end())
            findings.push_back(std::move(finding));
    }
    return findings;
}

std::string describeIdleRanks(const study::Study& study, const study::Settings& settings)
{
    const auto ranks = study::idleRanksAt(study, settings);
    if (!ranks)
        return "";
    const Finding finding = makeIdleFinding(*ranks);
    return finding.advice.empty() ? finding.sentence : joinSentences({finding.sentence, finding.advice});
}

std::optional<Finding> findIdleCounts(const std::vector<int>& counts, const study::NodeSize& node)
{
    std::vector<std::string> idle;
    for (const int count : counts) {
        if (study::leavesIdle(count, node))
            idle.push_back(std::to_string(count));
    }
    if (idle.empty())
        return std::nullopt;
    return makeFinding(
        catalogue::kIdleCounts,
        {{"counts", text::formatList(idle)}, {"size", std::to_string(node.ranks)}, {"source", node.source}});
}

} // namespace quadric::report
