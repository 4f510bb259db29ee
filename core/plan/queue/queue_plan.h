// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
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

/// Mean waiting time of M/G/k in the unit of the job's mean; `rate`: arrivals in the same unit of time.
/// (C² + 1)/2 × that of M/M/k (Lee & Longton 1959), which is exact for one machine (Pollaczek–Khinchine) and
/// for exponential jobs, otherwise near. Infinite where rate × mean is at least the number of machines.
double meanWaitMGk(int machines, double rate, const Moments& job);

/// A value with its interval, of 95 % where nothing else is said.
struct Estimate {
    double value = 0.0, low = 0.0, high = 0.0;
};

/// Machines that serve jobs in the order in which they come.
struct QueueSystem {
    std::string name;
    int machines = 1;
    std::vector<double> jobs; ///< s, all equally likely; the same job has the same place in all systems
};

/// Seconds; responses are waiting and being served together.
struct SimulatedQueue {
    Estimate wait, response;
    std::vector<double> batchResponses; ///< mean of each batch
};

inline constexpr int kSimulatedJobs = 100'000;

/// Jobs come by chance (Poisson), `rate` a second. The first tenth fills the queue and is not counted; the
/// rest is cut into 20 batches, whose means give the intervals (batch means; Law 2015, 9.5.3). Systems and
/// rates with one seed see the same jobs, on every machine. Throws std::invalid_argument without jobs,
/// machines or arrivals.
SimulatedQueue simulateQueue(const QueueSystem& system, double rate, std::uint64_t seed,
                             int jobs = kSimulatedJobs);

/// One system under one arrival rate. Rates are jobs a second.
struct QueueAnswer {
    std::string name = {};
    int machines = 1;
    Moments job = {};
    double utilization = 0.0; ///< share of the machines' time that is used; 1 and above: jobs pile up
    double capacity = 0.0;    ///< machines/mean
    std::optional<double> formulaWait = {};       ///< meanWaitMGk(); empty when overloaded
    std::optional<SimulatedQueue> simulated = {}; ///< likewise
};

/// One fast machine and several slow ones, for the same jobs.
struct QueueSystems {
    QueueSystem fast, slow;
};

/// Jobs with their times on a slow machine; the fast one is so many times as fast.
QueueSystems fastAgainstSlow(std::vector<double> jobs, int machines, double speedUp);

/// Jobs a second that the system serves when some are always waiting.
double capacityOf(const QueueSystem& system);

/// Both at one arrival rate.
struct QueuePlan {
    double rate = 0.0; ///< jobs a second
    QueueAnswer fast, slow;
    /// Mean response of the fast one minus that of the slow ones on the same jobs, with the interval of
    /// paired batches; empty where one of them is overloaded.
    std::optional<Estimate> difference = {};
};
QueuePlan planQueue(const QueueSystems& systems, double rate, std::uint64_t seed = 1);

/// Mean responses by formula; infinite where a system is overloaded.
struct ResponseCurves {
    std::vector<double> rates, fast, slow;
};
ResponseCurves responseCurves(const QueueSystems& systems, std::vector<double> rates);

/// Jobs of a gamma distribution (1: exponential, 0: all alike) with this mean and coefficient of variation
/// (not squared), as its quantiles in the middle of 2000 equal probabilities.
std::vector<double> gammaJobs(double mean, double variation);

} // namespace quadric::plan
