// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/design_findings.h"

#include <gmock/gmock.h>

namespace quadric::report {
namespace {

std::vector<std::string> sentencesOf(const std::vector<Finding>& findings)
{
    std::vector<std::string> sentences;
    for (const Finding& finding : findings)
        sentences.push_back(finding.sentence);
    return sentences;
}

/// A design with replicates and an error, of which nothing is to be said.
design::Evaluation soundEvaluation()
{
    design::Evaluation evaluation;
    evaluation.dfLackOfFit = 3;
    evaluation.dfPureError = 2;
    return evaluation;
}

} // namespace

TEST(DesignFindings, aSoundDesignHasNone)
{
    design::Evaluation evaluation = soundEvaluation();
    evaluation.legal = design::LegalReport{};
    EXPECT_THAT(findInDesign(evaluation), testing::IsEmpty());
}

TEST(DesignFindings, whatIsMissingIsNamed)
{
    design::Evaluation evaluation = soundEvaluation();
    evaluation.dfLackOfFit = evaluation.dfPureError = 0;
    evaluation.runsLeftOut = {3};
    evaluation.termsLeftOut = {"A*B", "C^2"};
    evaluation.checks = {{"Every setting can be run", false, "Run 4: A + B is 2, above 1.5"}};
    EXPECT_THAT(sentencesOf(findInDesign(evaluation)),
                testing::ElementsAre("1 failed or excluded run is not part of this evaluation: run 3.",
                                     "Aliased with other terms and therefore not evaluated: A*B, C^2.",
                                     "No degrees of freedom are left for error: no power, no intervals.",
                                     "No replicates: lack of fit cannot be tested.",
                                     "Run 4: A + B is 2, above 1.5"));
}

TEST(DesignFindings, movedRunsAreCountedWithTheirCost)
{
    design::Evaluation evaluation = soundEvaluation();
    design::LegalReport report;
    report.model = "quadratic";
    report.runs = 15;
    report.roundedRuns = {1, 2, 5};
    report.repairedRuns = {10};
    report.largestShift = 0.598;
    report.largestShiftRun = 10;
    report.dEfficiencyBefore = 46.04;
    report.dEfficiencyAfter = 44.0;
    report.worstCorrelationBefore = 0.0;
    report.worstCorrelationAfter = 0.125;
    evaluation.legal = report;
    EXPECT_THAT(
        sentencesOf(findInDesign(evaluation)),
        testing::ElementsAre(
            "3 of 15 runs were rounded to allowed levels.",
            "1 of 15 runs was changed to satisfy a constraint or by hand: run 10.",
            "Largest change: 0.60 coded units (run 10).",
            testing::StartsWith("For the quadratic model the D-efficiency is 44.0 % instead of 46.0 %")));
    report.lostTerms = {"A"};
    EXPECT_EQ(findInMovedRuns(report).back().sentence, "These terms can no longer be estimated: A.");
}

TEST(DesignFindings, aChangeIsDescribedByWhatItLosesAndWins)
{
    design::Evaluation before, after;
    before.dEfficiency = 46.04;
    after.dEfficiency = 44.0;
    before.checks = {{"Level balance", true, {}}, {"Repeated runs", false, {}}};
    after.checks = {{"Level balance", false, {}}, {"Repeated runs", true, {}}};
    EXPECT_EQ(describeChange(before, after),
              "D-efficiency from 46.0 % to 44.0 %. No longer: Level balance. Now: Repeated runs.");
    EXPECT_EQ(describeChange(before, before), "The quality of the design stays as it is.");
}

} // namespace quadric::report
