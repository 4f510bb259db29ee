// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/trade_off_front.h"
#include "core/optimize/next/next_runs.h"
#include "core/optimize/next/run_gain.h"
#include "core/optimize/next/run_plan.h"
#include "core/study/space/constraint.h"
#include "fixtures.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

namespace quadric::optimize {
namespace {

Eigen::ArrayXd point(std::initializer_list<double> qualities)
{
    return Eigen::Map<const Eigen::ArrayXd>(qualities.begin(), std::ssize(qualities));
}

TEST(DominatedRegion, HasTheVolumeOfAStaircase)
{
    EXPECT_DOUBLE_EQ(DominatedRegion({}, 2).volume(), 0.0);
    EXPECT_DOUBLE_EQ(DominatedRegion({point({2.0, 3.0})}, 2).volume(), 6.0);
    // 3 · 1 + 2 · 1 + 1 · 1; a dominated point and a twin change nothing
    EXPECT_DOUBLE_EQ(DominatedRegion({point({1.0, 3.0}), point({2.0, 2.0}), point({3.0, 1.0}),
                                      point({1.5, 0.5}), point({2.0, 2.0})},
                                     2)
                         .volume(),
                     6.0);
    EXPECT_DOUBLE_EQ(DominatedRegion({point({0.7}), point({0.2})}, 1).volume(), 0.7);
    EXPECT_DOUBLE_EQ(DominatedRegion({point({0.0, 5.0})}, 2).volume(), 0.0);
}

/// Of three boxes in three dimensions by inclusion and exclusion.
TEST(DominatedRegion, CountsCommonPartsOnce)
{
    const std::vector<Eigen::ArrayXd> boxes{point({1.0, 2.0, 3.0}), point({2.0, 3.0, 1.0}),
                                            point({3.0, 1.0, 2.0})};
    const auto common = [&](std::vector<std::size_t> of) {
        Eigen::ArrayXd corner = boxes[of.front()];
        for (const std::size_t i : of)
            corner = corner.min(boxes[i]);
        return corner.prod();
    };
    const double volume = common({0}) + common({1}) + common({2}) - common({0, 1}) - common({0, 2}) -
                          common({1, 2}) + common({0, 1, 2});
    EXPECT_DOUBLE_EQ(DominatedRegion(boxes, 3).volume(), volume);
}

/// Every combination of the values of the columns added to the points in turn.
TEST(DominatedRegion, ExpectsTheMeanOfWhatEveryCombinationAdds)
{
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform;
    for (const Eigen::Index qualities : {1, 2, 3, 4}) {
        std::vector<Eigen::ArrayXd> points(5);
        for (Eigen::ArrayXd& one : points)
            one = Eigen::ArrayXd::NullaryExpr(qualities, [&] { return uniform(random); });
        const Eigen::ArrayXXd draws =
            Eigen::ArrayXXd::NullaryExpr(4, qualities, [&] { return 1.2 * uniform(random); });
        const DominatedRegion region(points, qualities);
        const int combinations = 1 << (2 * qualities);
        double sum = 0.0;
        for (int i = 0; i < combinations; ++i) {
            std::vector<Eigen::ArrayXd> more = points;
            more.push_back(Eigen::ArrayXd::NullaryExpr(
                qualities, [&](Eigen::Index j) { return draws((i >> (2 * j)) & 3, j); }));
            sum += DominatedRegion(more, qualities).volume() - region.volume();
        }
        EXPECT_NEAR(region.expectedGain(draws), sum / combinations, 1e-12) << qualities << " qualities";
    }
    EXPECT_THROW(DominatedRegion({}, 0), std::invalid_argument);
    EXPECT_THROW(DominatedRegion({}, 5), std::invalid_argument);
}

/// Two hills: the settings that nothing beats in both lie on the line between their tops, at b = 0.
constexpr double kTop = 0.6;

double hill(double a, double b, double top)
{
    return 10.0 - (a - top) * (a - top) - b * b;
}

study::Study betweenHills(int runs)
{
    study::Study study;
    for (const char* name : {"a", "b"}) {
        study::Factor factor;
        factor.name = name;
        factor.low = -1.0;
        factor.high = 1.0;
        study.factors.push_back(factor);
    }
    study.responses = {{.name = "left"}, {.name = "right"}};
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    for (int i = 0; i < runs; ++i)
        study = study::withRuns(study, {{{"a", uniform(random)}, {"b", uniform(random)}}},
                                study::RunKind::Augment);
    return study;
}

void measure(study::Study& study)
{
    for (study::Run& run : study.runs) {
        const double a = study::numberOf(run.settings.at("a")), b = study::numberOf(run.settings.at("b"));
        run.status = study::RunStatus::Done;
        run.results = {{"left", hill(a, b, -kTop)}, {"right", hill(a, b, kTop)}};
    }
}

/// Share of the volume of the whole front that the runs dominate, seen from where both hills are 8.
double shareOfFront(const study::Study& study)
{
    constexpr double kFrom = 8.0;
    std::vector<Eigen::ArrayXd> front, measured;
    for (int i = 0; i <= 200; ++i) {
        const double a = kTop * (i / 100.0 - 1.0);
        front.push_back(point({hill(a, 0.0, -kTop) - kFrom, hill(a, 0.0, kTop) - kFrom}));
    }
    for (const study::Run& run : study.runs)
        measured.push_back(point({run.results.at("left") - kFrom, run.results.at("right") - kFrom}).max(0.0));
    return DominatedRegion(measured, 2).volume() / DominatedRegion(front, 2).volume();
}

study::Study afterFollowUps(study::Study study, int runs, bool isForFront)
{
    PlanOptions options;
    options.most = 1;
    options.leastGain = 0.0;
    options.isForFront = isForFront;
    for (int i = 0; i < runs; ++i) {
        measure(study);
        const RunPlan plan = planRuns(study, model::fitProcesses(study), options);
        if (plan.runs.empty())
            break;
        study = study::withRuns(study, {plan.runs.front().settings}, study::RunKind::Augment);
    }
    measure(study);
    return study;
}

/// Eight follow-ups come closer to the whole front than as many of the compromise or at random.
TEST(RunPlan, AdvancesTheTradeOffFront)
{
    const study::Study before = betweenHills(8);
    const double byFront = shareOfFront(afterFollowUps(before, 8, true));
    study::Study random = betweenHills(16);
    measure(random);
    EXPECT_GT(byFront, 0.97);
    EXPECT_GT(byFront, shareOfFront(afterFollowUps(before, 8, false)) + 0.005);
    EXPECT_GT(byFront, shareOfFront(random) + 0.01);
}

TEST(NextRuns, ForTheFrontAreAskedOfGaussianProcesses)
{
    study::Study study = betweenHills(12);
    measure(study);
    const std::vector<model::Fit> fits = model::fitStudy(study);
    const NextRuns next = nextRunsByBetterModel(study, fits, 3, RunCriterion::Front);
    ASSERT_TRUE(next.isOk()) << next.message;
    ASSERT_EQ(next.runs.size(), 3U);
    EXPECT_TRUE(next.isByProcess);
    for (const NextRun& run : next.runs) {
        EXPECT_GT(run.gain, 0.0);
        EXPECT_NEAR(study::numberOf(run.settings.at("b")), 0.0, 0.1) << "on the front between the tops";
    }
    EXPECT_NE(next.runs[0].settings, next.runs[1].settings);
    EXPECT_EQ(nextRuns(study, fits, 3, RunCriterion::Front).status, OptimumStatus::NoModel);
    OptimizeOptions nearRuns;
    nearRuns.staysNearRuns = true;
    EXPECT_THAT(nextRunsByBetterModel(study, fits, 3, RunCriterion::Front, nearRuns).message,
                testing::HasSubstr("leverage"));
}

TEST(NextRuns, ForTheFrontNeedTwoResponsesWithAGoal)
{
    study::Study study = betweenHills(12);
    measure(study);
    study.responses[1].goal = study::Goal::None;
    const NextRuns next = nextRunsByBetterModel(study, model::fitStudy(study), 3, RunCriterion::Front);
    EXPECT_FALSE(next.isOk());
    EXPECT_EQ(next.message, "A Pareto front is sought between 2 and 4 responses with a goal, not 1.");
}

bool dominates(const FrontPoint& a, const FrontPoint& b)
{
    bool isBetter = false;
    for (std::size_t i = 0; i < a.responses.size(); ++i) {
        if (a.responses[i].second < b.responses[i].second)
            return false;
        isBetter |= a.responses[i].second > b.responses[i].second + 1e-6;
    }
    return isBetter;
}

/// Two distances from (1, 0) and (−1, 0), negated: f = −(a−1)² − b², g = −(a+1)² − b² over the square. The
/// front is the segment between both points, where √−f + √−g = 2.
Fitted twoPoints()
{
    Fitted fitted;
    fitted.study.factors.resize(2);
    for (std::size_t i = 0; i < 2; ++i) {
        fitted.study.factors[i].name = i == 0 ? "a" : "b";
        fitted.study.factors[i].low = -1.0;
    }
    for (const double side : {1.0, -1.0}) {
        study::Response response;
        response.name = side > 0.0 ? "f" : "g";
        fitted.study.responses.push_back(response);
        fitted.fits.push_back(
            polynomialFit(fitted.study, response.name, {-1.0, 2.0 * side, 0.0, 0.0, -1.0, -1.0}, -5.0, 0.0));
    }
    return fitted;
}

TEST(TradeOffFront, LiesOnTheKnownFrontAndCoversIt)
{
    const Fitted fitted = twoPoints();
    const std::vector<FrontPoint> front = tradeOffFront(fitted.study, fitted.fits);
    ASSERT_GE(front.size(), 20U);
    ASSERT_LE(front.size(), 60U);
    for (const FrontPoint& point : front)
        EXPECT_NEAR(std::sqrt(-point.responses[0].second) + std::sqrt(-point.responses[1].second), 2.0, 2e-3);
    EXPECT_NEAR(front.back().responses[0].second, 0.0, 1e-6);
    EXPECT_NEAR(front.front().responses[1].second, 0.0, 1e-6);
    for (std::size_t i = 1; i < front.size(); ++i) {
        const double gap =
            study::numberOf(front[i].settings.at("a")) - study::numberOf(front[i - 1].settings.at("a"));
        EXPECT_GE(gap, 0.0);
        EXPECT_LT(gap, 0.25);
    }
}

TEST(TradeOffFront, IsLegalAndNondominated)
{
    Fitted fitted = scalingStudy();
    fitted.study.constraints = {"gpu_count * batch_per_gpu <= 8192"};
    const std::vector<FrontPoint> front = tradeOffFront(fitted.study, fitted.fits, {}, 25);
    ASSERT_GT(front.size(), 5U);
    EXPECT_LE(front.size(), 25U);
    for (const FrontPoint& a : front) {
        EXPECT_TRUE(study::isLegal(fitted.study, a.settings));
        for (const study::Factor& factor : fitted.study.factors) {
            const double value = study::numberOf(a.settings.at(factor.name));
            EXPECT_EQ(study::snapToLegal(factor, value), value);
        }
        for (const FrontPoint& b : front)
            EXPECT_FALSE(dominates(a, b));
    }
}

TEST(TradeOffFront, IsEmptyWithoutModelsOrLegalSettings)
{
    Fitted fitted = twoPoints();
    EXPECT_TRUE(tradeOffFront(fitted.study, {}).empty());
    fitted.study.constraints = {"a > 5"};
    EXPECT_TRUE(tradeOffFront(fitted.study, fitted.fits).empty());
}

TEST(TradeOffFront, DesirabilityOfItsPointsIsThatOfTheirSettings)
{
    const Fitted fitted = scalingStudy();
    const std::vector<FrontPoint> front = tradeOffFront(fitted.study, fitted.fits, {}, 12);
    const std::vector<double> overall = frontDesirability(fitted.study, fitted.fits, front);
    ASSERT_EQ(overall.size(), front.size());
    for (std::size_t i = 0; i < front.size(); ++i)
        EXPECT_NEAR(overall[i], assess(fitted.study, fitted.fits, front[i].settings).overall, 1e-10);
}

} // namespace
} // namespace quadric::optimize
