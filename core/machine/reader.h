// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"
#include "core/machine/proc.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quadric::machine {

struct CpuSample {
    CpuTimes machine;
    double ownSeconds = 0.0;               ///< processor time of our processes, ended ones included
    double load = 0.0;                     ///< average over one minute
    std::optional<double> clockMhz;        ///< mean of the cores
    std::optional<double> temperatureC;    ///< of the package
    std::optional<double> throttleSeconds; ///< held back by heat since the machine was started
};

/// What was read at one moment.
struct Sample {
    double seconds = 0.0; ///< since sampling began
    CpuSample cpu;
    std::vector<DeviceSample> devices;
};

/// Clock and heat of the processor as Linux tells them below `root`; which files there are is looked up once.
/// The clock is that of `cpus`, empty: of all.
class CpuSensors {
public:
    explicit CpuSensors(const std::filesystem::path& root, const std::vector<int>& cpus = {});

    /// Mean of the cores (of 16 spread over them where there are more), from cpufreq or, without it, from
    /// /proc/cpuinfo.
    std::optional<double> clockMhz() const;

    /// Of the package, or of the first zone or chip that is a processor's.
    std::optional<double> temperatureC() const;

    /// Time for which heat has held the package back since the machine was started (Intel only).
    std::optional<double> throttleSeconds() const;

private:
    std::set<std::string> m_cpus; ///< whose clocks count, by number; empty: all
    std::vector<std::filesystem::path> m_clocks;
    std::filesystem::path m_cpuinfo, m_temperature, m_throttle;
};

struct ReaderOptions {
    std::filesystem::path root = "/";                ///< where proc and sys are
    std::string nvmlLibrary = machine::kNvmlLibrary; ///< empty: no GPU is looked at
    std::vector<std::string> devices = {};           ///< numbers or (starts of) UUIDs of GPUs; empty: all
    int ownPid = 0;                                  ///< its whole tree of processes is ours
    std::string ownJob = {};                         ///< and those of this job of Slurm; empty: of none
    std::vector<int> cpus = {};                      ///< processors that are watched; empty: all
};

/// Others on a device, and whether one of ours was seen there.
struct DeviceUsers {
    std::vector<GpuProcess> foreign;
    bool hasOwn = false;
};

/// Reads processor and GPUs of this machine.
class Reader {
public:
    explicit Reader(ReaderOptions options);

    const std::vector<DeviceIdentity>& devices() const { return m_devices; }
    const machine::Nvml& nvml() const { return m_nvml; }
    /// Only some processors are watched: those of one run among several.
    bool watchesOwnCores() const { return !m_options.cpus.empty(); }

    /// Everything but the users of the devices. `seconds` is left to the caller.
    Sample read();

    /// Who computes on the device. A process is foreign when it is not ours and exists here, or when it was
    /// there before ours began (`before`): inside a container a GPU's list can hold numbers of another world,
    /// of which one may be ours.
    DeviceUsers users(int index, const std::vector<GpuProcess>& before) const;

private:
    std::vector<int> ownProcesses() const;

    ReaderOptions m_options;
    machine::CpuSensors m_sensors;
    machine::Nvml m_nvml;
    std::vector<DeviceIdentity> m_devices; ///< the chosen ones
};

/// Who computes on the GPUs while none of ours does: "GPU 2 is used by python3 (process 4711, 11.5 GiB)";
/// several joined by "; ". Empty: nobody.
std::string usersNow(const ReaderOptions& options);

} // namespace quadric::machine
