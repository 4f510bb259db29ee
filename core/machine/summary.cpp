// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/summary.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <utility>

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

std::string nameOf(const DeviceSummary& device)
{
    return "GPU " + std::to_string(device.identity.index);
}

void addThrottling(const DeviceSummary& device, std::string& reasons)
{
    for (const machine::ClockReason& reason : machine::kClockReasons) {
        const auto share = device.throttledPct.find(reason.name);
        if (share != device.throttledPct.end())
            machine::addReason(reasons, machine::whyClocksDisturb(nameOf(device), reason, share->second));
    }
}

void addSharing(const DeviceSummary& device, std::string& reasons)
{
    const std::vector<GpuProcess>& others = device.during;
    if (others.empty())
        return;
    const std::string first =
        others.front().name.empty() ? "process " + std::to_string(others.front().pid) : others.front().name;
    const std::string more = others.size() == 1 ? "" : " and " + std::to_string(others.size() - 1) + " more";
    machine::addReason(reasons, nameOf(device) + " was shared with " + first + more);
}

/// Where our processes can be seen on the devices, those without one were not used by the run.
std::vector<const DeviceSummary*> usedDevices(const Summary& summary)
{
    const bool isKnown = std::ranges::any_of(summary.devices, &DeviceSummary::hasOwn);
    std::vector<const DeviceSummary*> used;
    for (const DeviceSummary& device : summary.devices) {
        if (device.hasOwn || !isKnown)
            used.push_back(&device);
    }
    return used;
}

bool computesOn(const DeviceSummary& device)
{
    const bool isBusyForUs = device.before.empty() && device.during.empty() &&
                             device.busyPct.mean > machine::kDisturbedPct; // seen from inside a container
    return device.hasOwn || isBusyForUs;
}

/// False of a run that computes on GPUs, or waits for what is done elsewhere.
bool computesOnProcessors(const Summary& summary)
{
    constexpr double kLeastCores = 0.1;
    return summary.ownCores >= kLeastCores && std::ranges::none_of(summary.devices, computesOn);
}

double bootSeconds()
{
    constexpr double kNanosecond = 1e-9;
    timespec now{};
    ::clock_gettime(CLOCK_BOOTTIME, &now);
    return static_cast<double>(now.tv_sec) + kNanosecond * static_cast<double>(now.tv_nsec);
}

using Clock = std::chrono::steady_clock;

constexpr int kSamplesPerLookAtUsers = 10;

void lookAtUsers(const Reader& reader, Recorder& recorder, bool isBefore)
{
    const std::vector<DeviceSummary>& known = recorder.summary().devices;
    for (std::size_t i = 0; i < known.size(); ++i)
        recorder.addUsers(i, reader.users(known[i].identity.index, known[i].before), isBefore);
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
    return machine::computeCpuShares(after.cpu.machine - before.cpu.machine,
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
    if (m_summary.seconds > 0.0)
        m_summary.ownCores = (sample.cpu.ownSeconds - m_first->cpu.ownSeconds) / m_summary.seconds;
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

void Recorder::addDelay(double seconds)
{
    if (seconds > kLongestDelaySeconds)
        m_summary.haltedSeconds += seconds;
}

std::string disturbance(const Summary& summary)
{
    std::string reasons;
    if (summary.haltedSeconds > 0.0)
        reasons = "this machine or its watcher stood still for " +
                  std::to_string(std::lround(summary.haltedSeconds)) + " s";
    if (summary.seconds < kLeastJudgedSeconds)
        return reasons;
    const double hotPct = summary.throttledPct.value_or(0.0);
    if (hotPct > machine::kDisturbedPct && computesOnProcessors(summary))
        machine::addReason(reasons, "heat held the processor back for " +
                                        std::to_string(std::lround(hotPct)) + " % of the run");
    for (const DeviceSummary* device : usedDevices(summary)) {
        addThrottling(*device, reasons);
        addSharing(*device, reasons);
    }
    return reasons;
}

std::string foreignLoad(const Summary& summary)
{
    if (summary.seconds < kLeastJudgedSeconds || !computesOnProcessors(summary))
        return {};
    return machine::whyProcessorsDisturb({.foreignPct = summary.foreignPct},
                                         summary.isOfOwnCores ? "the run's cores" : "the machine");
}

std::string lostDevice(const Summary& summary)
{
    for (const DeviceSummary* device : usedDevices(summary)) {
        if (device->isLost)
            return nameOf(*device) + " (" + device->identity.uuid +
                   ") was lost: the driver cannot reach it any more";
    }
    return {};
}

Sampler::Sampler(ReaderOptions options, OnSample onSample, std::chrono::milliseconds period,
                 OnSummary onSummary)
    : m_options(std::move(options))
    , m_onSample(std::move(onSample))
    , m_period(period)
    , m_onSummary(std::move(onSummary))
    , m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

Summary Sampler::finish()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
    return m_summary;
}

/// Returns at that time, or earlier when the thread is to end.
void Sampler::waitUntil(const std::stop_token& stop, Clock::time_point time)
{
    std::unique_lock lock(m_mutex);
    m_wake.wait_until(lock, stop, time, [] { return false; });
}

void Sampler::work(const std::stop_token& stop)
{
    Reader reader(m_options);
    Recorder recorder(reader);
    lookAtUsers(reader, recorder, true);
    const Clock::time_point start = Clock::now();
    const double period = std::chrono::duration<double>(m_period).count();
    double last = bootSeconds();
    std::optional<Sample> before;
    bool isLast = false;
    for (int count = 1; !isLast; ++count) {
        isLast = stop.stop_requested();
        const Clock::time_point next = Clock::now() + m_period;
        const double began = bootSeconds();
        recorder.addDelay(began - std::exchange(last, began) - period);
        Sample now = reader.read();
        now.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        recorder.add(now);
        if (isLast || count % kSamplesPerLookAtUsers == 0) {
            lookAtUsers(reader, recorder, false);
            if (m_onSummary)
                m_onSummary(recorder.summary());
        }
        m_onSample(before.value_or(now), now);
        before = std::move(now);
        waitUntil(stop, next);
    }
    m_summary = recorder.summary();
}

} // namespace quadric::machine
