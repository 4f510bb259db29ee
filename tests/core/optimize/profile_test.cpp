// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/optimum.h"
#include "core/optimize/merit/profile.h"
#include "fixtures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace quadric::optimize {
namespace {

TEST(Profile, EveryPointIsWhatAnAssessmentOfItsSettingSays)
{
    const Fitted fitted = scalingStudy();
    const study::Coding coding(fitted.study.factors);
    const study::Settings at = coding.toSettings(study::CodedPoint(Eigen::Vector3d(0.4, -0.6, 0.1)));
    const Profile profile = optimize::profile(fitted.study, fitted.fits, at, 5);
    ASSERT_EQ(profile.responses.size(), fitted.fits.size());
    for (std::size_t factor = 0; factor < fitted.study.factors.size(); ++factor)
        for (std::size_t point = 0; point < profile.overall[factor].size(); ++point) {
            study::Settings moved = at;
            moved[fitted.study.factors[factor].name] = profile.curves[0][factor].curve.actual[point];
            const Optimum there = assess(fitted.study, fitted.fits, moved);
            EXPECT_NEAR(profile.overall[factor][point], there.overall, 1e-10);
            for (std::size_t row = 0; row < there.responses.size(); ++row) {
                const ProfileCurve& curve = profile.curves[row][factor];
                EXPECT_NEAR(curve.curve.mean[point] / there.responses[row].predicted.mean, 1.0, 1e-10);
                EXPECT_NEAR(curve.desirability[point], there.responses[row].desirability, 1e-10);
            }
        }
}

TEST(Profile, TheSettingItselfIsAPointOfEveryCurve)
{
    const Fitted fitted = scalingStudy();
    const study::Coding coding(fitted.study.factors);
    const study::Settings at = coding.toSettings(study::CodedPoint(Eigen::Vector3d(0.37, -0.61, 1.0)));
    const Profile profile = optimize::profile(fitted.study, fitted.fits, at, 5);
    const Optimum there = assess(fitted.study, fitted.fits, at);
    for (std::size_t factor = 0; factor < 3; ++factor) {
        const std::vector<double>& actual = profile.curves[0][factor].curve.actual;
        EXPECT_EQ(actual.size(), factor == 2 ? 5u : 6u); // the end of the range is a point anyway
        EXPECT_TRUE(std::is_sorted(actual.begin(), actual.end()));
        const double value = study::numberOf(at.at(fitted.study.factors[factor].name));
        const auto place = std::min_element(actual.begin(), actual.end(), [&](double a, double b) {
            return std::abs(a - value) < std::abs(b - value);
        });
        EXPECT_NEAR(*place, value, 1e-9 * value);
        EXPECT_NEAR(profile.overall[factor][static_cast<std::size_t>(place - actual.begin())], there.overall,
                    1e-10);
    }
}

TEST(Profile, AResponseWithoutAGoalHasACurveAndNoDesirability)
{
    Fitted fitted = scalingStudy();
    fitted.study.responses.back().goal = study::Goal::None;
    const study::Coding coding(fitted.study.factors);
    const Profile profile =
        optimize::profile(fitted.study, fitted.fits, coding.toSettings(coding.center()), 5);
    EXPECT_EQ(profile.curves.back().front().curve.mean.size(), 5u);
    EXPECT_TRUE(profile.curves.back().front().desirability.empty());
    EXPECT_EQ(profile.curves.front().front().desirability.size(), 5u);
}

/// gpu_count × batch_per_gpu ≤ 8192 with gpu_count at 64 forbids batches above 128, and nothing along the
/// third factor.
TEST(Profile, ConstraintsForbidStretchesOfTheAxes)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    const study::Settings at{{"gpu_count", 64.0}, {"batch_per_gpu", 100.0}, {"gradient_compression", 45.0}};
    const Profile profile = optimize::profile(fitted.study, fitted.fits, at, 41);
    ASSERT_EQ(profile.infeasible.size(), 3u);
    EXPECT_EQ(profile.infeasible[2].size(), 0u);
    ASSERT_EQ(profile.infeasible[1].size(), 1u);
    EXPECT_NEAR(profile.infeasible[1][0].low, 128.0, 1.0);
    EXPECT_NEAR(profile.infeasible[1][0].high, 256.0, 1e-9);
}

/// Every batch above 200 failed, whatever the other factors were.
TEST(Profile, StretchesWhereRunsFailAreMarked)
{
    Fitted fitted = scalingStudy();
    const study::Settings at{{"gpu_count", 64.0}, {"batch_per_gpu", 100.0}, {"gradient_compression", 45.0}};
    EXPECT_TRUE(optimize::profile(fitted.study, fitted.fits, at, 41).failing[1].empty());
    for (study::Run& run : fitted.study.runs) {
        if (study::numberOf(run.settings.at("batch_per_gpu")) < 200.0)
            continue;
        run.status = study::RunStatus::Failed;
        run.failure = study::Failure{"out-of-memory", ""};
    }
    const Profile profile = optimize::profile(fitted.study, fitted.fits, at, 41);
    ASSERT_EQ(profile.failing.size(), 3u);
    EXPECT_TRUE(profile.failing[2].empty());
    ASSERT_EQ(profile.failing[1].size(), 1u);
    EXPECT_GT(profile.failing[1][0].low, 144.0); // the middle level, which ran
    EXPECT_NEAR(profile.failing[1][0].high, 256.0, 1e-9);
}

TEST(Profile, WithoutAModelItIsEmpty)
{
    Fitted fitted = scalingStudy();
    const study::Coding coding(fitted.study.factors);
    EXPECT_TRUE(optimize::profile(fitted.study, {}, coding.toSettings(coding.center())).isEmpty());
}

} // namespace
} // namespace quadric::optimize
