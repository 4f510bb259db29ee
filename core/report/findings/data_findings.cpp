// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/data_findings.h"

#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/findings/copy_findings.h"
#include "core/report/findings/design_findings.h"

#include <cmath>
#include <set>

namespace quadric::report {

namespace {

constexpr std::size_t kFewestClamped = 2;

using Runs = std::vector<const study::Run*>;

std::vector<int> idsOf(const Runs& runs)
{
    std::vector<int> ids;
    for (const study::Run* run : runs)
        ids.push_back(run->id);
    return ids;
}

Runs doneRuns(const study::Study& study)
{
    Runs runs;
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Done)
            runs.push_back(&run);
    }
    return runs;
}

bool isRound(double value)
{
    return value == std::round(value);
}

void addClamped(const Runs& runs, const study::Response& response, std::vector<Finding>& findings)
{
    std::map<double, Runs> byValue;
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
            findings.push_back(makeFinding(catalogue::kClamped,
                                           {{"end", end == &*byValue.begin() ? "smallest" : "largest"},
                                            {"response", response.name},
                                            {"value", study::toText(end->first)}},
                                           idsOf(end->second)));
    }
}

/// A quantity whose range is above 0, such as a count, cannot be 0 or less, in axial runs either.
void addImpossible(const study::Study& study, std::vector<Finding>& findings)
{
    for (const study::Factor& factor : study.factors) {
        std::vector<int> runs;
        for (const study::Run& run : study.runs) {
            const auto value = run.settings.find(factor.name);
            if (factor.isNumeric() && factor.low > 0 && value != run.settings.end() &&
                study::numberOf(value->second) <= 0)
                runs.push_back(run.id);
        }
        if (!runs.empty())
            findings.push_back(makeFinding(catalogue::kImpossibleSettings,
                                           {{"factor", factor.name}, {"low", study::toText(factor.low)}},
                                           runs));
    }
}

void addOutOfRange(const study::Study& study, std::vector<Finding>& findings)
{
    for (const design::OutsideRange& outside : design::findOutsideRange(study))
        findings.push_back(describeOutside(outside));
}

void addMissing(const study::Study& study, std::vector<Finding>& findings)
{
    std::vector<int> missing;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            missing.push_back(run.id);
    }
    if (!missing.empty())
        findings.push_back(makeFinding(
            catalogue::kNoResults,
            {{"n", std::to_string(missing.size())}, {"all", std::to_string(study.runs.size())}}, missing));
}

} // namespace

std::vector<Finding> findInData(const study::Study& study)
{
    std::vector<Finding> findings = findCopiedResults(study);
    const Runs runs = doneRuns(study);
    for (const study::Response& response : study.responses)
        addClamped(runs, response, findings);
    addImpossible(study, findings);
    addOutOfRange(study, findings);
    if (!runs.empty())
        addMissing(study, findings);
    return findings;
}

} // namespace quadric::report
