// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/cross_validation.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/table.h"
#include "core/report/tables/answer_tables.h"
#include "core/report/tables/run_tables.h"

#include <gmock/gmock.h>

using namespace quadric;

namespace {

/// A straight line in 12 runs, whose errors and spreads are as given.
study::Study lineWith(const std::vector<double>& errors, const std::vector<double>& spreads)
{
    study::Study study;
    study.factors = {{.name = "a", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "speed", .unit = "img/s"}};
    study.model["speed"] = "linear";
    for (std::size_t i = 0; i < errors.size(); ++i) {
        study::Run run{.id = static_cast<int>(i) + 1, .order = static_cast<int>(i) + 1};
        const double a = i % 3 == 0 ? -1.0 : i % 3 == 1 ? 0.0 : 1.0;
        run.settings = {{"a", a}};
        run.status = study::RunStatus::Done;
        run.results = {{"speed", 100.0 + 5.0 * a + errors[i]}};
        run.spread = {{"speed", spreads[i]}};
        study.runs.push_back(run);
    }
    return study;
}

const std::vector<double> kErrors{0.1, -9, 0.05, 11, -0.1, 8, -0.08, -12, 0.12, 10, 0.03, -7};
const std::vector<double> kTold{0.1, 9, 0.1, 9, 0.1, 9, 0.1, 9, 0.1, 9, 0.1, 9};

const report::Finding* findCode(const std::vector<report::Finding>& findings, std::string_view code)
{
    const auto found = std::ranges::find(findings, code, &report::Finding::code);
    return found == findings.end() ? nullptr : &*found;
}

std::vector<report::Finding> findingsOf(const study::Study& study)
{
    return report::findInFit(model::fitStudy(study).front());
}

} // namespace

TEST(VariationFindings, spreadsThatTellOfTheErrorsAreRecommended)
{
    study::Study study = lineWith(kErrors, kTold);
    const auto findings = findingsOf(study);
    const report::Finding* advice = findCode(findings, "other-weights");
    ASSERT_NE(advice, nullptr);
    EXPECT_THAT(advice->sentence, testing::HasSubstr("differ by the factor 90"));
    study.responses[0].weights = study::Weights::Spread;
    EXPECT_EQ(findCode(findingsOf(study), "other-weights"), nullptr);
    EXPECT_NE(findCode(findingsOf(study), "weights"), nullptr);
}

TEST(VariationFindings, spreadsThatTellTheContraryAreNot)
{
    std::vector<double> wrong = kTold;
    std::rotate(wrong.begin(), wrong.begin() + 1, wrong.end());
    study::Study study = lineWith(kErrors, wrong);
    EXPECT_EQ(findCode(findingsOf(study), "other-weights"), nullptr);
}

TEST(VariationFindings, weightsWithoutSpreadsAreNamed)
{
    study::Study study = lineWith(kErrors, kTold);
    study.responses[0].weights = study::Weights::Spread;
    study.runs[4].spread.clear();
    const auto findings = findingsOf(study);
    const report::Finding* problem = findCode(findings, "weights-unused");
    ASSERT_NE(problem, nullptr);
    EXPECT_THAT(problem->sentence, testing::HasSubstr("run 5"));
}

TEST(VariationFindings, theLargestVarianceSaysWhatToDo)
{
    const std::vector<double> small(12, 0.01), large(12, 9.0);
    const auto advice = [](const study::Study& study) {
        return report::varianceFinding(model::fitStudy(study).front()).value().advice;
    };
    EXPECT_THAT(advice(lineWith(kErrors, large)), testing::HasSubstr("longer"));
    EXPECT_THAT(advice(lineWith(kErrors, small)), testing::HasSubstr("more often"));
    study::Study blocks = lineWith(kErrors, small);
    for (study::Run& run : blocks.runs) {
        run.block = 1 + (run.id - 1) / 3;
        run.results["speed"] += 100.0 * run.block;
    }
    EXPECT_THAT(advice(blocks), testing::HasSubstr("sessions"));
    study::Study none = lineWith(kErrors, small);
    for (study::Run& run : none.runs)
        run.spread.clear();
    EXPECT_FALSE(report::varianceFinding(model::fitStudy(none).front()).has_value());
}

/// Residuals of 25 and more that curvature leaves are no variation between runs: replicates differ by 0.1.
TEST(VariationFindings, lackOfFitIsNoVariationBetweenRuns)
{
    study::Study study = lineWith(std::vector<double>(12, 0.0), std::vector<double>(12, 0.5));
    for (study::Run& run : study.runs) {
        const double a = std::get<double>(run.settings["a"]);
        run.results["speed"] += 50.0 * a * a + 0.1 * ((run.id * 5) % 7);
    }
    const report::Finding finding = report::varianceFinding(model::fitStudy(study).front()).value();
    EXPECT_THAT(finding.advice, testing::HasSubstr("longer")) << finding.sentence;
}

TEST(VariationFindings, recommendedWeightsAreThoseThatPredictBetter)
{
    study::Study study = lineWith(kErrors, kTold);
    EXPECT_EQ(model::recommendedWeights(study, "speed"), study::Weights::Spread);
    for (study::Run& run : study.runs)
        run.spread["speed"] = kTold[static_cast<std::size_t>(run.id) % kTold.size()];
    study.responses[0].weights = study::Weights::Spread;
    EXPECT_EQ(model::recommendedWeights(study, "speed"), study::Weights::Equal);
}

namespace quadric::report {
namespace {

study::Study onNodesOfEight()
{
    study::Study study;
    study.factors = {{.name = "gpus", .type = study::FactorType::Integer, .low = 8, .high = 64}};
    study.responses = {{.name = "speed"}};
    study.fixed["ranks_per_node"] = 8.0;
    return study;
}

study::Settings gpus(double count)
{
    return {{"gpus", count}};
}

/// The cell below this heading; empty without such a column.
std::string cellOf(const Table& table, const std::string& heading, std::size_t row)
{
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (table.columns[i].title == heading)
            return formatCell(table.rows[row][i]);
    return "";
}

constexpr const char* kOf59 = "gpus = 59 needs 8 nodes of 8 and leaves 5 of 64 places idle (setting "
                              "ranks_per_node). gpus = 56 or 64 fills whole nodes.";

} // namespace

TEST(NodeFindings, AreSaidOfARecommendedSetting)
{
    const study::Study study = onNodesOfEight();
    EXPECT_EQ(describeIdleRanks(study, gpus(59)), kOf59);
    EXPECT_EQ(describeIdleRanks(study, gpus(56)), "");
    const Standing standing = judgeSetting(study, {}, gpus(59), {});
    EXPECT_EQ(standing.severity, Severity::Amber);
    EXPECT_THAT(standing.reasons, testing::ElementsAre(kOf59));
    EXPECT_EQ(judgeSetting(study, {}, gpus(64), {}).severity, Severity::Green);
}

TEST(NodeFindings, AreOnePerCount)
{
    const auto findings = findIdleRanks(onNodesOfEight(), {gpus(59), gpus(56), gpus(60), gpus(59)});
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].code, "idle-gpus");
    EXPECT_THAT(findings[1].sentence, testing::HasSubstr("gpus = 60 needs 8 nodes of 8 and leaves 4 of 64"));
}

TEST(NodeFindings, AreAColumnOfRankedAndProposedSettings)
{
    const study::Study study = onNodesOfEight();
    const Table ranked = makeSolutionTable(study, {{.settings = gpus(59)}, {.settings = gpus(56)}});
    EXPECT_EQ(cellOf(ranked, "Idle", 0), "5 of 64");
    EXPECT_EQ(cellOf(ranked, "Idle", 1), "0");
    EXPECT_THAT(ranked.note, testing::HasSubstr("on nodes of 8 (setting ranks_per_node)."));
    EXPECT_EQ(cellOf(makeSolutionTable(study, {{.settings = gpus(56)}}), "Idle", 0), "") << "nothing to say";
    const Table next = makeNextRunTable(study, {{.settings = gpus(60)}}, optimize::RunCriterion::Improvement);
    EXPECT_EQ(cellOf(next, "Idle", 0), "4 of 64");
    optimize::RunPlan plan;
    plan.runs = {{.settings = gpus(17)}};
    EXPECT_EQ(cellOf(makePlanTable(study, plan), "Idle", 0), "7 of 24");
}

TEST(NodeFindings, AreSaidOfCountsOfAForecast)
{
    const study::NodeSize node{8, "as chosen"};
    EXPECT_EQ(findIdleCounts({59, 118, 64}, node)->sentence,
              "Part of a node of 8 (as chosen) stays idle with 59 and 118.");
    EXPECT_FALSE(findIdleCounts({4, 8, 64}, node).has_value());
}

} // namespace quadric::report
