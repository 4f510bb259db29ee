// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/copy_findings.h"

#include "core/report/catalogue/measurement_sentences.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

Finding describeCopies(const model::Copies& copies, const std::string& responses)
{
    std::vector<int> runs;
    for (const std::vector<int>& group : copies.groups)
        runs.insert(runs.end(), group.begin(), group.end());
    return makeFinding(
        copies.areAllReplicates ? catalogue::kNoiselessReplicates : catalogue::kCopies,
        {{"settings", copies.groups.size() == 1 ? "one setting" : "settings"}, {"responses", responses}},
        std::move(runs));
}

std::vector<Finding> findCopiedResults(const study::Study& study)
{
    std::vector<std::pair<model::Copies, std::vector<std::string>>> found;
    for (const study::Response& response : study.responses) {
        model::Copies copies = model::findCopies(study, response.name);
        if (copies.groups.empty())
            continue;
        const auto same =
            std::ranges::find_if(found, [&](const auto& each) { return each.first.groups == copies.groups; });
        if (same == found.end())
            found.push_back({std::move(copies), {response.name}});
        else
            same->second.push_back(response.name);
    }
    std::vector<Finding> findings;
    for (const auto& [copies, names] : found)
        findings.push_back(describeCopies(copies, names.size() == study.responses.size() && names.size() > 1
                                                      ? "every response"
                                                      : text::formatList(names)));
    return findings;
}

} // namespace quadric::report
