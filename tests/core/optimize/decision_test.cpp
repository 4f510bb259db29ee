// SPDX-License-Identifier: GPL-3.0-or-later
// What surrounds an optimum: other solutions, limits on extrapolation, the price of a fixed factor, the pull
// of weights and limits.
#include "core/optimize/answer/fixed_cost.h"
#include "core/optimize/answer/sensitivity.h"
#include "core/study/space/constraint.h"

#include "fixtures.h"

#include <gtest/gtest.h>

namespace quadric::optimize {
namespace {

/// All legal settings of the scaling study, with batch and compression thinned out.
template <class Visit> void visitSettings(double step, Visit visit)
{
    for (double gpus = 8; gpus <= 64; gpus += 8)
        for (double batch = 32; batch <= 256; batch += step)
            for (double compression = 0; compression <= 90; compression += step)
                visit(study::Settings{
                    {"gpu_count", gpus}, {"batch_per_gpu", batch}, {"gradient_compression", compression}});
}

TEST(Solutions, AreRankedDistinctAndLegal)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    OptimizeOptions options;
    options.solutions = 8;
    const Optimum optimum = findOptimum(fitted.study, fitted.fits, options);
    ASSERT_EQ(optimum.solutions.size(), 8U);
    EXPECT_EQ(optimum.solutions.front().settings, optimum.settings);
    EXPECT_TRUE(optimum.solutions.front().isOptimum);
    for (std::size_t i = 0; i < optimum.solutions.size(); ++i) {
        const Solution& a = optimum.solutions[i];
        EXPECT_TRUE(study::isLegal(fitted.study, a.settings));
        EXPECT_NEAR(a.overall, assess(fitted.study, fitted.fits, a.settings).overall, 1e-12);
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(optimum.solutions[j].settings, a.settings);
            EXPECT_GE(optimum.solutions[j].overall, a.overall);
        }
    }
}

/// y = a² over −1…1 without its middle has two peaks; both must be listed as optima.
TEST(Solutions, ListEveryPeak)
{
    const Fitted fitted = overSquare({0.5, 0.1, 0.0, 0.0, 1.0, -0.5});
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    EXPECT_TRUE(optimum.isProven);
    int peaks = 0;
    for (const Solution& solution : optimum.solutions)
        peaks += solution.isOptimum && std::abs(study::numberOf(solution.settings.at("b"))) < 1e-4 ? 1 : 0;
    EXPECT_EQ(peaks, 2);
    EXPECT_NEAR(optimum.overall, 0.8, 1e-9);
}

TEST(Extrapolation, NearRunsIsTheBestOfAllSettingsThatAreNone)
{
    const Fitted fitted = scalingStudy();
    OptimizeOptions options;
    options.staysNearRuns = true;
    const Optimum near = findOptimum(fitted.study, fitted.fits, options);
    ASSERT_TRUE(near.isOk()) << near.message;
    EXPECT_FALSE(isExtrapolation(near));
    EXPECT_LT(near.overall, findOptimum(fitted.study, fitted.fits).overall);
    visitSettings(8.0, [&](const study::Settings& settings) {
        const Optimum there = assess(fitted.study, fitted.fits, settings);
        if (!isExtrapolation(there)) {
            EXPECT_LE(there.overall, near.overall + 1e-9);
        }
    });
}

TEST(Extrapolation, LeverageIsKeptBelowWhatIsAsked)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    for (const double limit : {0.3, 0.5}) {
        OptimizeOptions options;
        options.region = {RegionKind::Cube, 1.6};
        options.maxLeverage = limit;
        const Optimum optimum = findOptimum(fitted.study, fitted.fits, options);
        ASSERT_TRUE(optimum.isOk()) << optimum.message;
        for (const ResponseAtOptimum& row : optimum.responses)
            EXPECT_LE(row.predicted.leverage, limit * (1.0 + 1e-8));
        const study::Coding coding(fitted.study.factors);
        for (double a = -1.6; a <= 1.6; a += 0.1)
            for (double b = -1.6; b <= 1.6; b += 0.1)
                for (double c = -1.6; c <= 1.6; c += 0.1) {
                    const study::CodedPoint point(Eigen::Vector3d(a, b, c));
                    if (overallAt(fitted, point) > optimum.overall + 1e-6) {
                        EXPECT_GT(model::predict(fitted.fits[0], point).leverage, limit);
                    }
                }
    }
}

/// Against complete enumeration with the factor held.
TEST(FixedCost, AgreesWithEnumeration)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    const FixedCost cost = costOfFixing(fitted.study, fitted.fits, "gpu_count", 32.0);
    ASSERT_TRUE(cost.isOk()) << cost.held.message;
    double best = 0.0;
    visitSettings(1.0, [&](const study::Settings& settings) {
        if (study::numberOf(settings.at("gpu_count")) == 32.0 && study::isLegal(fitted.study, settings))
            best = std::max(best, overallAt(fitted, study::Coding(fitted.study.factors).toCoded(settings)));
    });
    EXPECT_NEAR(cost.held.overall, best, 1e-12);
    EXPECT_NEAR(cost.overall, cost.free.overall - best, 1e-12);
    EXPECT_EQ(cost.held.settings.at("gpu_count"), study::Value(32.0));
    const std::vector<FixedCost> curve = costCurve(fitted.study, fitted.fits, "gpu_count");
    ASSERT_EQ(curve.size(), 8U);
    EXPECT_NEAR(curve[3].overall, cost.overall, 1e-12);
    for (const FixedCost& point : curve)
        EXPECT_GE(point.overall, 0.0);
}

TEST(FixedCost, SaysWhyAValueCannotBeHeld)
{
    const Fitted fitted = scalingStudy();
    const FixedCost cost = costOfFixing(fitted.study, fitted.fits, "gpu_count", 33.0);
    EXPECT_FALSE(cost.isOk());
    EXPECT_NE(cost.held.message.find("gpu_count"), std::string::npos);
}

/// Weights: by the envelope theorem dD/dw = D (log d − log D)/Σw; all steps against a search from nothing.
TEST(Sensitivity, FollowsTheEnvelopeAndTheSearch)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    const Fitted fitted = tireTread(file, file.at("desirability").at("scenarios").at(0));
    const Optimum optimum = findOptimum(fitted.study, fitted.fits);
    const std::vector<GoalSensitivity> rows = sensitivityOf(fitted.study, fitted.fits, optimum);
    double weights = 0.0;
    for (const study::Response& response : fitted.study.responses)
        weights += response.goal == study::Goal::None ? 0.0 : response.weight;
    ASSERT_GE(rows.size(), 12U);
    for (const GoalSensitivity& row : rows) {
        SCOPED_TRACE(row.response + " " + std::string(nameOf(row.parameter)));
        for (const double sign : {-1.0, 1.0}) {
            study::Study changed = fitted.study;
            study::Response& response =
                *std::find_if(changed.responses.begin(), changed.responses.end(),
                              [&](const study::Response& r) { return r.name == row.response; });
            const double value = row.value + sign * row.step;
            if (row.parameter == GoalParameter::Weight)
                response.weight = value;
            else if (row.parameter == GoalParameter::Target)
                response.target = value;
            else
                (row.parameter == GoalParameter::Low ? response.low : response.high) = value;
            EXPECT_NEAR(sign < 0 ? row.overallBelow : row.overallAbove,
                        findOptimum(changed, fitted.fits).overall, 1e-7);
        }
        if (row.parameter != GoalParameter::Weight)
            continue;
        const auto at = std::find_if(optimum.responses.begin(), optimum.responses.end(),
                                     [&](const ResponseAtOptimum& r) { return r.response == row.response; });
        const double exact =
            optimum.overall * (std::log(at->desirability) - std::log(optimum.overall)) / weights;
        EXPECT_NEAR(row.slope, exact, 1e-6);
        EXPECT_NEAR(row.slope, (row.overallAbove - row.overallBelow) / (2.0 * row.step), 5e-3);
    }
}

} // namespace
} // namespace quadric::optimize
