// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/reader.h"

#include "core/machine/job_processes.h"

#include <algorithm>

namespace quadric::machine {

namespace {

bool isChosen(const DeviceIdentity& device, const std::vector<std::string>& wanted)
{
    return wanted.empty() || std::ranges::any_of(wanted, [&device](const std::string& entry) {
               return machine::isMeant(entry, device.index, device.uuid);
           });
}

} // namespace

Reader::Reader(ReaderOptions options)
    : m_options(std::move(options))
    , m_sensors(m_options.root, m_options.cpus)
    , m_nvml(m_options.nvmlLibrary)
{
    for (const DeviceIdentity& device : m_nvml.devices()) {
        if (isChosen(device, m_options.devices))
            m_devices.push_back(device);
    }
}

std::vector<int> Reader::ownProcesses() const
{
    std::vector<int> own = machine::processTree(m_options.root, m_options.ownPid);
    if (!m_options.ownJob.empty()) {
        const std::vector<int> job = processesOfJob(m_options.root, m_options.ownJob);
        own.insert(own.end(), job.begin(), job.end());
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
    }
    return own;
}

Sample Reader::read()
{
    Sample sample;
    sample.cpu.machine = machine::readCpuTimes(m_options.root, m_options.cpus).value_or(CpuTimes{});
    sample.cpu.ownSeconds = machine::processSeconds(m_options.root, ownProcesses());
    sample.cpu.load = machine::readLoad(m_options.root);
    sample.cpu.clockMhz = m_sensors.clockMhz();
    sample.cpu.temperatureC = m_sensors.temperatureC();
    sample.cpu.throttleSeconds = m_sensors.throttleSeconds();
    for (const DeviceIdentity& device : m_devices)
        sample.devices.push_back(m_nvml.read(device.index));
    return sample;
}

DeviceUsers Reader::users(int index, const std::vector<GpuProcess>& before) const
{
    DeviceUsers users;
    const std::vector<int> own = ownProcesses();
    for (GpuProcess process : m_nvml.processes(index)) {
        const auto isSame = [&process](const GpuProcess& other) { return other.pid == process.pid; };
        process.name = machine::processName(m_options.root, process.pid);
        if (std::ranges::find(own, process.pid) != own.end())
            users.hasOwn = true;
        else if (!process.name.empty() || std::ranges::any_of(before, isSame))
            users.foreign.push_back(process);
    }
    return users;
}

} // namespace quadric::machine
