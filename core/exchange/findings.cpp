// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/findings.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace quadric::exchange {

namespace {

constexpr std::size_t kFewestClamped = 2;

std::string runList(const std::vector<const study::Run*>& runs)
{
    std::string text;
    for (std::size_t i = 0; i < runs.size(); ++i)
        text += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + std::to_string(runs[i]->id);
    return (runs.size() == 1 ? "run " : "runs ") + text;
}

std::vector<const study::Run*> doneRuns(const study::Study& study)
{
    std::vector<const study::Run*> runs;
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Done)
            runs.push_back(&run);
    }
    return runs;
}

void addCopies(const std::vector<const study::Run*>& runs, std::vector<std::string>& findings)
{
    std::map<study::Settings, std::vector<const study::Run*>> groups;
    for (const study::Run* run : runs)
        groups[run->settings].push_back(run);
    for (const auto& [settings, group] : groups) {
        const study::Run& first = *group.front();
        const bool isCopied = group.size() > 1 && std::ranges::all_of(group, [&first](const study::Run* run) {
                                  return run->results == first.results;
                              });
        if (isCopied)
            findings.push_back(runList(group) + " repeat one setting and agree in every digit of every "
                                                "response: copied, or simulated with one seed. They say "
                                                "nothing about the noise.");
    }
}

bool isRound(double value)
{
    return value == std::round(value);
}

void addClamped(const std::vector<const study::Run*>& runs, const study::Response& response,
                std::vector<std::string>& findings)
{
    std::map<double, std::vector<const study::Run*>> byValue;
    std::set<study::Settings> seen;
    for (const study::Run* run : runs) {
        const auto value = run->results.find(response.name);
        if (value != run->results.end() && seen.insert(run->settings).second)
            byValue[value->second].push_back(run);
    }
    if (byValue.size() < 3)
        return;
    for (const auto* end : {&*byValue.begin(), &*std::prev(byValue.end())}) {
        if (end->second.size() >= kFewestClamped && isRound(end->first))
            findings.push_back(runList(end->second) + " have the same " +
                               std::string(end == &*byValue.begin() ? "smallest" : "largest") + " " +
                               response.name + ", " + study::toText(end->first) +
                               ", at different settings: the values look clamped.");
    }
}

void addOutOfRange(const study::Study& study, std::vector<std::string>& findings)
{
    for (const study::Factor& factor : study.factors) {
        std::vector<const study::Run*> outside;
        for (const study::Run& run : study.runs) {
            const auto value = run.settings.find(factor.name);
            if (value == run.settings.end() || run.kind == study::RunKind::Axial || !factor.isNumeric())
                continue;
            const double number = study::numberOf(value->second);
            if (number < factor.low || number > factor.high)
                outside.push_back(&run);
        }
        if (!outside.empty())
            findings.push_back(runList(outside) + ": " + factor.name + " lies outside " +
                               study::toText(factor.low) + " … " + study::toText(factor.high) + ".");
    }
}

} // namespace

std::vector<std::string> findingsIn(const study::Study& study)
{
    std::vector<std::string> findings;
    const std::vector<const study::Run*> runs = doneRuns(study);
    addCopies(runs, findings);
    for (const study::Response& response : study.responses)
        addClamped(runs, response, findings);
    addOutOfRange(study, findings);
    if (const std::size_t missing = study.runs.size() - runs.size(); missing > 0 && !runs.empty())
        findings.push_back(std::to_string(missing) + " of " + std::to_string(study.runs.size()) +
                           " runs have no result.");
    return findings;
}

} // namespace quadric::exchange
