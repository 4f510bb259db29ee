// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/design_findings.h"

#include "core/report/catalogue/design_sentences.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/catalogue/measurement_sentences.h"
#include "core/report/tables/design_tables.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

using design::Check;
using design::Evaluation;
using text::formatDecimals;

std::string efficiency(double percent)
{
    return formatDesignNumber(design::DesignNumber::Efficiency, percent);
}

std::string variance(double value)
{
    return formatDesignNumber(design::DesignNumber::Variance, value);
}

/// "A × B, A²": all of them.
std::string typesetTerms(std::vector<std::string> names)
{
    for (std::string& name : names)
        name = text::formatTerm(name, text::Typography::Typeset);
    return text::joinWords(names);
}

/// A finding about some of the runs of a design; none where there are none of them.
void addMoved(const Entry& entry, const std::vector<int>& runs, int all, std::vector<Finding>& findings)
{
    if (!runs.empty())
        findings.push_back(
            makeFinding(entry, {{"n", std::to_string(runs.size())}, {"all", std::to_string(all)}}, runs));
}

/// "D-efficiency from 46.0 % to 44.1 %" among the changes, unless both read the same.
void addChange(std::string_view name, const std::string& before, const std::string& after,
               std::vector<std::string>& changes)
{
    if (before != after)
        changes.push_back(
            fill(catalogue::kChange, {{"name", std::string(name)}, {"before", before}, {"after", after}}));
}

bool passes(const Evaluation& evaluation, const std::string& check)
{
    return std::ranges::any_of(evaluation.checks,
                               [&](const Check& each) { return each.ok && each.name == check; });
}

/// What the moves cost, as far as it can be seen in the numbers.
void addCost(const design::LegalReport& report, std::vector<Finding>& findings)
{
    if (!report.lostTerms.empty()) {
        findings.push_back(makeFinding(catalogue::kLostTerms, {{"terms", typesetTerms(report.lostTerms)}}));
        return;
    }
    std::vector<std::string> changes;
    addChange(catalogue::kDEfficiency, efficiency(report.dEfficiencyBefore),
              efficiency(report.dEfficiencyAfter), changes);
    addChange(catalogue::kLargestCorrelation, formatDecimals(report.worstCorrelationBefore, 2),
              formatDecimals(report.worstCorrelationAfter, 2), changes);
    if (!changes.empty())
        findings.push_back(
            makeFinding(catalogue::kCost, {{"model", report.model}, {"changes", text::formatList(changes)}}));
}

/// What the second evaluation has beyond the ranges and the first has not.
std::vector<std::string> describeNewOutside(const Evaluation& before, const Evaluation& after)
{
    std::vector<std::string> sentences;
    for (design::OutsideRange outside : after.outside) {
        for (const design::OutsideRange& old : before.outside)
            if (old.factor.name == outside.factor.name)
                std::erase_if(outside.runs, [&](int run) { return std::ranges::count(old.runs, run) > 0; });
        if (!outside.runs.empty())
            sentences.push_back(describeOutside(outside).sentence);
    }
    return sentences;
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
            makeFinding(catalogue::kTermsLeftOut, {{"terms", typesetTerms(evaluation.termsLeftOut)}}));
    if (evaluation.dfLackOfFit + evaluation.dfPureError < 1)
        findings.push_back(makeFinding(catalogue::kNoError));
    if (evaluation.dfPureError < 1)
        findings.push_back(makeFinding(catalogue::kNoReplicates));
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
    const std::string shift = formatDecimals(report.largestShift, 2);
    if (report.isMoved() && shift != formatDecimals(0.0, 2))
        findings.push_back(makeFinding(catalogue::kLargestChange,
                                       {{"shift", shift}, {"run", std::to_string(report.largestShiftRun)}}));
    for (const std::vector<int>& runs : report.equalRuns)
        addMoved(catalogue::kEqualRuns, runs, report.runs, findings);
    if (report.isMoved())
        addCost(report, findings);
    return findings;
}

Finding describeOutside(const design::OutsideRange& outside)
{
    return makeFinding(catalogue::kOutOfRange,
                       {{"factor", outside.factor.name},
                        {"low", study::toText(outside.factor.low)},
                        {"high", study::toText(outside.factor.high)}},
                       outside.runs);
}

std::string describeSearch(const design::SearchReport& search)
{
    std::vector<std::string> sentences;
    if (search.isStopped)
        sentences.emplace_back(catalogue::kStoppedSearch);
    else
        sentences.push_back(fill(catalogue::kSearch, {{"n", std::to_string(search.starts)},
                                                      {"best", std::to_string(search.best)}}));
    if (search.digits > 0)
        sentences.push_back(
            fill(search.roundingLoss > 0.0 ? catalogue::kRoundedLevels : catalogue::kRoundedForFree,
                 {{"digits", std::to_string(search.digits)},
                  {"loss", text::formatPercent(search.roundingLoss)},
                  {"criterion", search.criterion}}));
    return joinSentences(sentences);
}

std::string describeChange(const Evaluation& before, const Evaluation& after)
{
    std::vector<std::string> changes, sentences;
    addChange(catalogue::kDEfficiency, efficiency(before.dEfficiency), efficiency(after.dEfficiency),
              changes);
    addChange(catalogue::kGEfficiency, efficiency(before.gEfficiency), efficiency(after.gEfficiency),
              changes);
    addChange(catalogue::kMeanVariance, variance(before.iValue), variance(after.iValue), changes);
    addChange(catalogue::kCoefficientCount, std::to_string(before.dfModel), std::to_string(after.dfModel),
              changes);
    if (!changes.empty())
        sentences.push_back(text::joinWords(changes) + ".");
    std::ranges::move(describeNewOutside(before, after), std::back_inserter(sentences));
    addPassedOnlyBy(before, after, catalogue::kLostChecks, sentences);
    addPassedOnlyBy(after, before, catalogue::kWonChecks, sentences);
    return sentences.empty() ? std::string(catalogue::kNoChange) : joinSentences(sentences);
}

} // namespace quadric::report
