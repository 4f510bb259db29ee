// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/queue/queue_plan.h"

#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::plan {

namespace {

constexpr int kRates = 120;

Moments momentsOfJobs(const QueueSystem& system)
{
    std::vector<double> seconds;
    seconds.reserve(system.tasks.size());
    for (const Task& task : system.tasks)
        seconds.push_back(task.seconds);
    return momentsOf(seconds);
}

} // namespace

QueueSystems fastAgainstSlow(std::vector<Task> tasks, int machines, double speedUp)
{
    QueueSystems systems;
    systems.slow = {std::to_string(machines) + " slow", machines, tasks};
    for (Task& task : tasks)
        task = {task.seconds / speedUp, 1};
    systems.fast = {"1 fast (" + text::formatBriefly(speedUp) + " × as fast)", 1, std::move(tasks)};
    return systems;
}

QueueSystem withGangs(const QueueSystem& slow, int size, double speedUp)
{
    QueueSystem gangs{slow.name + ", " + std::to_string(size) + " a job", slow.machines, {}};
    gangs.tasks.reserve(slow.tasks.size());
    for (const Task& task : slow.tasks)
        gangs.tasks.push_back({task.seconds / speedUp, size});
    return gangs;
}

QueuePlan planQueue(const QueueSystems& systems, double rate, const ArrivalStream& stream)
{
    QueuePlan plan{
        rate, answerQueue(systems.fast, rate, stream), answerQueue(systems.slow, rate, stream), {}, {}, {}};
    plan.difference = compareResponses(plan.fast, plan.slow);
    if (systems.gangs) {
        plan.gangs = answerQueue(*systems.gangs, rate, stream);
        plan.gangDifference = compareResponses(plan.fast, *plan.gangs);
    }
    return plan;
}

std::vector<QueueAnswer> answersOf(const QueuePlan& plan)
{
    std::vector<QueueAnswer> answers{plan.fast, plan.slow};
    if (plan.gangs)
        answers.push_back(*plan.gangs);
    return answers;
}

QueueTurn findTurn(const QueueSystems& systems, const std::array<double, 2>& loads,
                   const ArrivalStream& stream)
{
    const QueueSystem &fast = systems.fast, &slow = systems.slow;
    return {findTurningRate(fast, slow, stream),
            {compareVariability("middle half of the jobs", withMiddleHalf(fast, slow),
                                withMiddleHalf(slow, slow), loads, stream),
             compareVariability("all jobs", fast, slow, loads, stream)}};
}

ResponseCurves responseCurves(const QueueSystems& systems)
{
    const Moments fast = momentsOfJobs(systems.fast), slow = momentsOfJobs(systems.slow);
    const double most =
        kHighestLoad * std::max(systems.fast.machines / fast.mean, systems.slow.machines / slow.mean);
    ResponseCurves curves;
    for (int i = 1; i <= kRates; ++i) {
        const double rate = most * i / kRates;
        curves.rates.push_back(rate);
        curves.fast.push_back(fast.mean + meanWaitMGk(systems.fast.machines, rate, fast));
        curves.slow.push_back(slow.mean + meanWaitMGk(systems.slow.machines, rate, slow));
    }
    return curves;
}

} // namespace quadric::plan
