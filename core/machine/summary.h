// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/contention.h"
#include "core/machine/reader.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace quadric::machine {

/// Smallest, mean and largest of the samples.
struct Range {
    double min = 0.0, mean = 0.0, max = 0.0;
    int count = 0;
    void add(double value);
};

struct DeviceSummary {
    DeviceIdentity identity = {};
    Range clockMhz = {}, memoryClockMhz = {}, powerW = {}; ///< count 0: not told, here and below
    Range temperatureC = {}, memoryMib = {}, busyPct = {};
    std::optional<double> energyJoules = {}; ///< from the counter, or the integral of the power over time
    std::map<std::string, double> throttledPct = {};  ///< reason → share of the samples
    std::vector<GpuProcess> before = {}, during = {}; ///< others' processes
    bool hasOwn = false;                              ///< one of our processes was seen on it
    bool isLost = false;                              ///< since some moment it cannot be used any more
};

/// What was measured about the machine while a run was measured.
struct Summary {
    int samples = 0;
    double seconds = 0.0; ///< from the first sample to the last
    Range clockMhz = {}, temperatureC = {}, load = {};
    bool isOfOwnCores = false;               ///< shares are of the run's own cores, otherwise of all
    double busyPct = 0.0;                    ///< share of the cores
    double foreignPct = 0.0;                 ///< share of the cores that others used
    double ownCores = 0.0;                   ///< processor time of our processes a second
    double haltedSeconds = 0.0;              ///< in which the sampler stood still
    std::optional<double> throttledPct = {}; ///< share of the time that heat held the processor back
    std::vector<DeviceSummary> devices = {};
    std::string driver = {}, cudaVersion = {};
    std::string noDevicesBecause = {}; ///< empty when there are devices
};

/// Shares of the cores between two samples.
machine::CpuShares sharesBetween(const Sample& before, const Sample& after);

/// Takes samples one after another into a summary, without keeping them.
class Recorder {
public:
    explicit Recorder(const Reader& reader);

    void add(const Sample& sample);
    /// How late the next sample is taken, by a clock that goes on while the machine is suspended.
    void addDelay(double seconds);
    /// Users of the device at this place of the reader's list, before the run or during it.
    void addUsers(std::size_t device, const DeviceUsers& users, bool isBefore);

    const Summary& summary() const { return m_summary; }

private:
    void addDevice(DeviceSummary& device, const DeviceSample& sample, const DeviceSample* former,
                   double seconds) const;

    Summary m_summary;
    std::optional<Sample> m_first, m_last;
};

/// Runs that are shorter are not judged: the kernel counts processor time in steps of 10 ms.
inline constexpr double kLeastJudgedSeconds = 1.0;

/// No sample is later unless somebody has stopped the sampler (SIGSTOP, a frozen control group, a suspended
/// machine), and with it most likely what it watches.
inline constexpr double kLongestDelaySeconds = 1.0;

/// Why the run cannot be compared with the others, in words, reasons joined by "; ", without foreignLoad();
/// empty when it can. A GPU at its power limit is in its normal state under full load and disturbs nothing.
std::string disturbance(const Summary& summary);

/// Why the load of others on the processors makes the run one that cannot be compared; empty where it does
/// not. It disturbs only what computes on processors: no run that has a GPU or waits for a job elsewhere.
std::string foreignLoad(const Summary& summary);

/// The sentence that says which GPU of the run was lost while it was executed; empty when none was.
std::string lostDevice(const Summary& summary);

inline constexpr std::chrono::milliseconds kSamplePeriod(100);

/// Samples the machine in a thread of its own, ten times a second, from its making to finish(). Who is on the
/// GPUs is asked at the beginning and once a second.
class Sampler {
public:
    /// Called in the sampler's thread with the sample before (the first one: with itself) and the new one.
    using OnSample = std::function<void(const Sample& before, const Sample& now)>;

    /// Called there once a second and at the end with all that was found so far.
    using OnSummary = std::function<void(const Summary& summary)>;

    Sampler(ReaderOptions options, OnSample onSample, std::chrono::milliseconds period = kSamplePeriod,
            OnSummary onSummary = {});

    /// Ends the thread after a last sample; no call of OnSample comes later.
    Summary finish();

private:
    void work(const std::stop_token& stop);
    void waitUntil(const std::stop_token& stop, std::chrono::steady_clock::time_point time);

    ReaderOptions m_options;
    OnSample m_onSample;
    std::chrono::milliseconds m_period;
    OnSummary m_onSummary;
    Summary m_summary;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_thread; ///< last: it uses the others
};

} // namespace quadric::machine
