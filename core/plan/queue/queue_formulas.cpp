// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/queue/queue_formulas.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace quadric::plan {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

} // namespace

Moments momentsOf(const std::vector<double>& values)
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

} // namespace quadric::plan
