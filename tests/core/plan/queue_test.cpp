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
using ::testing::ElementsAre;

std::vector<Task> tasksOf(const std::vector<double>& seconds)
{
    std::vector<Task> tasks;
    for (const double value : seconds)
        tasks.push_back({value});
    return tasks;
}

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
    EXPECT_NEAR(meanWaitMG1(0.8, {1.0, 1.0}), 4.0, 1e-13);
    EXPECT_NEAR(meanWaitMG1(0.8, {1.0, 0.0}), 2.0, 1e-13);
    EXPECT_NEAR(meanWaitMG1(0.8, {1.0, 0.5}), 3.0, 1e-13);
    EXPECT_NEAR(meanWaitMMk(2, 1.5, 1.0), 9.0 / 7.0, 1e-13); // C/(2 − 1.5)
    EXPECT_NEAR(meanWaitMGk(1, 0.8, {1.0, 3.0}), meanWaitMG1(0.8, {1.0, 3.0}), 1e-13);
    EXPECT_TRUE(std::isinf(meanWaitMG1(1.0, {1.0, 1.0})));
    // M/M/1: P(W > t) = ρ e^(−(μ − λ)t)
    EXPECT_NEAR(waitQuantileMMk(1, 0.8, 1.0, 0.95), std::log(0.8 / 0.05) / 0.2, 1e-13);
    EXPECT_EQ(waitQuantileMMk(1, 0.01, 1.0, 0.95), 0.0);
}

/// Intervals of 95 % hold the exact mean in about 95 of 100 trials: M/M/3 and M/G/1 with two kinds of jobs.
TEST(QueueSimulation, HoldsTheFormulasInItsIntervals)
{
    const QueueSystem threeSlow{"3", 3, tasksOf(gammaJobs(3.0, 1.0))};
    const QueueSystem oneFast{"1", 1, tasksOf({0.5, 0.5, 0.5, 2.5})};
    const double exactSlow = meanWaitMGk(3, 0.8, computeJobMoments(gammaJobs(3.0, 1.0)));
    const double exactFast = meanWaitMG1(0.8, computeJobMoments({0.5, 0.5, 0.5, 2.5}));
    int slow = 0, fast = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const ArrivalStream stream = drawArrivals(50000, seed);
        const Estimate waitSlow = simulateQueue(threeSlow, 0.8, stream).wait;
        const Estimate waitFast = simulateQueue(oneFast, 0.8, stream).wait;
        slow += waitSlow.low <= exactSlow && exactSlow <= waitSlow.high;
        fast += waitFast.low <= exactFast && exactFast <= waitFast.high;
    }
    EXPECT_GE(slow, 88);
    EXPECT_GE(fast, 88);
}

TEST(QueueSimulation, KnowsQuantilesOfMM1)
{
    const QueueSystem system{"1", 1, tasksOf(gammaJobs(1.0, 1.0))};
    const SimulatedQueue queue = simulateQueue(system, 0.5, drawArrivals(400000, 7));
    EXPECT_NEAR(queue.responseQuantile, std::log(20.0) / 0.5, 0.1); // response is exponential with μ − λ
    EXPECT_NEAR(queue.waitQuantile, waitQuantileMMk(1, 0.5, 1.0, 0.95), 0.1);
}

TEST(QueueSimulation, DrawsTheSameJobsEverywhere)
{
    const ArrivalStream stream = drawArrivals(3, 1);
    EXPECT_EQ(stream.picks, drawArrivals(3, 1).picks);
    // mt19937_64 begins with 2469588189546311528 and 2516265689700432462 for the seed 1.
    EXPECT_NEAR(stream.gaps[0], -std::log(1.0 - 2469588189546311528.0 / 0x1p64), 1e-12);
    EXPECT_NEAR(stream.picks[0], 2516265689700432462.0 / 0x1p64, 1e-12);
}

/// A gang of all machines is one machine; where jobs of one and of two machines alternate by chance, two
/// machines serve 6 jobs in 5 times the time of one (runs of n small jobs between gangs take ⌈n/2⌉, on
/// average ⅔).
TEST(QueueSimulation, ServesGangs)
{
    const ArrivalStream stream = drawArrivals(100000, 3);
    const QueueSystem gang{"gang", 4, {{1.0, 4}, {3.0, 4}}};
    const QueueSystem alone{"alone", 1, {{1.0, 1}, {3.0, 1}}};
    EXPECT_DOUBLE_EQ(simulateQueue(gang, 0.4, stream).wait.value,
                     simulateQueue(alone, 0.4, stream).wait.value);
    const QueueSystem mixed{"mixed", 2, {{1.0, 1}, {1.0, 2}}};
    EXPECT_NEAR(computeCapacity(mixed, stream), 1.2, 0.01);
    EXPECT_THROW(simulateQueue({"few", 1, {{1.0, 2}}}, 0.1, stream), std::invalid_argument);
}

/// Equal capacity: an exact crossing is known where both are M/G/1 with other moments. λE[S²]/(2(1 − ρ)) + s:
/// constant jobs of 1 s against jobs of 0.2 and 1.6 s (mean 0.9, C² = 0.6049…).
TEST(QueueComparison, FindsWhereTheAnswerTurns)
{
    const QueueSystem constant{"constant", 1, tasksOf({1.0})};
    const QueueSystem varied{"varied", 1, tasksOf({0.0, 0.0, 0.0, 0.0, 4.5})}; // mean 0.9, E[S²] = 4.05
    const auto turn = findTurningRate(varied, constant, drawArrivals(100000, 5));
    // 0.9 + 4.05λ/(2(1 − 0.9λ)) = 1 + λ/(2(1 − λ)): 0.1 = 4.05λ/(2 − 1.8λ) − λ/(2 − 2λ)
    const auto difference = [](double x) {
        return 0.9 + meanWaitMG1(x, {0.9, 4.0}) - 1.0 - meanWaitMG1(x, {1.0, 0.0});
    };
    double low = 0.01, high = 0.5;
    for (int i = 0; i < 60; ++i)
        (difference((low + high) / 2) < 0.0 ? low : high) = (low + high) / 2;
    ASSERT_TRUE(turn.has_value());
    EXPECT_NEAR(*turn, low, 0.01);
    EXPECT_EQ(findTurningRate(constant, {"slower", 1, tasksOf({1.1})}, drawArrivals(20000, 5)), std::nullopt);
}

/// Against the moments and the quantiles of the exponential distribution.
TEST(QueueComparison, JobsHaveTheMomentsOfAGammaDistribution)
{
    for (const double variation : {0.1, 0.5, 1.0, 2.0}) {
        const std::vector<double> jobs = gammaJobs(3.0, variation);
        ASSERT_EQ(jobs.size(), 10000U);
        EXPECT_TRUE(std::ranges::is_sorted(jobs));
        EXPECT_NEAR(computeJobMoments(jobs).mean, 3.0, 1e-12);
        EXPECT_NEAR(std::sqrt(computeJobMoments(jobs).squaredVariation), variation, 2e-3 * variation);
    }
    const std::vector<double> exponential = gammaJobs(1.0, 1.0);
    for (const int i : {0, 150, 211, 5007, 9790, 9999})
        EXPECT_NEAR(exponential[static_cast<std::size_t>(i)], -std::log1p(-(i + 0.5) / 10000), 1e-3) << i;
}

/// What queueing theory says of the table of the paper, with jobs of its two kinds: for equal capacity one
/// fast machine wins unless jobs differ very much (C² above 3.5 at high load and k = 3).
TEST(QueueComparison, KnowsTheTableOfThePaper)
{
    const ArrivalStream stream = drawArrivals(100000, 2);
    const auto pairOf = [](double variation) {
        const std::vector<double> jobs = gammaJobs(3.0, variation);
        QueueSystem fast{"1", 1, tasksOf(jobs)};
        for (Task& task : fast.tasks)
            task.seconds /= 3.0;
        return std::pair(fast, QueueSystem{"3", 3, tasksOf(jobs)});
    };
    const auto [fastLow, slowLow] = pairOf(0.2);
    const auto [fastHigh, slowHigh] = pairOf(4.0);
    const VariabilityRow low = compareVariability("low", fastLow, slowLow, {0.3, 0.9}, stream);
    const VariabilityRow high = compareVariability("high", fastHigh, slowHigh, {0.3, 0.9}, stream);
    EXPECT_EQ(low.cells[0].faster, Faster::First);
    EXPECT_EQ(low.cells[1].faster, Faster::First);
    EXPECT_EQ(high.cells[1].faster, Faster::Second);
    EXPECT_NEAR(low.job.squaredVariation, 0.04, 0.001);
}

/// What stands below the table: near full load, three slow machines respond as one fast one of equal capacity
/// where C² is 3.5, faster above, slower below.
TEST(QueueComparison, ThreeSlowMachinesWinAboveC2Of3AndAHalf)
{
    const double rate = 0.9999 * 3.0; // slow jobs take 1
    const auto advantage = [rate](double variation) {
        const double fast = meanWaitMG1(rate, {1.0 / 3.0, variation}) + 1.0 / 3.0;
        return fast - (meanWaitMGk(3, rate, {1.0, variation}) + 1.0);
    };
    EXPECT_NEAR(advantage(3.5), 0.0, 0.01);
    EXPECT_GT(advantage(4.0), 0.05);
    EXPECT_LT(advantage(3.0), -0.05);
    EXPECT_NE(describePublishedQueues().find("C² > 3.5"), std::string_view::npos);
}

TEST(JobRecords, ReadWhatSacctPrints)
{
    const JobRecords records = readJobRecords(
        {"JobID", "Submit", "Elapsed", "State", "AllocTRES"},
        {{"1", "2026-01-31T12:00:00", "01:30:00", "COMPLETED", "billing=8,cpu=8,gres/gpu=4,node=1"},
         {"2", "2026-01-31T13:00:00", "1-00:00:10", "TIMEOUT", "cpu=1,node=1"},
         {"3", "2026-02-01T12:00:00", "00:00:00", "CANCELLED", ""}});
    ASSERT_EQ(records.tasks.size(), 2U);
    EXPECT_EQ(records.tasks[0].seconds, 5400.0);
    EXPECT_EQ(records.tasks[0].machines, 4);
    EXPECT_EQ(records.tasks[1].seconds, 86410.0);
    EXPECT_EQ(records.tasks[1].machines, 1);
    EXPECT_EQ(records.skipped, 1);
    EXPECT_DOUBLE_EQ(*records.rate, 1.0 / 3600.0);
    EXPECT_EQ(readElapsed("10:30"), 630.0);
    EXPECT_EQ(readElapsed("-5"), std::nullopt);
    EXPECT_EQ(readMoment("1970-01-02T00:00:01"), 86401.0);
    EXPECT_EQ(readMoment("2026-02-30T00:00:00"), std::nullopt);
    EXPECT_THROW(readJobRecords({"JobID"}, {{"1"}}), std::invalid_argument);
}

/// Percent below twice the time, times above it.
TEST(QueueWords, SayHowMuchSlower)
{
    QueueAnswer fast{.name = "1 fast"}, slow{.name = "3 slow"};
    fast.simulated.emplace();
    slow.simulated.emplace();
    slow.simulated->response = {100.0, 99.0, 101.0};
    EXPECT_EQ(describeDifference(fast, slow, Estimate{-36.0, -37.0, -35.0}),
              "1 fast responds 36 % faster on average than 3 slow.");
    EXPECT_EQ(describeDifference(fast, slow, Estimate{4937.0, 4000.0, 6000.0}),
              "1 fast takes 50 times as long as 3 slow to respond on average.");
    EXPECT_THAT(describeDifference(fast, slow, Estimate{4937.0, -10.0, 10000.0}),
                ::testing::HasSubstr("neither faster nor slower"));
}

/// Four jobs of one machine in two parts, and two of three machines each its own.
TEST(JobRecords, AreCondensedByMachinesAndTime)
{
    const std::vector<Task> jobs{{4.0, 1}, {9.0, 3}, {1.0, 1}, {3.0, 1},
                                 {2.0, 1}, {5.0, 3}, {5.0, 3}, {9.0, 3}};
    EXPECT_EQ(condenseJobs(jobs, 4), (std::vector<Task>{{1.5, 1}, {3.5, 1}, {5.0, 3}, {9.0, 3}}));
    EXPECT_EQ(condenseJobs(jobs, 8), jobs); // which are few enough
}

/// The paper's two systems, one with three cores and three with one, from the model of its 96 runs. Its own
/// table says that three are the faster where epochs vary and load is high.
TEST(StudyJobs, AskTheModelOfThePaper)
{
    const study::Study study = optimize::studyOf(optimize::reference("06_paper_2p5_full_3rep"));
    const model::Fit fit = model::fitResponse(study, "duration", {.model = "interactions"});
    const std::vector<double> slow = modeledJobs(fit, study, {{"cores", 1.0}});
    const std::vector<double> fast = modeledJobs(fit, study, {{"cores", 3.0}});
    EXPECT_EQ(slow.size(), 96U);
    // Fig. 20: the mean is 467.80 and the effect of cores 334.52.
    EXPECT_THAT(computeJobMoments(slow).mean, DoubleNear(467.80 + 334.52 / 2, 0.01));
    EXPECT_THAT(computeJobMoments(fast).mean, DoubleNear(467.80 - 334.52 / 2, 0.01));
    const auto extremes = findExtremes(fit, {{"cores", 1.0}});
    ASSERT_TRUE(extremes.has_value());
    EXPECT_EQ(fit.factors[extremes->least].name, "learning_rate");
    EXPECT_EQ(fit.factors[extremes->most].name, "max_epoch");
    EXPECT_EQ(modeledJobsAlong(fit, extremes->most, {{"cores", 1.0}}).size(), 9U);
    EXPECT_EQ(observedJobs(study, "duration").size(), 96U);
}

} // namespace
} // namespace quadric::plan
