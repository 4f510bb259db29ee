// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"

#include <boost/math/distributions/cauchy.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace quadric::plan {
namespace {

/// y = 10, 13, 13, 16 at x = −1, −1, 1, 1: at 0 a new run is 13 ± t(2) √(4.5 × 1.25). The speed is
/// 100 + 10x, the energy 50 + 20x without error.
study::Study costStudy()
{
    study::Study study;
    study.factors = {{.name = "x", .low = -1.0, .high = 1.0}};
    study.responses = {{.name = "t", .unit = "min", .goal = study::Goal::None},
                       {.name = "speed", .unit = "img/s", .goal = study::Goal::Maximize},
                       {.name = "energy", .unit = "J/img", .goal = study::Goal::Minimize}};
    for (const auto& [x, y] : {std::pair(-1.0, 10.0), {-1.0, 13.0}, {1.0, 13.0}, {1.0, 16.0}}) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        run.settings = {{"x", x}};
        run.status = study::RunStatus::Done;
        run.results = {{"t", y}, {"speed", 100 + 10 * x}, {"energy", 50 + 20 * x}};
        study.runs.push_back(run);
    }
    return study;
}

TEST(Cost, IsThatOfTheTime)
{
    const study::Study study = costStudy();
    const model::Fit fit = model::fitResponse(study, "t", {.model = "linear"});
    const study::CodedPoint point = study::Coding(fit.factors).toCoded({{"x", 0.0}});
    const RunTime time(fit, {WorkKind::PerUnit, 60.0, 0.0, 60.0}, point); // 60 epochs of 13 min: 13 h
    const RunCost cost = costOf(time, {.gpus = 8, .wattsPerGpu = 500.0}, {2.0, 0.3, 7.0});
    const double half = boost::math::quantile(boost::math::students_t(2), 0.975) * std::sqrt(4.5 * 1.25);
    EXPECT_NEAR(cost.seconds.value, 13 * 3600.0, 1e-6);
    EXPECT_NEAR(cost.kilowattHours.value, 13 * 4.0, 1e-9);
    EXPECT_NEAR(cost.money.value, 7.0 + 13 * 16.0 + 52 * 0.3, 1e-9);
    EXPECT_NEAR(cost.money.high, 7.0 + (13 + half) * (16.0 + 4.0 * 0.3), 1e-6);
    EXPECT_NEAR(cost.money.low, 7.0 + (13 - half) * (16.0 + 4.0 * 0.3), 1e-6);
}

/// Time and energy are one distribution here: with correlation 1 the cost is that of the time alone.
TEST(Cost, AddsMeasuredEnergy)
{
    const study::Study study = costStudy();
    const model::Fit fit = model::fitResponse(study, "t", {.model = "linear"});
    const study::CodedPoint point = study::Coding(fit.factors).toCoded({{"x", 0.0}});
    const RunTime time(fit, {WorkKind::PerUnit, 60.0, 0.0, 60.0}, point);
    const RunTime joules(fit, {WorkKind::PerUnit, 60.0, 0.0, 60.0 * 4000.0}, point); // 4 kW
    const JointErrors errors(time.df(), joules.df(), 1.0);
    const RunCost cost = costOf(time, {.gpus = 8, .joules = &joules, .errors = &errors}, {2.0, 0.3, 7.0});
    const RunCost known = costOf(time, {.gpus = 8, .wattsPerGpu = 500.0}, {2.0, 0.3, 7.0});
    EXPECT_NEAR(cost.kilowattHours.high, known.kilowattHours.high, 1e-9);
    EXPECT_NEAR(cost.money.value, known.money.value, 0.001 * known.money.value);
    EXPECT_NEAR(cost.money.high, known.money.high, 0.005 * known.money.high);
}

double quantileOfSum(const JointErrors& errors, double a, double b, double share)
{
    std::vector<double> sums;
    for (const auto& [first, second] : errors.pairs())
        sums.push_back(a * first + b * second);
    std::ranges::sort(sums);
    return sums[static_cast<std::size_t>(share * static_cast<double>(sums.size()))];
}

/// The sum of normal values is normal with variance a² + b² + 2ρab; the sum of independent Cauchy values (one
/// degree of freedom) is a Cauchy value a + b times as wide.
TEST(JointErrors, AddUpAsTheirDistributions)
{
    for (const double correlation : {-0.8, -0.3, 0.0, 0.5, 0.95}) {
        const JointErrors normal(1e6, 1e6, correlation);
        for (const double b : {0.2, 1.0, 3.0}) {
            const double sd = std::sqrt(1.0 + b * b + 2.0 * correlation * b);
            for (const double share : {0.025, 0.5, 0.9, 0.975})
                EXPECT_NEAR(quantileOfSum(normal, 1.0, b, share) / sd,
                            boost::math::quantile(boost::math::normal(), share), 0.02)
                    << correlation << ' ' << b << ' ' << share;
        }
    }
    EXPECT_NEAR(quantileOfSum(JointErrors(1.0, 1.0, 0.0), 1.0, 2.0, 0.95) / 3.0,
                boost::math::quantile(boost::math::cauchy(), 0.95), 0.15);
    EXPECT_NEAR(quantileOfSum(JointErrors(3.0, 7.0, 0.0), 1.0, 0.0, 0.975),
                boost::math::quantile(boost::math::students_t(3), 0.975), 0.01);
    EXPECT_NEAR(quantileOfSum(JointErrors(3.0, 7.0, 0.6), 0.0, 1.0, 0.975),
                boost::math::quantile(boost::math::students_t(7), 0.975), 0.02);
}

/// At most 5 % below 110 is 104.5, which is reached at x = 0.45, with 59 J.
TEST(Cost, IsLeastWithinALimit)
{
    const study::Study study = costStudy();
    const std::vector<model::Fit> fits = {model::fitResponse(study, "speed", {.model = "linear"}),
                                          model::fitResponse(study, "energy", {.model = "linear"})};
    const LimitedBest found = findLimitedBest(study, fits, "speed", 0.05, "energy");
    ASSERT_TRUE(found.optimum.isOk()) << found.optimum.message;
    EXPECT_NEAR(found.limit, 104.5, 1e-6);
    EXPECT_NEAR(std::get<double>(found.optimum.settings.at("x")), 0.45, 1e-3);
    EXPECT_GE(found.optimum.responses.at(0).predicted.mean, 104.499);
}

} // namespace
} // namespace quadric::plan
