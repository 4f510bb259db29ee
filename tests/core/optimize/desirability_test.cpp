// SPDX-License-Identifier: GPL-3.0-or-later
#include "fixtures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace quadric::optimize {
namespace {

model::Fit observed(double smallest, double largest)
{
    model::Fit fit;
    fit.smallestObserved = smallest;
    fit.largestObserved = largest;
    return fit;
}

TEST(Desirability, FollowsTheReferenceAlongEachResponse)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    for (const auto& scenario : file.at("desirability").at("scenarios")) {
        const Fitted fitted = tireTread(file, scenario);
        for (const auto& sweep : scenario.at("d_sweep")) {
            const study::Response* response =
                study::findResponse(fitted.study, sweep.at("response").get<std::string>());
            ASSERT_NE(response, nullptr);
            const Desirability desirability = desirabilityOf(*response, fitted.fits.front());
            for (std::size_t i = 0; i < sweep.at("value").size(); ++i)
                EXPECT_NEAR(valueOf(desirability, sweep.at("value").at(i)), sweep.at("d").at(i).get<double>(),
                            1e-12)
                    << scenario.at("name") << " " << response->name << " " << sweep.at("value").at(i);
        }
    }
}

TEST(Desirability, OverallFollowsTheReference)
{
    const auto file = reference("05_tire_tread_derringer_suich");
    for (const auto& scenario : file.at("desirability").at("scenarios")) {
        const Fitted fitted = tireTread(file, scenario);
        for (const auto& entry : scenario.at("evaluations")) {
            study::Settings settings;
            for (std::size_t i = 0; i < 3; ++i)
                settings[fitted.study.factors[i].name] = entry.at("actual").at(i).get<double>();
            EXPECT_NEAR(assess(fitted.study, fitted.fits, settings).overall,
                        entry.at("overall_weighted").get<double>(), 1e-6)
                << scenario.at("name");
        }
    }
}

TEST(Desirability, LimitsDefaultToTheObservedRange)
{
    study::Response response;
    const Desirability both = desirabilityOf(response, observed(3.0, 9.0));
    EXPECT_EQ(both.low, 3.0);
    EXPECT_EQ(both.high, 9.0);
    EXPECT_TRUE(both.lowIsDefault);
    EXPECT_TRUE(both.highIsDefault);
    response.low = 5.0;
    const Desirability one = desirabilityOf(response, observed(3.0, 9.0));
    EXPECT_EQ(one.low, 5.0);
    EXPECT_FALSE(one.lowIsDefault);
}

TEST(Desirability, DefaultLimitsStayOnTheirSide)
{
    study::Response response;
    response.goal = study::Goal::Target;
    response.target = 20.0;
    const Desirability outside = desirabilityOf(response, observed(3.0, 9.0));
    EXPECT_LT(outside.low, outside.target);
    EXPECT_LT(outside.target, outside.high);
    EXPECT_EQ(valueOf(outside, 20.0), 1.0);
    response.goal = study::Goal::Maximize;
    response.low = 50.0;
    EXPECT_GT(desirabilityOf(response, observed(3.0, 9.0)).high, 50.0);
    EXPECT_GT(desirabilityOf(response, observed(50.0, 50.0)).high, 50.0);
}

/// 0.1 + 0.2 is the number after 0.3: with a small exponent, a share of 1e-16 would count as 0.16.
TEST(Desirability, IsNothingOnALimitThatRoundingMissed)
{
    study::Response response;
    response.low = 0.3;
    response.high = 1.0;
    response.shape = {0.05};
    const Desirability desirability = desirabilityOf(response, observed(0.0, 1.0));
    EXPECT_EQ(valueOf(desirability, 0.1 + 0.2), 0.0);
    EXPECT_NEAR(valueOf(desirability, 0.3 + 0.7e-6), std::pow(1e-6, 0.05), 1e-6);
}

TEST(Desirability, IsAStepWithoutAWidth)
{
    Desirability desirability;
    desirability.low = desirability.high = 5.0;
    EXPECT_EQ(valueOf(desirability, 4.999), 0.0);
    EXPECT_EQ(valueOf(desirability, 5.0), 1.0);
    EXPECT_EQ(valueOf(desirability, std::numeric_limits<double>::quiet_NaN()), 0.0);
}

TEST(Overall, LeavesOutWhatHasNoGoalOrNoWeight)
{
    Desirability half;
    Desirability none = half;
    none.goal = study::Goal::None;
    Desirability weightless = half;
    weightless.weight = 0.0;
    EXPECT_DOUBLE_EQ(overall({half, none, weightless}, {0.25, -5.0, -5.0}), 0.25);
    EXPECT_EQ(overall({none, weightless}, {0.0, 0.0}), 1.0);
    EXPECT_EQ(overall({half, half}, {0.5, -1.0}), 0.0);
    Desirability triple = half;
    triple.weight = 3.0;
    EXPECT_DOUBLE_EQ(overall({half, triple}, {0.5, 1.0}), std::pow(0.5, 0.25));
}

} // namespace
} // namespace quadric::optimize
