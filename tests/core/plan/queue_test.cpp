// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/jobs.h"
#include "core/plan/queue/queue_plan.h"
#include "core/plan/words/cluster_tables.h"
#include "fixtures.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

namespace quadric::plan {
namespace {

using ::testing::DoubleNear;

/// The sums of the definition (Harchol-Balter 2013, 14.3) in long double.
double sumsOfErlangC(int machines, double load)
{
    long double term = 1.0L, sum = 0.0L;
    for (int i = 0; i < machines; ++i) {
        sum += term;
        term *= static_cast<long double>(load) / (i + 1);
    }
    term *= machines / (machines - static_cast<long double>(load));
    return static_cast<double>(term / (sum + term));
}

TEST(QueueFormulas, AgreeWithErlangsSumsToTenDigits)
{
    for (const int machines : {1, 2, 3, 8, 64})
        for (const double utilization : {0.01, 0.3, 0.7, 0.95, 0.999}) {
            const double known = sumsOfErlangC(machines, utilization * machines);
            EXPECT_NEAR(erlangC(machines, utilization * machines), known, 1e-10 * known);
        }
    EXPECT_NEAR(erlangC(1, 0.8), 0.8, 1e-14);       // ρ
    EXPECT_NEAR(erlangC(2, 1.0), 1.0 / 3.0, 1e-14); // a²/(2 + a)
    EXPECT_NEAR(erlangC(2, 1.5), 2.25 / 3.5, 1e-14);
    EXPECT_EQ(erlangC(3, 3.0), 1.0);
}

TEST(QueueFormulas, KnowMG1AndMMk)
{
    // Pollaczek–Khinchine: exponential ρ/(μ − λ), constant half of it, M/E2/1 three quarters.
    EXPECT_NEAR(meanWaitMGk(1, 0.8, {1.0, 1.0}), 4.0, 1e-13);
    EXPECT_NEAR(meanWaitMGk(1, 0.8, {1.0, 0.0}), 2.0, 1e-13);
    EXPECT_NEAR(meanWaitMGk(1, 0.8, {1.0, 0.5}), 3.0, 1e-13);
    EXPECT_NEAR(meanWaitMGk(2, 1.5, {1.0, 1.0}), 9.0 / 7.0, 1e-13); // C/(2 − 1.5)
    EXPECT_TRUE(std::isinf(meanWaitMGk(1, 1.0, {1.0, 1.0})));
}

/// Intervals of 95 % hold the exact mean in about 95 of 100 trials: M/M/3 and M/G/1 with two kinds of jobs.
/// Of a share of 95 % fewer than 88 of 100 are held once in 600 times (three standard deviations of a
/// binomial).
TEST(QueueSimulation, HoldsTheFormulasInItsIntervals)
{
    const QueueSystem threeSlow{"3", 3, gammaJobs(3.0, 1.0)};
    const QueueSystem oneFast{"1", 1, {0.5, 0.5, 0.5, 2.5}};
    const double exactSlow = meanWaitMGk(3, 0.8, computeJobMoments(threeSlow.jobs));
    const double exactFast = meanWaitMGk(1, 0.8, computeJobMoments(oneFast.jobs));
    int slow = 0, fast = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const Estimate waitSlow = simulateQueue(threeSlow, 0.8, seed, 50000).wait;
        const Estimate waitFast = simulateQueue(oneFast, 0.8, seed, 50000).wait;
        slow += waitSlow.low <= exactSlow && exactSlow <= waitSlow.high;
        fast += waitFast.low <= exactFast && exactFast <= waitFast.high;
    }
    EXPECT_GE(slow, 88);
    EXPECT_GE(fast, 88);
}

TEST(QueueSimulation, RefusesWhatCannotBeServed)
{
    EXPECT_THROW(simulateQueue({"none", 1, {}}, 0.1, 1), std::invalid_argument);
    EXPECT_THROW(simulateQueue({"no machine", 0, {1.0}}, 0.1, 1), std::invalid_argument);
    EXPECT_THROW(simulateQueue({"no arrivals", 1, {1.0}}, 0.0, 1), std::invalid_argument);
}

/// The mean is exact, the coefficient of variation that which was asked for.
TEST(QueueJobs, AreOfTheGammaDistribution)
{
    for (const double variation : {0.2, 1.0, 3.0}) {
        const Moments job = computeJobMoments(gammaJobs(60.0, variation));
        EXPECT_NEAR(job.mean, 60.0, 1e-9);
        EXPECT_NEAR(std::sqrt(job.squaredVariation), variation, 0.01 * variation);
    }
    EXPECT_EQ(gammaJobs(60.0, 0.0), std::vector<double>{60.0});
}

/// Three slow machines against one three times as fast, near full load. `E[T₁] − E[T₃] ≈ (C² + 1)/2 × 0.889 ×
/// s/3 − 2s/3`: they respond alike where C² is 3.5, the slow ones faster above.
TEST(QueueComparison, ThreeSlowMachinesWinAboveC2Of3AndAHalf)
{
    const double rate = 0.9999 * 3.0; // slow jobs take 1
    const auto advantage = [rate](double variation) {
        const double fast = meanWaitMGk(1, rate, {1.0 / 3.0, variation}) + 1.0 / 3.0;
        return fast - (meanWaitMGk(3, rate, {1.0, variation}) + 1.0);
    };
    EXPECT_NEAR(advantage(3.5), 0.0, 0.01);
    EXPECT_GT(advantage(4.0), 0.05);
    EXPECT_LT(advantage(3.0), -0.05);
}

/// At equal capacity: where jobs differ little one fast machine, where they differ much three slow ones.
TEST(QueueComparison, DependsOnHowMuchJobsDiffer)
{
    const QueuePlan little = planQueue(fastAgainstSlow(gammaJobs(3.0, 0.2), 3, 3.0), 0.9);
    ASSERT_TRUE(little.difference);
    EXPECT_LT(little.difference->high, 0.0);
    EXPECT_NEAR(little.fast.utilization, 0.9, 1e-12);
    EXPECT_THAT(describeQueue(little), ::testing::MatchesRegex("1 fast .* responds [0-9.]+ % faster on .*"));
    const QueuePlan much = planQueue(fastAgainstSlow(gammaJobs(3.0, 4.0), 3, 3.0), 0.9);
    ASSERT_TRUE(much.difference);
    EXPECT_GT(much.difference->low, 0.0);
    const QueuePlan overloaded =
        planQueue(fastAgainstSlow({3.0}, 3, 2.0), 0.9); // at most 2/3 of a job a second
    EXPECT_FALSE(overloaded.difference);
    EXPECT_FALSE(overloaded.fast.formulaWait);
    EXPECT_TRUE(overloaded.slow.simulated);
    EXPECT_THAT(describeQueue(overloaded), ::testing::StartsWith("3240 jobs per hour overload 1 fast"));
}

/// Percent below twice the time, times above it.
TEST(QueueWords, SayHowMuchSlower)
{
    QueuePlan plan{.fast = {.name = "1 fast"}, .slow = {.name = "3 slow"}};
    plan.fast.simulated.emplace();
    plan.slow.simulated.emplace();
    plan.slow.simulated->response = {100.0, 99.0, 101.0};
    plan.difference = Estimate{-36.0, -37.0, -35.0};
    EXPECT_EQ(describeQueue(plan), "1 fast responds 36 % faster on average than 3 slow.");
    plan.difference = Estimate{4937.0, 4000.0, 6000.0};
    EXPECT_EQ(describeQueue(plan), "1 fast takes 50 times as long as 3 slow to respond on average.");
    plan.difference = Estimate{4937.0, -10.0, 10000.0};
    EXPECT_THAT(describeQueue(plan), ::testing::HasSubstr("neither faster nor slower"));
}

/// The paper's two systems, one with three cores and three with one, from the model of its 96 runs.
TEST(StudyJobs, AskTheModelOfThePaper)
{
    const study::Study study = optimize::studyOf(optimize::reference("06_paper_2p5_full_3rep"));
    const model::Fit fit = model::fitResponse(study, "duration", {.model = "interactions"});
    const std::vector<double> slow = modeledJobs(study, fit, {}, {{"cores", 1.0}});
    const std::vector<double> fast = modeledJobs(study, fit, {}, {{"cores", 3.0}});
    EXPECT_EQ(slow.size(), 96U);
    // Fig. 20: the mean is 467.80 and the effect of cores 334.52.
    EXPECT_THAT(computeJobMoments(slow).mean, DoubleNear(467.80 + 334.52 / 2, 0.01));
    EXPECT_THAT(computeJobMoments(fast).mean, DoubleNear(467.80 - 334.52 / 2, 0.01));
    const auto alongOf = [&](const char* name) {
        const auto factor = std::ranges::find(fit.factors, name, &study::Factor::name) - fit.factors.begin();
        return computeJobMoments(
            modeledJobs(study, fit, {}, {{"cores", 1.0}}, static_cast<std::size_t>(factor)));
    };
    // Half effects of 273.1 s for epochs at one core and of 81.1 s for the batch size (Fig. 20): C² as 11
    // to 1.
    EXPECT_GT(alongOf("max_epoch").squaredVariation, 10.0 * alongOf("batch_size").squaredVariation);
    EXPECT_EQ(observedJobs(study, fit, {}).size(), 96U);
}

} // namespace
} // namespace quadric::plan
