// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/queue/queue_plan.h"

#include "core/model/base/distributions.h"
#include "core/text/numbers.h"

#include <boost/math/distributions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <queue>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();
constexpr std::size_t kBatches = 20;
constexpr int kQuantiles = 2000;

double meanOf(const std::vector<double>& values)
{
    return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

std::vector<double> batchMeans(const std::vector<double>& values)
{
    std::vector<double> means;
    for (std::size_t batch = 0; batch < kBatches; ++batch) {
        const auto from = static_cast<std::ptrdiff_t>(batch * values.size() / kBatches);
        const auto to = static_cast<std::ptrdiff_t>((batch + 1) * values.size() / kBatches);
        means.push_back(meanOf({values.begin() + from, values.begin() + to}));
    }
    return means;
}

/// With the 95 % interval of the t distribution.
Estimate meanOfBatches(const std::vector<double>& batches)
{
    const auto count = static_cast<double>(batches.size());
    const double mean = meanOf(batches);
    double squares = 0.0;
    for (const double value : batches)
        squares += (value - mean) * (value - mean);
    const double half = model::tLimit(0.05, count - 1.0) * std::sqrt(squares / (count - 1.0) / count);
    return {mean, mean - half, mean + half};
}

QueueAnswer answerQueue(const QueueSystem& system, double rate, std::uint64_t seed)
{
    QueueAnswer answer{
        .name = system.name, .machines = system.machines, .job = computeJobMoments(system.jobs)};
    answer.capacity = capacityOf(system);
    answer.utilization = rate / answer.capacity;
    if (rate >= answer.capacity)
        return answer;
    answer.formulaWait = meanWaitMGk(system.machines, rate, answer.job);
    answer.simulated = simulateQueue(system, rate, seed);
    return answer;
}

std::optional<Estimate> compareResponses(const QueueAnswer& first, const QueueAnswer& second)
{
    if (!first.simulated || !second.simulated)
        return std::nullopt;
    std::vector<double> differences = first.simulated->batchResponses;
    for (std::size_t i = 0; i < differences.size(); ++i)
        differences[i] -= second.simulated->batchResponses[i];
    return meanOfBatches(differences);
}

std::vector<double> formulaResponses(const QueueSystem& system, const std::vector<double>& rates)
{
    const Moments job = computeJobMoments(system.jobs);
    std::vector<double> responses;
    responses.reserve(rates.size());
    for (const double rate : rates)
        responses.push_back(job.mean + meanWaitMGk(system.machines, rate, job));
    return responses;
}

} // namespace

Moments computeJobMoments(const std::vector<double>& values)
{
    const double mean = values.empty() ? 0.0 : meanOf(values);
    if (!(mean > 0.0))
        throw std::invalid_argument("expected jobs that take some time");
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, squares / static_cast<double>(values.size()) / (mean * mean)};
}

double erlangC(int machines, double load)
{
    if (machines < 1 || !(load >= 0.0))
        throw std::invalid_argument("expected at least one machine and a load of at least 0");
    if (load >= machines)
        return 1.0;
    double blocked = 1.0; // Erlang B
    for (int k = 1; k <= machines; ++k)
        blocked = load * blocked / (k + load * blocked);
    return blocked / (1.0 - load / machines * (1.0 - blocked));
}

double meanWaitMGk(int machines, double rate, const Moments& job)
{
    const double load = rate * job.mean;
    if (load >= machines)
        return kForever;
    return (job.squaredVariation + 1.0) / 2.0 * erlangC(machines, load) * job.mean / (machines - load);
}

SimulatedQueue simulateQueue(const QueueSystem& system, double rate, std::uint64_t seed, int jobs)
{
    if (system.jobs.empty() || system.machines < 1 || !(rate > 0.0))
        throw std::invalid_argument(system.name + ": expected jobs, at least one machine and a rate above 0");
    model::RandomBits random(seed);
    // When each machine is free again (Kiefer & Wolfowitz 1955).
    std::priority_queue<double, std::vector<double>, std::greater<>> machines(
        {}, std::vector<double>(static_cast<std::size_t>(system.machines)));
    std::vector<double> waits, responses;
    double now = 0.0;
    for (int i = 0; i < jobs; ++i) {
        now -= std::log(1.0 - model::drawUnit(random)) / rate;
        const double place = model::drawUnit(random) * static_cast<double>(system.jobs.size());
        const double seconds = system.jobs[static_cast<std::size_t>(place)];
        const double start = std::max(now, machines.top());
        machines.pop();
        machines.push(start + seconds);
        if (i < jobs / 10)
            continue;
        waits.push_back(start - now);
        responses.push_back(start - now + seconds);
    }
    std::vector<double> batchResponses = batchMeans(responses);
    return {meanOfBatches(batchMeans(waits)), meanOfBatches(batchResponses), std::move(batchResponses)};
}

QueueSystems fastAgainstSlow(std::vector<double> jobs, int machines, double speedUp)
{
    QueueSystems systems;
    systems.slow = {std::to_string(machines) + " slow", machines, jobs};
    for (double& job : jobs)
        job /= speedUp;
    systems.fast = {"1 fast (" + text::formatBriefly(speedUp) + " × as fast)", 1, std::move(jobs)};
    return systems;
}

double capacityOf(const QueueSystem& system)
{
    return system.machines / computeJobMoments(system.jobs).mean;
}

QueuePlan planQueue(const QueueSystems& systems, double rate, std::uint64_t seed)
{
    QueuePlan plan{rate, answerQueue(systems.fast, rate, seed), answerQueue(systems.slow, rate, seed),
                   std::nullopt};
    plan.difference = compareResponses(plan.fast, plan.slow);
    return plan;
}

ResponseCurves responseCurves(const QueueSystems& systems, std::vector<double> rates)
{
    ResponseCurves curves;
    curves.fast = formulaResponses(systems.fast, rates);
    curves.slow = formulaResponses(systems.slow, rates);
    curves.rates = std::move(rates);
    return curves;
}

std::vector<double> gammaJobs(double mean, double variation)
{
    if (!(mean > 0.0) || !(variation >= 0.0))
        throw std::invalid_argument("expected a mean above 0 and a variation of at least 0");
    if (variation == 0.0)
        return {mean};
    const double squared = variation * variation;
    const boost::math::gamma_distribution<double> distribution(1.0 / squared, mean * squared);
    std::vector<double> jobs;
    jobs.reserve(kQuantiles);
    for (int i = 0; i < kQuantiles; ++i)
        jobs.push_back(boost::math::quantile(distribution, (i + 0.5) / kQuantiles));
    const double drawn = meanOf(jobs);
    for (double& job : jobs)
        job *= mean / drawn;
    return jobs;
}

} // namespace quadric::plan
