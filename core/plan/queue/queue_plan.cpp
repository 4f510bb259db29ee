// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/queue/queue_plan.h"

#include "core/model/base/distributions.h"
#include "core/text/numbers.h"

#include <boost/math/distributions/gamma.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

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

constexpr int kRates = 120;

Moments momentsOfJobs(const QueueSystem& system)
{
    std::vector<double> seconds;
    seconds.reserve(system.tasks.size());
    for (const Task& task : system.tasks)
        seconds.push_back(task.seconds);
    return computeJobMoments(seconds);
}

} // namespace

Moments computeJobMoments(const std::vector<double>& values)
{
    const auto count = static_cast<double>(values.size());
    const double mean = values.empty() ? 0.0 : std::reduce(values.begin(), values.end()) / count;
    if (!(mean > 0.0))
        throw std::invalid_argument("expected jobs that take some time");
    double squares = 0.0;
    for (const double value : values)
        squares += (value - mean) * (value - mean);
    return {mean, squares / count / (mean * mean)};
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

double meanWaitMMk(int machines, double rate, double mean)
{
    const double load = rate * mean;
    return load >= machines ? kForever : erlangC(machines, load) * mean / (machines - load);
}

double meanWaitMG1(double rate, const Moments& job)
{
    const double load = rate * job.mean;
    return load >= 1.0 ? kForever : load * job.mean * (job.squaredVariation + 1.0) / (2.0 * (1.0 - load));
}

double meanWaitMGk(int machines, double rate, const Moments& job)
{
    return (job.squaredVariation + 1.0) / 2.0 * meanWaitMMk(machines, rate, job.mean);
}

double waitQuantileMMk(int machines, double rate, double mean, double probability)
{
    const double load = rate * mean;
    if (load >= machines)
        return kForever;
    const double waits = erlangC(machines, load);
    return std::max(0.0, std::log(waits / (1.0 - probability)) * mean / (machines - load));
}

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

double computeCapacity(const QueueSystem& system, const ArrivalStream& stream)
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

bool hasGangs(const QueueSystem& system)
{
    return std::ranges::any_of(system.tasks, [](const Task& task) { return task.machines > 1; });
}

QueueAnswer answerQueue(const QueueSystem& system, double rate, const ArrivalStream& stream)
{
    QueueAnswer answer{
        .name = system.name, .machines = system.machines, .job = computeJobMoments(secondsOf(system))};
    answer.capacity = computeCapacity(system, stream);
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
    const double most = std::min(computeCapacity(first, stream), computeCapacity(second, stream));
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
    VariabilityRow row{name, computeJobMoments(secondsOf(second)), {}};
    const double capacity = computeCapacity(second, stream);
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
