// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/live_series.h"

#include "core/machine/units_of_measure.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace quadric::run {

namespace {

TimePoint meanOf(const std::vector<TimePoint>& points, std::size_t first, std::size_t end)
{
    TimePoint mean;
    for (std::size_t i = first; i < end; ++i) {
        mean.seconds += points[i].seconds / static_cast<double>(end - first);
        mean.value += points[i].value / static_cast<double>(end - first);
    }
    return mean;
}

std::vector<TimePoint> thinned(const std::vector<TimePoint>& points, std::size_t most)
{
    if (points.size() <= most || most == 0)
        return points;
    const std::size_t width = (points.size() + most - 1) / most;
    std::vector<TimePoint> means;
    for (std::size_t first = 0; first < points.size(); first += width)
        means.push_back(meanOf(points, first, std::min(first + width, points.size())));
    return means;
}

std::vector<TimePoint> stepTimes(const std::vector<StepSample>& steps)
{
    std::vector<TimePoint> points;
    points.reserve(steps.size());
    for (const StepSample& step : steps)
        points.push_back({step.seconds, step.stepMs});
    return points;
}

bool tellsItems(const std::vector<StepSample>& steps)
{
    return !steps.empty() &&
           std::ranges::all_of(steps, [](const StepSample& step) { return step.items > 0.0; });
}

std::vector<TimePoint> throughput(const std::vector<StepSample>& steps)
{
    const bool countsItems = tellsItems(steps);
    const std::vector<TimePoint> times = stepTimes(steps);
    std::vector<TimePoint> points;
    for (std::size_t first = 0, end = 0; first < times.size(); first = end) {
        double counted = 0.0;
        for (; end < times.size() && std::floor(times[end].seconds) == std::floor(times[first].seconds);
             ++end)
            counted += countsItems ? steps[end].items : 1.0;
        const TimePoint mean = meanOf(times, first, end);
        const double stepsMs = mean.value * static_cast<double>(end - first);
        if (stepsMs > 0.0)
            points.push_back({mean.seconds, machine::kMsPerSecond * counted / stepsMs});
    }
    return points;
}

/// Adds one meter of a node to those of others: `add` of both, or the one that is told.
void combine(std::optional<double>& all, const std::optional<double>& one, double (*add)(double, double))
{
    if (one)
        all = all ? add(*all, *one) : *one;
}

/// What all nodes tell at a moment, each as it was seen last: as Reading says for the GPUs of one.
machine::Reading together(const std::map<std::string, machine::Reading>& nodes, double seconds)
{
    const auto sum = [](double a, double b) { return a + b; };
    const auto most = [](double a, double b) { return std::max(a, b); };
    machine::Reading all{.seconds = seconds,
                         .clockMhz = {},
                         .powerW = {},
                         .temperatureC = {},
                         .busyPct = {},
                         .foreignPct = {}};
    for (const auto& [name, node] : nodes) {
        combine(all.clockMhz, node.clockMhz, sum);
        combine(all.powerW, node.powerW, sum);
        combine(all.temperatureC, node.temperatureC, most);
        combine(all.busyPct, node.busyPct, most);
        combine(all.foreignPct, node.foreignPct, most);
    }
    if (all.clockMhz)
        all.clockMhz = *all.clockMhz / static_cast<double>(std::ranges::count_if(nodes, [](const auto& node) {
            return node.second.clockMhz.has_value();
        }));
    return all;
}

/// Readings of several nodes, which come node by node, as those of one machine.
std::vector<machine::Reading> combineNodeReadings(std::vector<machine::Reading> readings)
{
    std::set<std::string> names;
    for (const machine::Reading& reading : readings)
        names.insert(reading.node);
    if (names.size() < 2)
        return readings;
    std::ranges::stable_sort(readings, {}, &machine::Reading::seconds);
    std::map<std::string, machine::Reading> last;
    std::vector<machine::Reading> all;
    for (const machine::Reading& reading : readings) {
        last.insert_or_assign(reading.node, reading);
        if (last.size() == names.size())
            all.push_back(together(last, reading.seconds));
    }
    return all;
}

std::vector<TimePoint> metered(const std::vector<machine::Reading>& samples,
                               std::optional<double> machine::Reading::*meter)
{
    std::vector<TimePoint> points;
    for (const machine::Reading& reading : combineNodeReadings(samples)) {
        if (const auto value = reading.*meter)
            points.push_back({reading.seconds, *value});
    }
    return points;
}

std::vector<TimePoint> allPoints(const RunSamples& samples, Quantity quantity)
{
    using machine::Reading;
    switch (quantity) {
    case Quantity::Throughput:
        return throughput(samples.steps);
    case Quantity::StepTime:
        return stepTimes(samples.steps);
    case Quantity::Power:
        return metered(samples.machine, &Reading::powerW);
    case Quantity::Clock:
        return metered(samples.machine, &Reading::clockMhz);
    case Quantity::Temperature:
        return metered(samples.machine, &Reading::temperatureC);
    case Quantity::ForeignLoad:
        return metered(samples.machine, &Reading::foreignPct);
    }
    return {};
}

} // namespace

std::string throughputUnit(const RunSamples& samples)
{
    if (!tellsItems(samples.steps))
        return "steps";
    return samples.unit.empty() ? "items" : samples.unit;
}

std::vector<TimePoint> makeResponseSeries(const RunSamples& samples, const std::string& response,
                                          std::size_t most)
{
    std::vector<TimePoint> points;
    for (const ResponseSample& sample : samples.responses) {
        if (sample.response == response)
            points.push_back({sample.seconds, sample.value});
    }
    return thinned(points, most);
}

std::vector<TimePoint> makeTimeSeries(const RunSamples& samples, Quantity quantity, std::size_t most)
{
    return thinned(allPoints(samples, quantity), most);
}

} // namespace quadric::run
