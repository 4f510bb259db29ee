// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/summary.h"

#include <algorithm>

namespace quadric::machine {

namespace {

constexpr double kAlwaysPct = 100.0;

void add(Range& range, const std::optional<double>& value)
{
    if (value)
        range.add(*value);
}

/// Adds those that are not in the list yet.
void merge(std::vector<GpuProcess>& list, const std::vector<GpuProcess>& more)
{
    for (const GpuProcess& process : more) {
        if (std::ranges::none_of(list, [&](const GpuProcess& each) { return each.pid == process.pid; }))
            list.push_back(process);
    }
}

/// The counter's difference where there is one, otherwise the trapezoid of the power.
double energyBetween(const DeviceSample& a, const DeviceSample& b, double seconds)
{
    if (a.energyJoules && b.energyJoules)
        return *b.energyJoules - *a.energyJoules;
    return a.powerW && b.powerW ? (*a.powerW + *b.powerW) / 2.0 * seconds : 0.0;
}

bool tellsEnergy(const DeviceSample& sample)
{
    return sample.energyJoules || sample.powerW;
}

} // namespace

void Range::add(double value)
{
    ++count;
    min = count == 1 ? value : std::min(min, value);
    max = count == 1 ? value : std::max(max, value);
    mean += (value - mean) / count;
}

machine::CpuShares sharesBetween(const Sample& before, const Sample& after)
{
    return machine::sharesOf(after.cpu.machine - before.cpu.machine,
                             after.cpu.ownSeconds - before.cpu.ownSeconds);
}

Recorder::Recorder(const Reader& reader)
{
    for (const DeviceIdentity& identity : reader.devices())
        m_summary.devices.push_back({.identity = identity});
    m_summary.isOfOwnCores = reader.watchesOwnCores();
    m_summary.driver = reader.nvml().driver();
    m_summary.cudaVersion = reader.nvml().cudaVersion();
    if (const std::string& whyNot = reader.nvml().whyNot(); !whyNot.empty())
        m_summary.noDevicesBecause = "No GPU is watched: " + whyNot;
}

void Recorder::add(const Sample& sample)
{
    ++m_summary.samples;
    machine::add(m_summary.clockMhz, sample.cpu.clockMhz);
    machine::add(m_summary.temperatureC, sample.cpu.temperatureC);
    m_summary.load.add(sample.cpu.load);
    for (std::size_t i = 0; i < sample.devices.size(); ++i)
        addDevice(m_summary.devices[i], sample.devices[i], m_last ? &m_last->devices[i] : nullptr,
                  m_last ? sample.seconds - m_last->seconds : 0.0);
    m_last = sample;
    if (!m_first)
        m_first = sample;
    m_summary.seconds = sample.seconds - m_first->seconds;
    const machine::CpuShares shares = sharesBetween(*m_first, sample);
    m_summary.busyPct = shares.busyPct;
    m_summary.foreignPct = shares.foreignPct;
    if (m_first->cpu.throttleSeconds && sample.cpu.throttleSeconds)
        m_summary.throttledPct = machine::percentOf(
            *sample.cpu.throttleSeconds - *m_first->cpu.throttleSeconds, m_summary.seconds);
}

void Recorder::addDevice(DeviceSummary& device, const DeviceSample& sample, const DeviceSample* former,
                         double seconds) const
{
    machine::add(device.clockMhz, sample.clockMhz);
    machine::add(device.memoryClockMhz, sample.memoryClockMhz);
    machine::add(device.powerW, sample.powerW);
    machine::add(device.temperatureC, sample.temperatureC);
    machine::add(device.memoryMib, sample.memoryMib);
    machine::add(device.busyPct, sample.busyPct);
    device.isLost = device.isLost || sample.isLost;
    if (tellsEnergy(sample))
        device.energyJoules =
            device.energyJoules.value_or(0.0) + (former ? energyBetween(*former, sample, seconds) : 0.0);
    const std::vector<std::string> reasons = machine::namesOf(sample.throttle);
    for (const std::string& reason : reasons)
        device.throttledPct.try_emplace(reason, 0.0);
    for (auto& [reason, pct] : device.throttledPct) {
        const double now = std::ranges::find(reasons, reason) != reasons.end() ? kAlwaysPct : 0.0;
        pct += (now - pct) / m_summary.samples;
    }
}

void Recorder::addUsers(std::size_t device, const DeviceUsers& users, bool isBefore)
{
    DeviceSummary& summary = m_summary.devices[device];
    merge(isBefore ? summary.before : summary.during, users.foreign);
    summary.hasOwn = summary.hasOwn || users.hasOwn;
}

} // namespace quadric::machine
