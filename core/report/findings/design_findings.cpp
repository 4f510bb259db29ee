// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/design_findings.h"

#include "core/report/catalogue/design_sentences.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

using design::Check;
using design::Evaluation;
using text::formatDecimals;

/// A finding about some of the runs of a design; none where there are none of them.
void addMoved(const Entry& entry, const std::vector<int>& runs, int all, std::vector<Finding>& findings)
{
    if (!runs.empty())
        findings.push_back(
            makeFinding(entry, {{"n", std::to_string(runs.size())}, {"all", std::to_string(all)}}, runs));
}

Finding costFinding(const design::LegalReport& report)
{
    if (!report.lostTerms.empty())
        return makeFinding(catalogue::kLostTerms, {{"terms", text::joinWords(report.lostTerms)}});
    return makeFinding(catalogue::kCost, {{"model", report.model},
                                          {"after", formatDecimals(report.dEfficiencyAfter, 1)},
                                          {"before", formatDecimals(report.dEfficiencyBefore, 1)},
                                          {"afterR", formatDecimals(report.worstCorrelationAfter, 2)},
                                          {"beforeR", formatDecimals(report.worstCorrelationBefore, 2)}});
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

std::string variance(double value)
{
    return text::formatNumber(value, {}, text::Typography::Typeset) + " σ²";
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
            makeFinding(catalogue::kTermsLeftOut, {{"terms", text::joinWords(evaluation.termsLeftOut)}}));
    if (evaluation.dfLackOfFit + evaluation.dfPureError < 1)
        findings.push_back(makeFinding(catalogue::kNoError));
    if (evaluation.dfPureError < 1)
        findings.push_back(makeFinding(catalogue::kNoReplicates));
    for (const Check& check : evaluation.checks)
        if (!check.ok && check.name == design::kLegalSettingsCheck)
            findings.push_back(makeFinding(catalogue::kIllegalSettings, {{"detail", check.detail}}));
    if (evaluation.legal)
        std::ranges::move(findInMovedRuns(*evaluation.legal), std::back_inserter(findings));
    return findings;
}

std::vector<Finding> findInMovedRuns(const design::LegalReport& report)
{
    std::vector<Finding> findings;
    addMoved(catalogue::kRounded, report.roundedRuns, report.runs, findings);
    addMoved(catalogue::kMoved, report.repairedRuns, report.runs, findings);
    if (report.isMoved())
        findings.push_back(
            makeFinding(catalogue::kLargestChange, {{"shift", formatDecimals(report.largestShift, 2)},
                                                    {"run", std::to_string(report.largestShiftRun)}}));
    for (const std::vector<int>& runs : report.equalRuns)
        addMoved(catalogue::kEqualRuns, runs, report.runs, findings);
    if (report.isMoved())
        findings.push_back(costFinding(report));
    return findings;
}

std::string describeChange(const Evaluation& before, const Evaluation& after)
{
    std::vector<std::string> changes, sentences;
    addChange(catalogue::kDEfficiency, formatDecimals(before.dEfficiency, 1) + " %",
              formatDecimals(after.dEfficiency, 1) + " %", changes);
    addChange(catalogue::kGEfficiency, formatDecimals(before.gEfficiency, 1) + " %",
              formatDecimals(after.gEfficiency, 1) + " %", changes);
    addChange(catalogue::kMeanVariance, variance(before.iValue), variance(after.iValue), changes);
    addChange(catalogue::kCoefficientCount, std::to_string(before.dfModel), std::to_string(after.dfModel),
              changes);
    if (!changes.empty())
        sentences.push_back(text::joinWords(changes) + ".");
    addPassedOnlyBy(before, after, catalogue::kLostChecks, sentences);
    addPassedOnlyBy(after, before, catalogue::kWonChecks, sentences);
    return sentences.empty() ? std::string(catalogue::kNoChange) : joinSentences(sentences);
}

} // namespace quadric::report
