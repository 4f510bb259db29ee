// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/curves.h"
#include "oracle_study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace quadric::model::test {
namespace {

using testing::DoubleNear;

/// y = 10 + 2A − B + 3AB + C² with a little noise at the corners, twice at the center, and at the axial
/// points ±1.5.
study::Study composite()
{
    study::Study study = plainStudy({"A", "B", "C"});
    std::vector<std::vector<study::Value>> points = gridOf(3, {-1, 1});
    points.push_back({0.0, 0.0, 0.0});
    points.push_back({0.0, 0.0, 0.0});
    for (std::size_t i = 0; i < 3; ++i) {
        for (const double alpha : {-1.5, 1.5}) {
            points.push_back({0.0, 0.0, 0.0});
            points.back()[i] = alpha;
        }
    }
    for (const std::vector<study::Value>& point : points) {
        const double a = std::get<double>(point[0]), b = std::get<double>(point[1]),
                     c = std::get<double>(point[2]);
        addRun(study, point, 10 + 2 * a - b + 3 * a * b + c * c + 0.01 * std::sin(40.0 * a + 7 * b + 3 * c));
    }
    study.runs[9].results["y"] += 0.001;
    return study;
}

study::CodedPoint center()
{
    return study::CodedPoint(Eigen::Vector3d::Zero());
}

} // namespace

TEST(Curves, interactionLinesAreTheModelAtTheLevelsOfTheSecondFactor)
{
    const study::Study study = composite();
    const Fit fit = fitResponse(study, "y");
    const InteractionPlot plot = interactionPlot(fit, study, 0, 1, center(), 5);
    ASSERT_EQ(plot.lines.size(), 2U);
    EXPECT_EQ(plot.lines[0].level, "B = -1");
    EXPECT_EQ(plot.lines[1].level, "B = 1");
    for (const InteractionLine& line : plot.lines) {
        for (std::size_t i = 0; i < 5; ++i) {
            const double a = -1 + 0.5 * static_cast<double>(i);
            EXPECT_NEAR(line.curve.mean[i], 10 + 2 * a - line.coded + 3 * a * line.coded, 0.05);
            EXPECT_LT(line.curve.low[i], line.curve.mean[i]);
        }
        // Runs with B at its level stand at A = ±1 (corners) only.
        EXPECT_THAT(line.curve.adjustedAt, testing::ElementsAre(-1, 1));
        // They have C = ±1, the line C = 0: without the 1 that C² adds there.
        EXPECT_NEAR(line.curve.adjustedMean[1], 10 + 2 - line.coded + 3 * line.coded, 0.05);
    }
    EXPECT_TRUE(interactionPlot(fit, study, 0, 0, center()).lines.empty());
}

TEST(Curves, interactionOfCategoricalFactorsHasALinePerLevel)
{
    study::Study study = plainStudy({"A", "kind"});
    study.factors[1].type = study::FactorType::Categorical;
    study.factors[1].categories = {"x", "y", "z"};
    for (const double a : {-1.0, 0.0, 1.0}) {
        addRun(study, {a, std::string("x")}, 1 + a);
        addRun(study, {a, std::string("y")}, 2 - a);
        addRun(study, {a, std::string("z")}, 5);
    }
    const Fit fit = fitResponse(study, "y", {.model = "interactions"});
    const InteractionPlot plot =
        interactionPlot(fit, study, 0, 1, study::CodedPoint(Eigen::Vector2d::Zero()), 3);
    ASSERT_EQ(plot.lines.size(), 3U);
    EXPECT_EQ(plot.lines[1].level, "kind = y");
    EXPECT_NEAR(plot.lines[1].curve.mean[2], 1.0, 1e-9);
    ASSERT_EQ(plot.lines[1].curve.adjustedMean.size(), 3U);
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(plot.lines[1].curve.adjustedMean[static_cast<std::size_t>(i)], 3 - i, 1e-9);
}

TEST(Curves, perturbationGoesThroughTheChosenPoint)
{
    const study::Study study = composite();
    const Fit fit = fitResponse(study, "y");
    const study::CodedPoint at(Eigen::Vector3d(0.5, -1, 0));
    const std::vector<PerturbationCurve> curves = perturbationPlot(fit, at, 5);
    ASSERT_EQ(curves.size(), 3U);
    for (const PerturbationCurve& curve : curves) {
        EXPECT_EQ(curve.mean.size(), 5U);
        for (std::size_t i = 0; i < curve.coded.size(); ++i) {
            if (curve.coded[i] == 0.0) {
                EXPECT_NEAR(curve.mean[i], predictMean(fit, at), 1e-12) << curve.factor;
            }
        }
    }
    EXPECT_THAT(curves[0].coded,
                testing::Pointwise(DoubleNear(1e-12), std::vector<double>{-1.5, -1, -0.5, 0, 0.5}));
    EXPECT_THAT(curves[1].coded,
                testing::Pointwise(DoubleNear(1e-12), std::vector<double>{0, 0.5, 1, 1.5, 2}));
}

TEST(Curves, curvesReachTheAxialRunsWhenAsked)
{
    const study::Study study = composite();
    const Fit fit = fitResponse(study, "y");
    const EffectCurve region = effectCurve(fit, study, 2, center(), 3);
    const EffectCurve runs = effectCurve(fit, study, 2, center(), 3, Span::Runs);
    EXPECT_THAT(region.actual, testing::ElementsAre(-1, 0, 1));
    EXPECT_THAT(runs.actual, testing::Pointwise(DoubleNear(1e-12), std::vector<double>{-1.5, 0, 1.5}));
    EXPECT_NEAR(runs.mean[2], 10 + 2.25, 0.05);
    EXPECT_FALSE(runs.isExtrapolation[2]);
    const SurfaceGrid grid = surfaceGrid(fit, study, 0, 2, center(), 4, Span::Runs);
    EXPECT_NEAR(grid.x.front(), -1.5, 1e-12);
    EXPECT_TRUE(grid.isExtrapolation(0, 0)); // A and C both at −1.5: no run is out there
}

TEST(Curves, surfaceHasTheIntervalOfPredict)
{
    const study::Study study = composite();
    for (const study::TransformKind kind : {study::TransformKind::None, study::TransformKind::Log}) {
        const Fit fit = fitResponse(study, "y", {.transform = study::Transform{kind}});
        const SurfaceGrid grid = surfaceGrid(fit, study, 0, 1, center(), 5);
        for (Eigen::Index i = 0; i < 5; ++i) {
            for (Eigen::Index j = 0; j < 5; ++j) {
                study::CodedPoint point = center();
                point[0] = grid.x[static_cast<std::size_t>(i)];
                point[1] = grid.y[static_cast<std::size_t>(j)];
                const Prediction prediction = predict(fit, point);
                EXPECT_NEAR(grid.low(i, j), prediction.confidence->low, 1e-9);
                EXPECT_NEAR(grid.high(i, j), prediction.confidence->high, 1e-9);
                EXPECT_EQ(grid.isExtrapolation(i, j), prediction.isExtrapolation);
            }
        }
    }
}

TEST(Curves, surfaceAndCubeHaveTheConstraints)
{
    study::Study study = composite();
    study.constraints = {"A + B <= 0.5", "C > -2"};
    const Fit fit = fitResponse(study, "y");
    const SurfaceGrid grid = surfaceGrid(fit, study, 0, 1, center(), 9, Span::Runs);
    for (Eigen::Index i = 0; i < 9; ++i)
        for (Eigen::Index j = 0; j < 9; ++j)
            EXPECT_EQ(grid.feasible.isFeasible(i, j),
                      grid.x[static_cast<std::size_t>(i)] + grid.y[static_cast<std::size_t>(j)] <= 0.5);
    EXPECT_EQ(grid.feasible.reason(1.0, 0.25), "A + B = 1.25 > 0.5");
    for (const CubeCorner& corner : cubePlot(fit, study, {0, 1, 2}, center()).corners)
        EXPECT_EQ(corner.violation, corner.coded[0] > 0 && corner.coded[1] > 0 ? "A + B = 2 > 0.5" : "");
}

TEST(Curves, cubeHasPredictionsAndMeansAtTheCorners)
{
    const study::Study study = composite();
    const Fit fit = fitResponse(study, "y");
    const CubePlot plot = cubePlot(fit, study, {0, 1, 2}, center());
    ASSERT_EQ(plot.corners.size(), 8U);
    for (const CubeCorner& corner : plot.corners) {
        const double expected =
            10 + 2 * corner.coded[0] - corner.coded[1] + 3 * corner.coded[0] * corner.coded[1] + 1;
        EXPECT_NEAR(corner.prediction.mean, expected, 0.05);
        EXPECT_NEAR(corner.adjusted.value(), expected, 0.05);
    }
    EXPECT_EQ(plot.corners[1].coded, (std::array<double, 3>{1, -1, -1}));
    EXPECT_THROW(cubePlot(fit, study, {0, 0, 2}, center()), std::invalid_argument);
    EXPECT_THROW(cubePlot(fit, study, {0, 1, 7}, center()), std::invalid_argument);
}

TEST(Curves, halfNormalPlotAgreesWithTheReference)
{
    const nlohmann::json oracle = readOracle("07_filtration_2p4_lenth");
    const nlohmann::json& expected = oracle["analyses"][0]["expected"];
    const HalfNormalPlot plot =
        halfNormalPlot(fitResponse(studyOf(oracle), "filtration", {.model = ourTerm("A:B:C:D", oracle)}));
    const nlohmann::json& scores = expected["half_normal"];
    ASSERT_EQ(plot.points.size(), scores["order"].size());
    for (std::size_t i = 0; i < plot.points.size(); ++i) {
        EXPECT_EQ(plot.points[i].label, ourTerm(scores["order"][i], oracle));
        EXPECT_NEAR(plot.points[i].value, scores["abs_effect"][i].get<double>(), 1e-10);
        EXPECT_NEAR(plot.points[i].score, scores["score"][i].get<double>(), 1e-10);
    }
    EXPECT_NEAR(plot.slope.value(), expected["pse"].get<double>(), 1e-10);
    EXPECT_NEAR(plot.marginOfError.value(), expected["me"].get<double>(), 1e-8);
    EXPECT_NEAR(plot.simultaneous.value(), expected["sme"].get<double>(), 1e-8);
    std::vector<std::string> active;
    for (const ScorePoint& point : plot.points) {
        if (point.isActive)
            active.push_back(point.label);
    }
    std::vector<std::string> wanted;
    for (const std::string term : expected["active_me"])
        wanted.push_back(ourTerm(term, oracle));
    EXPECT_THAT(active, testing::UnorderedElementsAreArray(wanted));
}

TEST(Curves, normalPlotOfTheResiduals)
{
    const study::Study study = composite();
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    const NormalPlot plot = normalPlot(fit);
    ASSERT_EQ(plot.points.size(), 16U);
    EXPECT_TRUE(plot.isStudentized);
    EXPECT_NEAR(plot.points[0].score, -1.8627318674216515, 1e-12); // Φ⁻¹(1/32)
    EXPECT_NEAR(plot.points[0].score, -plot.points[15].score, 1e-12);
    for (std::size_t i = 1; i < plot.points.size(); ++i)
        EXPECT_LE(plot.points[i - 1].value, plot.points[i].value);
    const auto inPlot = [&](const Diagnostic& d) {
        return std::ranges::any_of(plot.points, [&](const ScorePoint& point) {
            return point.run == d.run && point.value == *d.internallyStudentized;
        });
    };
    EXPECT_TRUE(std::ranges::all_of(fit.diagnostics, inPlot));
}

TEST(Curves, orderPlotIsInOrderAndHasTheDriftLine)
{
    study::Study study = composite();
    for (study::Run& run : study.runs)
        run.order = 17 - run.id;
    const Fit fit = fitResponse(study, "y", {.model = "linear"});
    const OrderPlot plot = orderPlot(fit);
    EXPECT_EQ(plot.runs.front(), 16);
    EXPECT_EQ(plot.orders.front(), 1);
    const double slope = (plot.driftHigh.value() - plot.driftLow.value()) / 15;
    EXPECT_NEAR(slope * fit.sigma, fit.residualChecks.driftSlope.value(), 1e-12);
    EXPECT_NEAR(plot.driftHigh.value(), -plot.driftLow.value(), 1e-12);
}

// Known answers: quantile(), sd(), mean() and range() of R 4.2.2.

namespace {

/// A study of one numeric factor x and one categorical factor p with these runs.
study::Study studyOf(const std::vector<std::pair<double, double>>& runs)
{
    study::Study study;
    study::Factor x;
    x.name = "x";
    x.low = 0.0;
    x.high = 100.0;
    study::Factor p;
    p.name = "p";
    p.type = study::FactorType::Categorical;
    p.categories = {"fp32", "bf16", "fp8"};
    study.factors = {x, p};
    study::Response y;
    y.name = "y";
    study.responses = {y};
    for (const auto& [at, value] : runs) {
        study::Run run;
        run.id = static_cast<int>(study.runs.size()) + 1;
        run.settings = {{"x", at}, {"p", std::string(run.id % 2 == 0 ? "fp8" : "fp32")}};
        run.status = study::RunStatus::Done;
        run.results["y"] = value;
        study.runs.push_back(run);
    }
    return study;
}

TEST(LevelSummaryTest, BoxAndMomentsAreThoseOfR)
{
    const study::Study study = studyOf({{10, 1663.1},
                                        {10, 16643.6},
                                        {10, 11499.3},
                                        {10, 14857.1},
                                        {10, 12000.5},
                                        {10, 99000},
                                        {10, 11800.2}});
    const LevelSummary summary = summarizeLevels(study, study.responses[0], 0);
    ASSERT_EQ(summary.groups.size(), 1U);
    const LevelGroup& group = summary.groups[0];
    EXPECT_EQ(group.level, "10");
    EXPECT_DOUBLE_EQ(group.box.lowerQuartile, 11649.75);
    EXPECT_DOUBLE_EQ(group.box.median, 12000.5);
    EXPECT_DOUBLE_EQ(group.box.upperQuartile, 15750.35);
    EXPECT_DOUBLE_EQ(group.box.lowerWhisker, 11499.3);
    EXPECT_DOUBLE_EQ(group.box.upperWhisker, 16643.6);
    EXPECT_NEAR(group.mean, 23923.4, 1e-9);
    EXPECT_NEAR(group.sd.value(), 33443.22525, 1e-5);
    EXPECT_EQ(group.smallest, 1663.1);
    EXPECT_EQ(group.largest, 99000);
}

TEST(LevelSummaryTest, OneRunHasNoStandardDeviation)
{
    const study::Study study = studyOf({{10, 5.0}});
    const LevelGroup group = summarizeLevels(study, study.responses[0], 0).groups.at(0);
    EXPECT_FALSE(group.sd.has_value());
    EXPECT_EQ(group.box.lowerWhisker, 5.0);
    EXPECT_EQ(group.box.upperQuartile, 5.0);
}

TEST(LevelSummaryTest, CategoriesKeepTheirOrderAndThoseWithoutRunsAreLeftOut)
{
    const study::Study study = studyOf({{10, 1}, {20, 2}, {30, 3}});
    const LevelSummary summary = summarizeLevels(study, study.responses[0], 1);
    ASSERT_EQ(summary.groups.size(), 2U);
    EXPECT_EQ(summary.groups[0].level, "fp32");
    EXPECT_EQ(summary.groups[0].runs, (std::vector{1, 3}));
    EXPECT_EQ(summary.groups[1].level, "fp8");
}

TEST(LevelSummaryTest, RunsThatNoModelIsFittedToAreLeftOut)
{
    study::Study study = studyOf({{10, 1}, {10, 2}, {10, 3}, {10, 4}});
    study.runs[0].status = study::RunStatus::Excluded;
    study.runs[1].kind = study::RunKind::Confirmation;
    study.runs[2].status = study::RunStatus::Failed;
    const LevelSummary summary = summarizeLevels(study, study.responses[0], 0);
    ASSERT_EQ(summary.groups.size(), 1U);
    EXPECT_EQ(summary.groups[0].runs, std::vector{4});
}

TEST(LevelSummaryTest, ManyLevelsAreGroupedIntoRangesOfEqualNumbers)
{
    std::vector<std::pair<double, double>> runs(23);
    for (std::size_t i = 0; i < runs.size(); ++i)
        runs[i] = {4.0 * static_cast<double>((i * 7) % 23), static_cast<double>(i)};
    const study::Study study = studyOf(runs);
    const LevelSummary summary = summarizeLevels(study, study.responses[0], 0);
    EXPECT_TRUE(summary.isGrouped);
    EXPECT_EQ(summary.testedLevels, 23);
    ASSERT_EQ(summary.groups.size(), 5U);
    std::size_t total = 0;
    double last = -1.0;
    for (const LevelGroup& group : summary.groups) {
        EXPECT_NEAR(static_cast<double>(group.values.size()), 4.6, 1.0);
        EXPECT_GT(group.low, last);
        last = group.high;
        total += group.values.size();
    }
    EXPECT_EQ(total, runs.size());
    EXPECT_EQ(summary.groups[0].level, "0–16");
}

TEST(LevelSummaryTest, RunsOfOneLevelStayTogetherInARange)
{
    std::vector<std::pair<double, double>> runs(30, {50.0, 1.0});
    for (int i = 0; i < 9; ++i)
        runs.emplace_back(10.0 * i, 2.0);
    const study::Study study = studyOf(runs);
    for (const LevelGroup& group : summarizeLevels(study, study.responses[0], 0).groups) {
        if (group.low <= 50.0 && group.high >= 50.0) {
            EXPECT_GE(group.values.size(), 31U);
        }
    }
}

} // namespace
} // namespace quadric::model::test
