// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/findings/data_findings.h"

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
                                     "Aliased with other terms and therefore not in the model: A × B and C².",
                                     "No degrees of freedom are left for error: no power, no intervals.",
                                     "No replicates: lack of fit cannot be tested.",
                                     "Run 4: A + B is 2, above 1.5"));
}

TEST(DesignFindings, movedRunsAreCounted)
{
    design::Evaluation evaluation = soundEvaluation();
    design::LegalReport report;
    report.model = "quadratic";
    report.runs = 15;
    report.roundedRuns = {1, 2, 5};
    report.repairedRuns = {10, 12};
    report.editedRuns = {10};
    evaluation.legal = report;
    EXPECT_THAT(sentencesOf(findInDesign(evaluation)),
                testing::ElementsAre("3 of 15 runs were rounded to allowed levels.",
                                     "1 of 15 runs was changed to satisfy a constraint: run 12.",
                                     "1 of 15 runs was changed by hand: run 10."));
    report.lostTerms = {"A"};
    EXPECT_EQ(findInMovedRuns(report).back().sentence, "These terms can no longer be estimated: A.");
}

TEST(DesignFindings, aSettingBeyondItsRangeIsNamed)
{
    design::Evaluation evaluation = soundEvaluation();
    evaluation.outside = {{{.name = "bucket", .low = 0.125, .high = 2.0}, {4}}};
    EXPECT_THAT(sentencesOf(findInDesign(evaluation)),
                testing::ElementsAre("Run 4: bucket is outside its range, 0.125 to 2."));
}

TEST(DesignFindings, aSearchSaysHowSureItIsAndWhatRoundingCost)
{
    EXPECT_EQ(
        describeSearch({.starts = 60, .best = 12, .digits = 2, .roundingLoss = 0.0034, .criterion = "I"}),
        "Best of 60 searches; 12 of them found it. Levels are rounded to 2 digits, which costs 0.3 % of "
        "the I-efficiency.");
    EXPECT_EQ(describeSearch({.starts = 3, .isStopped = true, .digits = 3, .criterion = "D"}),
              "The search was stopped: this is the best design so far.");
}

TEST(DesignFindings, aChangeIsDescribedByWhatItLosesAndWins)
{
    design::Evaluation before, after;
    before.dEfficiency = 46.04;
    after.dEfficiency = 44.0;
    before.checks = {{"Level balance", true, {}}, {"Repeated runs", false, {}}};
    after.checks = {{"Level balance", false, {}}, {"Repeated runs", true, {}}};
    EXPECT_EQ(describeChange(before, after),
              "D-efficiency from 46 % to 44 %. No longer: Level balance. Now: Repeated runs.");
    EXPECT_EQ(describeChange(before, before), "The quality of the design stays as it is.");
}

} // namespace quadric::report
