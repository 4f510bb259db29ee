// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/queue/queue_simulation.h"

#include "core/model/base/distributions.h"
#include "core/model/base/random_draw.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr std::size_t kBatches = 20;
constexpr std::size_t kFewestJobs = 1000;
constexpr double kQuantile = 0.95;

/// When each machine is free again, ascending (Kiefer & Wolfowitz 1955).
class Machines {
public:
    explicit Machines(int count)
        : m_free(static_cast<std::size_t>(count), 0.0)
    {
    }

    /// When a task starts that comes then.
    double serve(const Task& task, double arrival)
    {
        const auto gang = static_cast<std::ptrdiff_t>(task.machines);
        m_start = std::max({m_start, arrival, m_free[static_cast<std::size_t>(gang) - 1]});
        const double end = m_start + task.seconds;
        const auto place = std::lower_bound(m_free.begin() + gang, m_free.end(), end);
        std::move(m_free.begin() + gang, place, m_free.begin());
        std::fill(place - gang, place, end);
        return m_start;
    }

    double lastEnd() const { return m_free.back(); }

private:
    std::vector<double> m_free;
    double m_start = 0.0;
};

const Task& taskAt(const QueueSystem& system, double pick)
{
    return system.tasks[static_cast<std::size_t>(pick * static_cast<double>(system.tasks.size()))];
}

void requireRunnable(const QueueSystem& system)
{
    if (system.tasks.empty() || system.machines < 1)
        throw std::invalid_argument(system.name + ": expected jobs and at least one machine");
    for (const Task& task : system.tasks)
        if (task.machines < 1 || task.machines > system.machines || !(task.seconds >= 0.0))
            throw std::invalid_argument(system.name + ": a job needs " + std::to_string(task.machines) +
                                        " machines, there are " + std::to_string(system.machines));
}

std::vector<double> batchMeans(const std::vector<double>& values)
{
    std::vector<double> means;
    for (std::size_t batch = 0; batch < kBatches; ++batch) {
        const auto from = static_cast<std::ptrdiff_t>(batch * values.size() / kBatches);
        const auto to = static_cast<std::ptrdiff_t>((batch + 1) * values.size() / kBatches);
        const double sum = std::reduce(values.begin() + from, values.begin() + to);
        means.push_back(sum / static_cast<double>(to - from));
    }
    return means;
}

double quantileOf(std::vector<double> values)
{
    const auto place = static_cast<std::ptrdiff_t>(kQuantile * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[static_cast<std::size_t>(place)];
}

} // namespace

ArrivalStream drawArrivals(int jobs, std::uint64_t seed)
{
    model::RandomBits random(seed);
    ArrivalStream stream;
    for (int i = 0; i < jobs; ++i) {
        stream.gaps.push_back(-std::log(1.0 - model::drawUnit(random)));
        stream.picks.push_back(model::drawUnit(random));
    }
    return stream;
}

Estimate meanOfBatches(const std::vector<double>& batches)
{
    const auto count = static_cast<double>(batches.size());
    const double mean = std::reduce(batches.begin(), batches.end()) / count;
    double squares = 0.0;
    for (const double value : batches)
        squares += (value - mean) * (value - mean);
    const double half = model::tLimit(0.05, count - 1.0) * std::sqrt(squares / (count - 1.0) / count);
    return {mean, mean - half, mean + half};
}

SimulatedQueue simulateQueue(const QueueSystem& system, double rate, const ArrivalStream& stream)
{
    requireRunnable(system);
    if (stream.gaps.size() < kFewestJobs || !(rate > 0.0))
        throw std::invalid_argument("expected at least 1000 jobs and a rate above 0");
    Machines machines(system.machines);
    const std::size_t filling = stream.gaps.size() / 10;
    std::vector<double> waits, responses;
    waits.reserve(stream.gaps.size());
    responses.reserve(stream.gaps.size());
    double now = 0.0;
    for (std::size_t i = 0; i < stream.gaps.size(); ++i) {
        now += stream.gaps[i] / rate;
        const Task& task = taskAt(system, stream.picks[i]);
        const double wait = machines.serve(task, now) - now;
        if (i < filling)
            continue;
        waits.push_back(wait);
        responses.push_back(wait + task.seconds);
    }
    SimulatedQueue result;
    result.batchResponses = batchMeans(responses);
    result.wait = meanOfBatches(batchMeans(waits));
    result.response = meanOfBatches(result.batchResponses);
    result.waitQuantile = quantileOf(std::move(waits));
    result.responseQuantile = quantileOf(std::move(responses));
    return result;
}

double capacityOf(const QueueSystem& system, const ArrivalStream& stream)
{
    requireRunnable(system);
    if (std::ranges::all_of(system.tasks, [](const Task& task) { return task.machines == 1; })) {
        const double total =
            std::transform_reduce(system.tasks.begin(), system.tasks.end(), 0.0, std::plus<>(),
                                  [](const Task& task) { return task.seconds; });
        return system.machines * static_cast<double>(system.tasks.size()) / total;
    }
    Machines machines(system.machines);
    for (const double pick : stream.picks)
        machines.serve(taskAt(system, pick), 0.0);
    return static_cast<double>(stream.picks.size()) / machines.lastEnd();
}

} // namespace quadric::plan
