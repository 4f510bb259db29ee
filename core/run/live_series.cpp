// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/live_series.h"

#include <cmath>

namespace quadric::run {

namespace {

constexpr double kMsPerSecond = 1000.0;

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
    for (const StepSample& step : steps)
        points.push_back({step.seconds, step.stepMs});
    return points;
}

std::vector<TimePoint> throughput(const std::vector<StepSample>& steps)
{
    const std::vector<TimePoint> times = stepTimes(steps);
    std::vector<TimePoint> points;
    for (std::size_t first = 0, end = 0; first < times.size(); first = end) {
        while (end < times.size() && std::floor(times[end].seconds) == std::floor(times[first].seconds))
            ++end;
        const TimePoint mean = meanOf(times, first, end);
        if (mean.value > 0.0)
            points.push_back({mean.seconds, kMsPerSecond / mean.value});
    }
    return points;
}

std::vector<TimePoint> metered(const std::vector<telemetry::Reading>& readings,
                               std::optional<double> telemetry::Reading::*meter)
{
    std::vector<TimePoint> points;
    for (const telemetry::Reading& reading : readings) {
        if (const auto value = reading.*meter)
            points.push_back({reading.seconds, *value});
    }
    return points;
}

std::vector<TimePoint> allPoints(const RunSamples& samples, Quantity quantity)
{
    using telemetry::Reading;
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

std::vector<TimePoint> seriesOf(const RunSamples& samples, Quantity quantity, std::size_t most)
{
    return thinned(allPoints(samples, quantity), most);
}

} // namespace quadric::run
