// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_formulas.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quadric::plan {

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
double capacityOf(const QueueSystem& system, const ArrivalStream& stream);

/// Mean with its 95 % interval of the t distribution; at least two values.
Estimate meanOfBatches(const std::vector<double>& batches);

} // namespace quadric::plan
