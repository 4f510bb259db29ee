// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace quadric::plan {

/// Mean and squared coefficient of variation C² = variance/mean² of what one job takes.
struct Moments {
    double mean = 0.0;
    double squaredVariation = 0.0;
};

/// Of these values, all equally likely. Throws std::invalid_argument without a value and for a mean that is
/// not positive.
Moments computeJobMoments(const std::vector<double>& values);

/// Erlang C: probability that a job has to wait in M/M/k (Harchol-Balter 2013, 14.3), by the recursion of
/// Erlang B, which never overflows. `load` is arrival rate × mean time of a job; 1 where it is at least
/// `machines`. Throws std::invalid_argument unless machines ≥ 1 and load ≥ 0.
double erlangC(int machines, double load);

/// Mean waiting times in the unit of the job's mean; `rate`: arrivals in the same unit of time. Infinite
/// where rate × mean is at least the number of machines.
double meanWaitMMk(int machines, double rate, double mean);
/// Pollaczek–Khinchine: λ E[S²]/(2(1 − ρ)).
double meanWaitMG1(double rate, const Moments& job);
/// (C² + 1)/2 × that of M/M/k (Lee & Longton 1959): exact for one machine, otherwise near.
double meanWaitMGk(int machines, double rate, const Moments& job);

/// The time that a job of M/M/k waits at most with this probability: P(W > t) = C e^(−(kμ − λ)t).
double waitQuantileMMk(int machines, double rate, double mean, double probability);

/// What a job needs: so many machines at once (a gang) for so long.
struct Task {
    double seconds = 0.0;
    int machines = 1;
    bool operator==(const Task&) const = default;
};

/// Machines that serve jobs in the order in which they come; one that needs several waits until these are
/// free, and nobody overtakes it.
struct QueueSystem {
    std::string name;
    int machines = 1;
    std::vector<Task> tasks; ///< all equally likely; the same job has the same place in all systems
};

/// When jobs come and which they are, before a rate is chosen: gaps with mean 1 of a Poisson process, and
/// places between 0 and 1 in the list of tasks. Systems and rates that share one stream are compared on the
/// same jobs.
struct ArrivalStream {
    std::vector<double> gaps, picks;
};

/// The same jobs for the same seed on every machine.
ArrivalStream drawArrivals(int jobs, std::uint64_t seed);

/// A mean with its 95 % interval.
struct Estimate {
    double value = 0.0, low = 0.0, high = 0.0;
};

/// Seconds; responses are waiting and being served together.
struct SimulatedQueue {
    Estimate wait, response;
    double waitQuantile = 0.0, responseQuantile = 0.0; ///< 95 % of the jobs take at most this
    std::vector<double> batchResponses;                ///< mean of each batch
};

/// Jobs come at `rate` a second. The first tenth of the stream fills the queue and is not counted; the rest
/// is cut into 20 batches, whose means give the intervals (batch means; Law 2015, 9.5.3). Throws
/// std::invalid_argument where a task needs more machines than there are, and for fewer than 1000 jobs.
SimulatedQueue simulateQueue(const QueueSystem& system, double rate, const ArrivalStream& stream);

/// Jobs a second that the system serves when some are always waiting: machines/mean, with gangs from
/// simulation, since some machines are free while a gang waits.
double computeCapacity(const QueueSystem& system, const ArrivalStream& stream);

/// Mean with its 95 % interval of the t distribution; at least two values.
Estimate meanOfBatches(const std::vector<double>& batches);

/// One system under one arrival rate. Rates are jobs a second.
struct QueueAnswer {
    std::string name = {};
    int machines = 1;
    Moments job = {};         ///< of the time that it is served
    double utilization = 0.0; ///< share of the machines' time that is used; 1 and above: jobs pile up
    double capacity = 0.0;    ///< computeCapacity()
    std::optional<double> formulaWait = {}; ///< M/G/1 exact, M/G/k near; empty with gangs and when overloaded
    std::optional<SimulatedQueue> simulated = {}; ///< empty when overloaded
};

/// Whether some of its jobs need several machines at once.
bool hasGangs(const QueueSystem& system);

QueueAnswer answerQueue(const QueueSystem& system, double rate, const ArrivalStream& stream);

/// Mean response of the first system minus that of the second on the same jobs, with the interval of paired
/// batches; empty where one of them is overloaded.
std::optional<Estimate> compareResponses(const QueueAnswer& first, const QueueAnswer& second);

/// Arrival rates up to this share of the smaller capacity are searched for the turn.
inline constexpr double kHighestLoad = 0.98;

/// The smallest arrival rate at which the mean responses of the two change places, by simulation on one
/// stream. Empty where one of them is the faster from 2 to 98 % of the smaller capacity.
std::optional<double> findTurningRate(const QueueSystem& first, const QueueSystem& second,
                                      const ArrivalStream& stream);

/// Which of two systems responds faster: neither where the interval of the difference contains 0, or where it
/// is below 5 % of the smaller response.
enum class Faster { First, Second, Neither };

/// One cell of the table: two systems, one load.
struct VariabilityCell {
    double load = 0.0; ///< share of the second system's capacity
    QueueAnswer first, second;
    std::optional<Estimate> difference;
    Faster faster = Faster::Neither;
};

/// Two systems at low and high load, with jobs that differ little and much: Table I of Schouten & Mukherjee,
/// after Harchol-Balter 2013, ch. 14.
struct VariabilityRow {
    std::string variability; ///< in words
    Moments job;             ///< of the second system
    std::array<VariabilityCell, 2> cells;
};

VariabilityRow compareVariability(const std::string& name, const QueueSystem& first,
                                  const QueueSystem& second, const std::array<double, 2>& loads,
                                  const ArrivalStream& stream);

/// The system with the middle half of its jobs by the time on `ordered`, at least one.
QueueSystem withMiddleHalf(const QueueSystem& system, const QueueSystem& ordered);

/// `count` jobs of a gamma distribution (1: exponential, 0: all alike) with this mean and coefficient of
/// variation (not squared), as its quantiles in the middle of equal probabilities, between the tails on lines
/// between every twentieth.
std::vector<double> gammaJobs(double mean, double variation, int count = 10000);

/// One fast machine and several slow ones, for the same jobs; the slow ones also in gangs.
struct QueueSystems {
    QueueSystem fast, slow;
    std::optional<QueueSystem> gangs = {};
};

/// Jobs with their times on a slow machine; the fast one is so many times as fast, and a gang there is one
/// job.
QueueSystems fastAgainstSlow(std::vector<Task> tasks, int machines, double speedUp);

/// The slow machines where each job takes so many of them at once, on which it is so many times as fast.
QueueSystem withGangs(const QueueSystem& slow, int size, double speedUp);

/// All of them at one arrival rate.
struct QueuePlan {
    double rate = 0.0; ///< jobs a second
    QueueAnswer fast, slow;
    std::optional<Estimate> difference; ///< compareResponses() of fast and slow
    std::optional<QueueAnswer> gangs = {};
    std::optional<Estimate> gangDifference = {}; ///< of fast and gangs
};
/// The systems in the order of tables: fast, slow, gangs.
std::vector<QueueAnswer> answersOf(const QueuePlan& plan);
QueuePlan planQueue(const QueueSystems& systems, double rate, const ArrivalStream& stream);

/// What does not depend on the rate: where the answer turns, and the table of variability and load of the
/// middle half of the jobs and of all of them.
struct QueueTurn {
    std::optional<double> rate; ///< findTurningRate()
    std::vector<VariabilityRow> table;
};
inline constexpr std::array<double, 2> kLowAndHighLoad{0.3, 0.9};
QueueTurn findTurn(const QueueSystems& systems, const std::array<double, 2>& loads,
                   const ArrivalStream& stream);

/// Mean responses by formula (meanWaitMGk) over the arrival rates up to 98 % of the larger capacity; infinite
/// where a system is overloaded. For systems without gangs.
struct ResponseCurves {
    std::vector<double> rates, fast, slow;
};
ResponseCurves responseCurves(const QueueSystems& systems);

} // namespace quadric::plan
