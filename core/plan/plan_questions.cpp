// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_questions.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::plan {

namespace {

/// Upwards.
double inTwoDigits(double value)
{
    const double step = std::pow(10.0, std::floor(std::log10(value)) - 1.0);
    return std::ceil(value / step) * step;
}

double usualDeadline(const RunTime& time, double probability)
{
    for (const double seconds : {time.quantile(probability), 2.0 * time.quantile(0.5)})
        if (std::isfinite(seconds) && seconds > 0.0)
            return inTwoDigits(seconds);
    return 1.0;
}

std::vector<Task> jobsOfRuns(const study::Study& study, const model::Fit& fit, const Work& work)
{
    std::vector<Task> jobs;
    for (const study::Run& run : study.runs) {
        const auto result = run.results.find(fit.response);
        if (run.status == study::RunStatus::Done && result != run.results.end() && result->second > 0.0)
            jobs.push_back({secondsOf(work, result->second)});
    }
    if (jobs.empty())
        throw std::invalid_argument("no run is done that tells how long the work takes");
    return jobs;
}

std::vector<Task> spreadJobs(const std::vector<Task>& jobs, double variation)
{
    std::vector<double> seconds;
    for (const Task& job : jobs)
        seconds.push_back(job.seconds);
    std::vector<Task> spread;
    for (const double each : gammaJobs(momentsOf(seconds).mean, variation))
        spread.push_back({each});
    return spread;
}

void requireMachines(int needed, int machines)
{
    if (needed > machines)
        throw std::invalid_argument("A job needs " + std::to_string(needed) +
                                    " machines at once, there are " + std::to_string(machines) +
                                    " slow ones.");
}

} // namespace

DeadlineQuestion deadlineQuestion(const model::Fit& fit, const PlanChoices& choices,
                                  const study::Settings& settings)
{
    DeadlineQuestion question{.work = workOf(fit, choices),
                              .settings = settings,
                              .probability = choices.probability,
                              .largest = choices.largest};
    const RunTime time(fit, question.work, study::Coding(fit.factors).toCoded(settings));
    question.seconds = choices.within.value_or(usualDeadline(time, choices.probability));
    return question;
}

int largestGang(const std::vector<Task>& jobs)
{
    return jobs.empty() ? 1 : std::ranges::max_element(jobs, {}, &Task::machines)->machines;
}

QueueSystems queueQuestion(const study::Study& study, const model::Fit& fit, const PlanChoices& choices)
{
    std::vector<Task> tasks =
        choices.jobs.empty() ? jobsOfRuns(study, fit, workOf(fit, choices)) : choices.jobs;
    if (choices.variation)
        tasks = spreadJobs(tasks, *choices.variation);
    requireMachines(std::max(choices.gang, largestGang(tasks)), choices.machines);
    QueueSystems systems =
        fastAgainstSlow(std::move(tasks), choices.machines, choices.speedUp.value_or(choices.machines));
    if (choices.gang > 1)
        systems.gangs = withGangs(systems.slow, choices.gang, choices.gangSpeedUp.value_or(choices.gang));
    return systems;
}

} // namespace quadric::plan
