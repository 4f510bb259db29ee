// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_simulation.h"

#include <array>
#include <optional>

namespace quadric::plan {

/// One system under one arrival rate. Rates are jobs a second.
struct QueueAnswer {
    std::string name = {};
    int machines = 1;
    Moments job = {};         ///< of the time that it is served
    double utilization = 0.0; ///< share of the machines' time that is used; 1 and above: jobs pile up
    double capacity = 0.0;    ///< capacityOf()
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

} // namespace quadric::plan
