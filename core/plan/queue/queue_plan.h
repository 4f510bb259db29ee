// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/queue/queue_comparison.h"

#include <functional>

namespace quadric::plan {

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
