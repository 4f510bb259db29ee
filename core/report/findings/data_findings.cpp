// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/data_findings.h"

#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/tables/study_tables.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

Finding describeCopies(const model::Copies& copies, const std::string& responses)
{
    std::vector<int> runs;
    for (const std::vector<int>& group : copies.groups)
        runs.insert(runs.end(), group.begin(), group.end());
    return makeFinding(
        catalogue::kCopies,
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

namespace {

using design::Check;
using design::Evaluation;

std::string efficiency(double percent)
{
    return formatDesignNumber(design::DesignNumber::Efficiency, percent);
}

/// A finding about some of the runs of a design; none where there are none of them.
void addMoved(const Entry& entry, const std::vector<int>& runs, int all, std::vector<Finding>& findings)
{
    if (!runs.empty())
        findings.push_back(
            makeFinding(entry, {{"n", std::to_string(runs.size())}, {"all", std::to_string(all)}}, runs));
}

bool passes(const Evaluation& evaluation, const std::string& check)
{
    return std::ranges::any_of(evaluation.checks,
                               [&](const Check& each) { return each.ok && each.name == check; });
}

/// Runs beyond the range of a factor.
Finding describeOutside(const design::OutsideRange& outside)
{
    return makeFinding(catalogue::kOutOfRange,
                       {{"factor", outside.factor.name},
                        {"low", study::toText(outside.factor.low)},
                        {"high", study::toText(outside.factor.high)}},
                       outside.runs);
}

/// Adds the names of the checks that `first` passes and `second` does not.
void addPassedOnlyBy(const Evaluation& first, const Evaluation& second, std::string_view pattern,
                     std::vector<std::string>& sentences)
{
    std::vector<std::string> names;
    for (const Check& check : first.checks)
        if (check.ok && !passes(second, check.name))
            names.push_back(check.name);
    if (!names.empty())
        sentences.push_back(fill(pattern, {{"checks", text::joinWords(names)}}));
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

std::vector<Finding> findInDesign(const Evaluation& evaluation)
{
    std::vector<Finding> findings;
    if (!evaluation.runsLeftOut.empty())
        findings.push_back(makeFinding(catalogue::kRunsLeftOut,
                                       {{"n", std::to_string(evaluation.runsLeftOut.size())}},
                                       evaluation.runsLeftOut));
    if (!evaluation.termsLeftOut.empty())
        findings.push_back(
            makeFinding(catalogue::kAliasedTerms, {{"terms", listTerms(evaluation.termsLeftOut)}}));
    if (evaluation.dfLackOfFit + evaluation.dfPureError < 1)
        findings.push_back(makeFinding(catalogue::kNoError));
    if (evaluation.dfPureError < 1)
        findings.push_back(makeFinding(catalogue::kNoReplicates, {{"blocks", ""}}));
    for (const Check& check : evaluation.checks)
        if (!check.ok && check.name == design::kLegalSettingsCheck)
            findings.push_back(makeFinding(catalogue::kIllegalSettings, {{"detail", check.detail}}));
    for (const design::OutsideRange& outside : evaluation.outside)
        findings.push_back(describeOutside(outside));
    if (evaluation.legal)
        std::ranges::move(findInMovedRuns(*evaluation.legal), std::back_inserter(findings));
    return findings;
}

std::vector<Finding> findInMovedRuns(const design::LegalReport& report)
{
    std::vector<Finding> findings;
    addMoved(catalogue::kRounded, report.roundedRuns, report.runs, findings);
    std::vector<int> byConstraint = report.repairedRuns;
    std::erase_if(byConstraint, [&](int run) { return std::ranges::count(report.editedRuns, run) > 0; });
    addMoved(catalogue::kMoved, byConstraint, report.runs, findings);
    addMoved(catalogue::kEdited, report.editedRuns, report.runs, findings);
    for (const std::vector<int>& runs : report.equalRuns)
        addMoved(catalogue::kEqualRuns, runs, report.runs, findings);
    if (report.isMoved() && !report.lostTerms.empty())
        findings.push_back(makeFinding(catalogue::kLostTerms, {{"terms", listTerms(report.lostTerms)}}));
    return findings;
}

std::string describeSearch(const design::SearchReport& search)
{
    std::vector<std::string> sentences;
    if (search.isStopped)
        sentences.emplace_back(catalogue::kStoppedSearch);
    else
        sentences.push_back(fill(catalogue::kSearch, {{"n", std::to_string(search.starts)},
                                                      {"best", std::to_string(search.best)}}));
    if (search.digits > 0 && search.roundingLoss > 0.0)
        sentences.push_back(
            fill(catalogue::kRoundedLevels, {{"digits", std::to_string(search.digits)},
                                             {"loss", text::formatPercent(search.roundingLoss)},
                                             {"criterion", search.criterion}}));
    return joinSentences(sentences);
}

std::string describeChange(const Evaluation& before, const Evaluation& after)
{
    std::vector<std::string> sentences;
    const std::string was = efficiency(before.dEfficiency), is = efficiency(after.dEfficiency);
    if (was != is)
        sentences.push_back(fill(catalogue::kChange, {{"before", was}, {"after", is}}));
    addPassedOnlyBy(before, after, catalogue::kLostChecks, sentences);
    addPassedOnlyBy(after, before, catalogue::kWonChecks, sentences);
    return sentences.empty() ? std::string(catalogue::kNoChange) : joinSentences(sentences);
}

std::vector<Finding> findInData(const study::Study& study)
{
    std::vector<Finding> findings = findCopiedResults(study);
    addImpossible(study, findings);
    for (const design::OutsideRange& outside : design::findOutsideRange(study))
        findings.push_back(describeOutside(outside));
    if (study::countRuns(study, study::RunStatus::Done) > 0)
        addMissing(study, findings);
    return findings;
}

} // namespace quadric::report
