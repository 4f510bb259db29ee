// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/canonical.h"
#include "oracle_study.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model::test {
namespace {

void compareCanonical(const Canonical& canonical, const nlohmann::json& expected)
{
    EXPECT_EQ(nameOf(canonical.kind), expected["nature"].get<std::string>());
    expectRelative(canonical.response, expected["predicted_at_stationary"], "response");
    for (Eigen::Index i = 0; i < canonical.point.size(); ++i) {
        const auto row = static_cast<std::size_t>(i);
        expectRelative(canonical.point[i], expected["stationary_coded"][row], "point");
        expectRelative(canonical.actual[row], expected["stationary_actual"][row], "actual");
        expectRelative(canonical.eigenvalues[i], expected["eigenvalues"][row], "eigenvalue");
        for (Eigen::Index j = 0; j < canonical.point.size(); ++j)
            expectRelative(canonical.eigenvectors(i, j),
                           expected["eigenvectors_columns"][row][static_cast<std::size_t>(j)], "eigenvector");
    }
}

/// Each response of the reference files that has a model of second order: its fit, the center of the design
/// and what the file says of it.
template <typename Check> void forSecondOrderFits(Check check)
{
    for (const std::string file : {"01_chemreact_ccd_blocks", "03_codata_3x3_replicated", "04_trebuchet_bbd3",
                                   "05_tire_tread_derringer_suich"}) {
        const nlohmann::json oracle = readOracle(file);
        const study::Study study = studyOf(oracle);
        for (const nlohmann::json& analysis : oracle["analyses"]) {
            const std::string response = analysis["response"];
            SCOPED_TRACE(file + " " + response);
            check(fitResponse(study, response), study::Coding(study.factors).center(), analysis["expected"]);
        }
    }
}

} // namespace

TEST(Canonical, agreesWithRsm)
{
    forSecondOrderFits([](const Fit& fit, const study::CodedPoint& center, const nlohmann::json& expected) {
        const std::optional<Canonical> canonical = canonicalAnalysis(fit, center);
        ASSERT_TRUE(canonical.has_value());
        compareCanonical(*canonical, expected["canonical"]);
    });
}

TEST(Canonical, risingRidgeIsMarked)
{
    const study::Study study = studyOf(readOracle("03_codata_3x3_replicated"));
    const std::optional<Canonical> canonical =
        canonicalAnalysis(fitResponse(study, "y"), study::Coding(study.factors).center());
    ASSERT_TRUE(canonical.has_value());
    EXPECT_TRUE(canonical->isNearRidge);
    EXPECT_FALSE(canonical->isInsideRegion);
}

TEST(Canonical, firstOrderModelsHaveNoStationaryPoint)
{
    const study::Study study = studyOf(readOracle("04_trebuchet_bbd3"));
    const study::CodedPoint center = study::Coding(study.factors).center();
    EXPECT_FALSE(canonicalAnalysis(fitResponse(study, "y", {.model = "linear"}), center).has_value());
    EXPECT_FALSE(canonicalAnalysis(fitResponse(study, "y", {.model = "A_arm_length^2"}), center).has_value());
}

namespace {

void comparePath(const Path& path, const nlohmann::json& expected, const char* predicted)
{
    ASSERT_EQ(path.points.size(), expected.size()) << path.message;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::string what = "point " + std::to_string(i);
        for (std::size_t j = 0; j < path.factors.size(); ++j) {
            expectRelative(path.points[i].point[static_cast<Eigen::Index>(j)], expected[i]["coded"][j], what);
            expectRelative(path.points[i].actual[j], expected[i]["actual"][j], what);
        }
        if (predicted != nullptr)
            expectRelative(path.points[i].prediction.mean, expected[i][predicted], what + " prediction");
        EXPECT_TRUE(path.points[i].prediction.se.has_value());
    }
}

/// A fit of the response that the formula gives on a 3 × 3 grid.
template <typename Truth> Fit exactFit(Truth truth, study::Transform transform = {})
{
    study::Study study = plainStudy({"A", "B"});
    for (const std::vector<study::Value>& point : gridOf(2, {-1, 0, 1}))
        addRun(study, point, truth(std::get<double>(point[0]), std::get<double>(point[1])));
    return fitResponse(study, "y", {.transform = transform});
}

} // namespace

TEST(Paths, agreeWithTheExactConstrainedOptima)
{
    forSecondOrderFits([](const Fit& fit, const study::CodedPoint& center, const nlohmann::json& expected) {
        const std::vector<double> radii = column(expected["ridge_ascent"], "radius");
        comparePath(ridgePath(fit, Direction::Ascent, center, radii), expected["ridge_ascent"], "predicted");
        comparePath(ridgePath(fit, Direction::Descent, center, radii), expected["ridge_descent"],
                    "predicted");
    });
}

TEST(Paths, steepestAscentAgreesWithRsm)
{
    for (const std::string file :
         {"01_chemreact_ccd_blocks", "02_chemreact1_first_order", "03_codata_3x3_replicated",
          "04_trebuchet_bbd3", "05_tire_tread_derringer_suich", "06_paper_2p5_full_3rep",
          "07_filtration_2p4_lenth"}) {
        const nlohmann::json oracle = readOracle(file);
        for (const nlohmann::json& analysis : oracle["analyses"]) {
            if (!analysis["expected"].contains("steepest_ascent_first_order"))
                continue;
            SCOPED_TRACE(file + " " + analysis["response"].get<std::string>());
            const study::Study study = studyOf(oracle);
            const Fit fit = fitResponse(study, analysis["response"].get<std::string>(),
                                        {.model = modelOf(analysis, oracle)});
            const nlohmann::json& path = analysis["expected"]["steepest_ascent_first_order"]["path"];
            const bool isLinear = analysis["model"] == "linear";
            comparePath(steepestPath(fit, Direction::Ascent, study::Coding(study.factors).center(),
                                     column(path, "radius")),
                        path, isLinear ? "predicted_linear_part" : nullptr);
        }
    }
}

// ŷ = 10 − 2A² + B²: no slope at all, the path goes along the axis that rises.
TEST(Paths, ridgeWithoutSlopeFollowsTheCurvature)
{
    const Fit fit = exactFit([](double a, double b) { return 10 - 2 * a * a + b * b; });
    const Path up = ridgePath(fit, Direction::Ascent, study::CodedPoint(Eigen::Vector2d::Zero()), {0, 1, 2});
    ASSERT_EQ(up.points.size(), 3U);
    EXPECT_NEAR(std::abs(up.points[2].point[1]), 2.0, 1e-9);
    EXPECT_NEAR(up.points[2].prediction.mean, 14.0, 1e-9);
    const Path down = ridgePath(fit, Direction::Descent, study::CodedPoint(Eigen::Vector2d::Zero()), {1});
    EXPECT_NEAR(down.points[0].prediction.mean, 8.0, 1e-9);
    EXPECT_FALSE(steepestPath(fit, Direction::Ascent, study::CodedPoint(Eigen::Vector2d::Zero()), {1})
                     .message.empty());
}

// ŷ = A + B²: the slope has no part along the axis that curves most; up to r = ½ the path is the slope's.
TEST(Paths, ridgeBendsAwayWhereTheCurvatureTakesOver)
{
    const Fit fit = exactFit([](double a, double b) { return 5 + a + b * b; });
    const Path up =
        ridgePath(fit, Direction::Ascent, study::CodedPoint(Eigen::Vector2d::Zero()), {0.25, 0.5, 1});
    EXPECT_NEAR(up.points[0].point[0], 0.25, 1e-9);
    EXPECT_NEAR(up.points[1].point[0], 0.5, 1e-6);
    EXPECT_NEAR(up.points[2].point[0], 0.5, 1e-6); // max A + B² on A² + B² = 1 is at A = ½
    EXPECT_NEAR(up.points[2].prediction.mean, 5 + 1.25, 1e-9);
}

// No point of a sphere may be better than the path's: 20,000 directions.
TEST(Paths, ridgeIsTheBestOfTheSphere)
{
    const Fit fit =
        exactFit([](double a, double b) { return 20 + 3 * a - b + 2 * a * b - 3 * a * a + 0.5 * b * b; });
    for (const double radius : {0.3, 1.0, 1.7}) {
        const Path path =
            ridgePath(fit, Direction::Ascent, study::CodedPoint(Eigen::Vector2d::Zero()), {radius});
        double best = -1e300;
        for (int i = 0; i < 20000; ++i) {
            const double angle = 2 * M_PI * i / 20000;
            best = std::max(best, predictMean(fit, study::CodedPoint(Eigen::Vector2d(
                                                       radius * std::cos(angle), radius * std::sin(angle)))));
        }
        EXPECT_NEAR(path.points[0].prediction.mean, best, 1e-6);
        EXPECT_GE(path.points[0].prediction.mean, best - 1e-9);
    }
}

TEST(Paths, ascentIsAscentUnderAnInverseTransformToo)
{
    const Fit fit = exactFit([](double a, double b) { return 1 / (5 + a + 0.5 * b); },
                             {study::TransformKind::Inverse, 1.0});
    const study::CodedPoint center(Eigen::Vector2d::Zero());
    for (const Path& path : {ridgePath(fit, Direction::Ascent, center, {0, 1}),
                             steepestPath(fit, Direction::Ascent, center, {0, 1})})
        EXPECT_GT(path.points[1].prediction.mean, path.points[0].prediction.mean);
}

TEST(Paths, sayWhyThereIsNone)
{
    const Fit cubic = [] {
        study::Study study = plainStudy({"A"});
        for (const double a : {-1.0, -0.5, 0.0, 0.5, 1.0})
            addRun(study, {a}, a * a * a);
        return fitResponse(study, "y", {.model = "A^3"});
    }();
    const study::CodedPoint center(Eigen::VectorXd::Zero(1));
    EXPECT_NE(ridgePath(cubic, Direction::Ascent, center, {1}).message.find("third or higher"),
              std::string::npos);
    EXPECT_FALSE(steepestPath(Fit{}, Direction::Ascent, center, {1}).points.size() > 0);
}

TEST(Paths, evenRadii)
{
    EXPECT_EQ(evenRadii(1.0, 0.25), (std::vector<double>{0, 0.25, 0.5, 0.75, 1.0}));
}
} // namespace quadric::model::test

namespace quadric::model {
namespace {

study::Study studyOf(const std::vector<std::vector<double>>& settings, const std::vector<double>& y)
{
    study::Study study;
    for (std::size_t i = 0; i < settings.size(); ++i) {
        study::Factor factor;
        factor.name = std::string(1, static_cast<char>('A' + i));
        factor.low = -1.0;
        factor.high = 1.0;
        study.factors.push_back(factor);
    }
    study::Response response;
    response.name = "y";
    study.responses = {response};
    for (std::size_t r = 0; r < y.size(); ++r) {
        study::Run run;
        run.id = static_cast<int>(r) + 1;
        for (std::size_t i = 0; i < settings.size(); ++i)
            run.settings[study.factors[i].name] = settings[i][r];
        run.status = study::RunStatus::Done;
        run.results["y"] = y[r];
        study.runs.push_back(run);
    }
    return study;
}

study::Study threeByThree()
{
    return studyOf({{-1, 0, 1, -1, 0, 1, -1, 0, 1}, {-1, -1, -1, 0, 0, 0, 1, 1, 1}},
                   {10.2, 14.1, 11.9, 15.8, 19.7, 16.6, 12.1, 17.2, 15.3});
}

// Known answer of R 4.2.2: confint() of lm() in the rotated axes.
TEST(Canonical, EigenvaluesHaveTheIntervalsOfTheRotatedRegression)
{
    const study::Study study = threeByThree();
    const Fit fit = fitResponse(study, "y");
    const study::CodedPoint center = study::Coding(study.factors).center();
    const auto intervals = eigenvalueIntervals(fit, canonicalAnalysis(fit, center).value(), center);
    ASSERT_EQ(intervals.size(), 2U);
    EXPECT_NEAR(intervals[0].low, -4.51010906592, 1e-9);
    EXPECT_NEAR(intervals[0].high, -2.07421458629, 1e-9);
    EXPECT_NEAR(intervals[1].low, -5.17578541371, 1e-9);
    EXPECT_NEAR(intervals[1].high, -2.73989093408, 1e-9);
    EXPECT_TRUE(isKindCertain(intervals));
    EXPECT_FALSE(isKindCertain({{-1.0, 0.5}}));
}

} // namespace
} // namespace quadric::model
