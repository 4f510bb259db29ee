// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/cpu_sensors.h"
#include "core/machine/sample.h"

#include <filesystem>
#include <map>

namespace quadric::machine {

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

} // namespace quadric::machine
