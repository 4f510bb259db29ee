// SPDX-License-Identifier: GPL-3.0-or-later
// Known answers: tests/references/models/compare.R (t.test() and p.adjust()).
#include "core/plan/study_comparison.h"
#include "core/plan/words/comparison_tables.h"
#include "core/report/table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace quadric::plan {
namespace {

using ::testing::HasSubstr;

/// Per setting of `gpus` (1, 2, 4, …) the results of its runs.
study::Study measured(const std::string& name, const std::vector<std::vector<double>>& speeds,
                      const std::vector<double>& losses = {})
{
    study::Study study;
    study.name = name;
    study.factors = {{.name = "gpus", .type = study::FactorType::Integer, .low = 1, .high = 64}};
    study.responses = {{.name = "tokens_per_sec", .unit = "tokens/s", .goal = study::Goal::Maximize}};
    if (!losses.empty())
        study.responses.push_back({.name = "loss_change", .goal = study::Goal::None});
    for (std::size_t i = 0; i < speeds.size(); ++i) {
        for (std::size_t repeat = 0; repeat < speeds[i].size(); ++repeat) {
            study::Run run;
            run.id = run.order = static_cast<int>(study.runs.size()) + 1;
            run.settings = {{"gpus", std::pow(2.0, static_cast<double>(i))}};
            run.status = study::RunStatus::Done;
            run.provenance.source = study::Source::Measured;
            run.results["tokens_per_sec"] = speeds[i][repeat];
            if (!losses.empty() && repeat == 0)
                run.results["loss_change"] = losses[i];
            study.runs.push_back(run);
        }
    }
    return study;
}

study::Study oldNode()
{
    return measured("old", {{100, 104}, {220}, {390}, {700, 690, 710}}, {-0.6, 0.5, 0.1, 0.3});
}

study::Study newNode()
{
    return measured("new", {{109}, {231, 229}, {415, 405}, {735}}, {-0.5, 0.25, -0.125, 0.0625});
}

} // namespace

TEST(StudyComparison, IsThePairedTTestOfTheLogarithms)
{
    const StudyComparison comparison = compareStudies(oldNode(), newNode());
    ASSERT_EQ(comparison.responses.size(), 2U) << comparison.message;
    const ResponseDifference& speed = comparison.responses[0];
    EXPECT_EQ(speed.settings, 4);
    EXPECT_EQ(speed.firstRuns, 7);
    EXPECT_EQ(speed.secondRuns, 6);
    EXPECT_NEAR(speed.estimate, 1.053850896620, 1e-11);
    EXPECT_NEAR(speed.interval->low, 1.037699151211, 1e-11);
    EXPECT_NEAR(speed.interval->high, 1.070254043294, 1e-11);
    EXPECT_NEAR(speed.p.value(), 0.001694611355, 1e-11);
    EXPECT_NEAR(speed.adjustedP.value(), 0.003389222709, 1e-11);
    EXPECT_NEAR(speed.smallest, 1.045444663985, 1e-11);
    EXPECT_NEAR(speed.largest, 1.068832936503, 1e-11);
    EXPECT_EQ(speed.verdict, Difference::Better);
    EXPECT_EQ(describeDifference(speed), "faster");
}

TEST(StudyComparison, ValuesThatAreNotAboveZeroAreSubtracted)
{
    const ResponseDifference loss = compareStudies(oldNode(), newNode()).responses[1];
    EXPECT_FALSE(loss.isRatio);
    EXPECT_NEAR(loss.estimate, -0.153125, 1e-12);
    EXPECT_NEAR(loss.interval->low, -0.422134576960, 1e-11);
    EXPECT_NEAR(loss.interval->high, 0.115884576960, 1e-11);
    EXPECT_NEAR(loss.p.value(), 0.167738078090, 1e-11);
    EXPECT_EQ(describeDifference(loss), "no difference shown");
}

TEST(StudyComparison, OneSettingIsComparedByItsRepeatedRuns)
{
    const auto a = measured("a", {{700, 690, 710}}), b = measured("b", {{735, 742, 728}});
    const ResponseDifference speed = compareStudies(a, b).responses[0];
    EXPECT_NEAR(speed.interval->low, 1.019815029241, 1e-11);
    EXPECT_NEAR(speed.interval->high, 1.081160129194, 1e-11);
    EXPECT_NEAR(speed.p.value(), 0.011181983169, 1e-11);
    const ResponseDifference single = compareStudies(a, measured("b", {{735}})).responses[0];
    EXPECT_FALSE(single.interval.has_value());
    EXPECT_EQ(single.verdict, Difference::NotShown);
    EXPECT_THAT(single.message, HasSubstr("without repeated runs"));
}

TEST(StudyComparison, AFixedSettingStandsForTheFactorOfTheOther)
{
    const study::Study first = oldNode();
    study::Study second = newNode();
    second.factors.push_back({.name = "batch", .low = 16, .high = 64});
    for (study::Run& run : second.runs)
        run.settings["batch"] = 32.0;
    EXPECT_THAT(compareStudies(first, second).message, HasSubstr("No setting has a result"));
    study::Study known = first;
    known.fixed["batch"] = 32.0;
    EXPECT_EQ(compareStudies(known, second).responses[0].settings, 4);
    known.fixed["driver"] = std::string("550");
    second.fixed["driver"] = std::string("560");
    const StudyComparison comparison = compareStudies(known, second);
    ASSERT_EQ(comparison.settings.size(), 1U);
    EXPECT_EQ(comparison.settings[0].name, "driver");
    EXPECT_EQ(comparison.settings[0].second, "560");
}

TEST(StudyComparison, SaysWhatChangedInMachineAndVersions)
{
    study::Study first = oldNode(), second = newNode();
    for (study::Run& run : first.runs) {
        run.provenance.host = "node1";
        run.provenance.started = "2026-03-01T10:00:00Z";
        run.provenance.seconds = 10.0 + run.id;
    }
    for (study::Run& run : second.runs) {
        run.provenance.host = "node1";
        run.provenance.kernel = "6.12";
        run.provenance.started = "2026-03-02T10:00:00Z";
    }
    const StudyComparison comparison = compareStudies(first, second);
    ASSERT_EQ(comparison.provenance.size(), 1U);
    EXPECT_EQ(comparison.provenance[0].name, "kernel");
    EXPECT_EQ(comparison.provenance[0].first, "not known");
    ASSERT_EQ(comparison.cautions.size(), 1U);
    EXPECT_THAT(comparison.cautions[0], HasSubstr("before those of the other"));
}

TEST(StudyComparison, WhatCannotBeComparedSaysWhy)
{
    study::Study other = newNode();
    other.responses[0].unit = "img/s";
    EXPECT_EQ(compareStudies(oldNode(), other).responses[0].message, "measured in tokens/s and in img/s");
    other.responses.clear();
    EXPECT_EQ(compareStudies(oldNode(), other).message, "The studies have no response in common.");
    EXPECT_THAT(compareStudies(oldNode(), oldNode()).responses[0].message, HasSubstr("copied results"));
}

TEST(StudyComparison, TablesNameTheMultiplicity)
{
    const StudyComparison comparison = compareStudies(oldNode(), newNode());
    const report::Table table = makeDifferenceTable(comparison);
    EXPECT_EQ(table.rows.size(), 2U);
    EXPECT_THAT(table.note, HasSubstr("by Holm over 2 responses together"));
    EXPECT_EQ(describeResponse(comparison.responses[0], 0.95),
              "tokens_per_sec: faster, change 5.4 % (95 % interval 3.8 to 7.0 %, 4 settings).");
    EXPECT_THAT(makeChangeTable(comparison).note, HasSubstr("are the same"));
}

/// The slower study on a page: every sign is a real minus, in sentences and in both ranges of the table.
TEST(StudyComparison, HasARealMinusOnAPage)
{
    const StudyComparison comparison = compareStudies(newNode(), oldNode());
    const auto row = makeDifferenceTable(comparison).rows.front();
    for (const std::size_t column : {2U, 4U, 7U}) {
        const std::string cell = report::formatCell(row[column], text::Typography::Typeset);
        EXPECT_THAT(cell, testing::AllOf(HasSubstr("−"), testing::Not(HasSubstr("-")))) << cell;
    }
    const std::string sentence = describeResponse(comparison.responses[0], 0.95, text::Typography::Typeset);
    EXPECT_THAT(sentence,
                testing::AllOf(HasSubstr("change −"), HasSubstr("interval −"), testing::Not(HasSubstr("-"))));
}

/// Two studies of the same machine, three responses, eight settings with effects of their own on each: some
/// verdict is wrong in at most 5 % of them. With 5 % more speed the verdict is right nearly always, and never
/// the wrong way round.
TEST(StudyComparison, VerdictsAreWrongAsRarelyAsTheySay)
{
    constexpr int kPairs = 3000, kSettings = 8, kResponses = 3;
    std::mt19937_64 random(23);
    std::normal_distribution<double> normal;
    int wrong = 0, found = 0, reversed = 0, covered = 0;
    for (int pair = 0; pair < kPairs; ++pair) {
        study::Study a = measured("a", std::vector<std::vector<double>>(kSettings, {1.0})), b = a;
        a.responses.clear();
        for (int i = 0; i < kResponses; ++i)
            a.responses.push_back({.name = "y" + std::to_string(i), .goal = study::Goal::Maximize});
        b.responses = a.responses;
        for (std::size_t run = 0; run < a.runs.size(); ++run) {
            const double level = std::exp(normal(random));
            for (const study::Response& response : a.responses) {
                a.runs[run].results[response.name] = level * std::exp(0.02 * normal(random));
                b.runs[run].results[response.name] = level * std::exp(0.02 * normal(random));
            }
        }
        const auto isShown = [](const ResponseDifference& each) {
            return each.verdict != Difference::NotShown;
        };
        const StudyComparison same = compareStudies(a, b);
        wrong += std::ranges::any_of(same.responses, isShown) ? 1 : 0;
        covered += same.responses[0].interval->low <= 1.0 && same.responses[0].interval->high >= 1.0 ? 1 : 0;
        for (study::Run& run : b.runs)
            run.results["y0"] *= 1.05;
        const StudyComparison faster = compareStudies(a, b);
        found += faster.responses[0].verdict == Difference::Better ? 1 : 0;
        reversed += faster.responses[0].verdict == Difference::Worse ? 1 : 0;
    }
    const double slack = 4.0 * std::sqrt(0.05 * 0.95 / kPairs);
    EXPECT_LE(wrong / double(kPairs), 0.05 + slack);
    EXPECT_GE(wrong / double(kPairs), 0.03) << "nor are they withheld";
    EXPECT_NEAR(covered / double(kPairs), 0.95, slack);
    EXPECT_GT(found / double(kPairs), 0.9);
    EXPECT_EQ(reversed, 0);
}

} // namespace quadric::plan
