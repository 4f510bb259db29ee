// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/queue/queue_comparison.h"

#include <boost/math/distributions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kLowestLoad = 0.02;
constexpr int kLoads = 17;
constexpr int kBisections = 6;
constexpr int kBetween = 20;     ///< quantiles of jobs: one of so many is computed,
constexpr int kShareOfTail = 50; ///< and all in the first and last one of so many
/// Differences below this share of the smaller response are none that anybody would act on.
constexpr double kRelevant = 0.05;

std::vector<double> secondsOf(const QueueSystem& system)
{
    std::vector<double> seconds;
    for (const Task& task : system.tasks)
        seconds.push_back(task.seconds);
    return seconds;
}

/// Machine seconds that a job uses on average.
double meanUse(const QueueSystem& system)
{
    double sum = 0.0;
    for (const Task& task : system.tasks)
        sum += task.seconds * task.machines;
    return sum / static_cast<double>(system.tasks.size());
}

Faster judge(const VariabilityCell& cell)
{
    if (!cell.difference) {
        if (cell.first.simulated.has_value() == cell.second.simulated.has_value())
            return Faster::Neither;
        return cell.first.simulated ? Faster::First : Faster::Second;
    }
    const Estimate& difference = *cell.difference;
    const double smaller =
        std::min(cell.first.simulated->response.value, cell.second.simulated->response.value);
    if (difference.low * difference.high <= 0.0 || std::abs(difference.value) < kRelevant * smaller)
        return Faster::Neither;
    return difference.value < 0.0 ? Faster::First : Faster::Second;
}

} // namespace

bool hasGangs(const QueueSystem& system)
{
    return std::ranges::any_of(system.tasks, [](const Task& task) { return task.machines > 1; });
}

QueueAnswer answerQueue(const QueueSystem& system, double rate, const ArrivalStream& stream)
{
    QueueAnswer answer{.name = system.name, .machines = system.machines, .job = momentsOf(secondsOf(system))};
    answer.capacity = capacityOf(system, stream);
    answer.utilization = rate * meanUse(system) / system.machines;
    if (rate >= answer.capacity)
        return answer;
    if (!hasGangs(system))
        answer.formulaWait = meanWaitMGk(system.machines, rate, answer.job);
    answer.simulated = simulateQueue(system, rate, stream);
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

std::optional<double> findTurningRate(const QueueSystem& first, const QueueSystem& second,
                                      const ArrivalStream& stream)
{
    const double most = std::min(capacityOf(first, stream), capacityOf(second, stream));
    const auto difference = [&](double load) {
        return simulateQueue(first, load * most, stream).response.value -
               simulateQueue(second, load * most, stream).response.value;
    };
    double low = kLowestLoad;
    const bool isSlower = difference(low) > 0.0;
    for (int i = 1; i <= kLoads; ++i) {
        double high = kLowestLoad + (kHighestLoad - kLowestLoad) * i / kLoads;
        if ((difference(high) > 0.0) == isSlower) {
            low = high;
            continue;
        }
        for (int step = 0; step < kBisections; ++step) {
            const double middle = (low + high) / 2.0;
            ((difference(middle) > 0.0) == isSlower ? low : high) = middle;
        }
        return (low + high) / 2.0 * most;
    }
    return std::nullopt;
}

VariabilityRow compareVariability(const std::string& name, const QueueSystem& first,
                                  const QueueSystem& second, const std::array<double, 2>& loads,
                                  const ArrivalStream& stream)
{
    VariabilityRow row{name, momentsOf(secondsOf(second)), {}};
    const double capacity = capacityOf(second, stream);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        VariabilityCell& cell = row.cells[i];
        cell.load = loads[i];
        cell.first = answerQueue(first, loads[i] * capacity, stream);
        cell.second = answerQueue(second, loads[i] * capacity, stream);
        cell.difference = compareResponses(cell.first, cell.second);
        cell.faster = judge(cell);
    }
    return row;
}

QueueSystem withMiddleHalf(const QueueSystem& system, const QueueSystem& ordered)
{
    std::vector<std::size_t> order(ordered.tasks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return ordered.tasks[i].seconds; });
    QueueSystem middle{system.name, system.machines, {}};
    const std::size_t from = order.size() / 4;
    for (std::size_t i = from; i < std::max(order.size() - from, from + 1); ++i)
        middle.tasks.push_back(system.tasks[order[i]]);
    return middle;
}

std::vector<double> gammaJobs(double mean, double variation, int count)
{
    if (!(mean > 0.0) || !(variation >= 0.0) || count < 1)
        throw std::invalid_argument("expected a mean above 0 and a variation of at least 0");
    if (variation == 0.0)
        return {mean};
    const double squared = variation * variation;
    const boost::math::gamma_distribution<double> distribution(1.0 / squared, mean * squared);
    const auto quantile = [&](int i) { return boost::math::quantile(distribution, (i + 0.5) / count); };
    std::vector<double> jobs;
    jobs.reserve(static_cast<std::size_t>(count));
    while (std::ssize(jobs) < count) {
        const auto i = static_cast<int>(jobs.size());
        const bool isInTail = std::min(i, count - 1 - i - kBetween) < count / kShareOfTail;
        jobs.push_back(quantile(i));
        if (isInTail)
            continue;
        const double step = (quantile(i + kBetween) - jobs.back()) / kBetween;
        for (int between = 1; between < kBetween; ++between)
            jobs.push_back(jobs.back() + step);
    }
    const double drawn = std::reduce(jobs.begin(), jobs.end()) / count;
    for (double& job : jobs)
        job *= mean / drawn;
    return jobs;
}

} // namespace quadric::plan
