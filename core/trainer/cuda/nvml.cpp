// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/nvml.h"

#include "core/trainer/cuda/nvml_functions.h"
#include "core/trainer/cuda/shared_library.h"

#include <algorithm>
#include <array>

namespace quadric::trainer::cuda {

struct Nvml::Functions {
    std::optional<SharedLibrary> library; ///< keeps the functions alive
    NvmlFunctions call;
};

namespace {

/// The last part of the path that the driver knows; empty where it knows none.
std::string nameOfProcess(const NvmlFunctions& call, unsigned pid)
{
    std::array<char, 1024> text{};
    if (call.processName == nullptr || call.processName(pid, text.data(), text.size()) != kNvmlSuccess)
        return {};
    const std::string path(text.data());
    return path.substr(path.find_last_of('/') + 1);
}

std::vector<GpuProcess> processesOn(const NvmlFunctions& call, NvmlDevice device)
{
    constexpr unsigned kMost = 256;
    std::vector<NvmlProcess> found(kMost);
    unsigned count = kMost;
    if (call.processes == nullptr || call.processes(device, &count, found.data()) != kNvmlSuccess)
        return {};
    std::vector<GpuProcess> processes;
    for (unsigned i = 0; i < std::min(count, kMost); ++i) {
        const unsigned long long bytes = found[i].usedGpuMemory;
        processes.push_back({static_cast<int>(found[i].pid), nameOfProcess(call, found[i].pid),
                             bytes == kNvmlMemoryUnknown ? 0 : static_cast<std::int64_t>(bytes)});
    }
    std::ranges::sort(processes, {}, &GpuProcess::pid);
    return processes;
}

bool isSlowed(const NvmlFunctions& call, NvmlDevice device)
{
    unsigned long long reasons = 0;
    return call.clockReasons != nullptr && call.clockReasons(device, &reasons) == kNvmlSuccess &&
           (reasons & (kNvmlSlowdown | kNvmlHeat | kNvmlPowerBrake)) != 0;
}

/// What GPUs and their parts have in common.
template <typename Device> void describeCommon(const NvmlFunctions& call, NvmlDevice handle, Device& device)
{
    std::array<char, 128> text{};
    if (call.name(handle, text.data(), text.size()) == kNvmlSuccess)
        device.name = text.data();
    if (call.uuid(handle, text.data(), text.size()) == kNvmlSuccess)
        device.uuid = text.data();
    NvmlMemory memory{};
    if (call.memory(handle, &memory) == kNvmlSuccess) {
        device.memoryBytes = static_cast<std::int64_t>(memory.total);
        device.freeBytes = static_cast<std::int64_t>(memory.free);
    }
    device.processes = processesOn(call, handle);
}

/// Places for parts may be empty.
std::vector<GpuPart> partsOf(const NvmlFunctions& call, NvmlDevice device)
{
    unsigned most = 0;
    if (call.mostParts == nullptr || call.partByIndex == nullptr ||
        call.mostParts(device, &most) != kNvmlSuccess)
        return {};
    std::vector<GpuPart> parts;
    for (unsigned index = 0; index < most; ++index) {
        NvmlDevice part = nullptr;
        if (call.partByIndex(device, index, &part) == kNvmlSuccess)
            describeCommon(call, part, parts.emplace_back());
    }
    return parts;
}

Gpu describeDevice(const NvmlFunctions& call, NvmlDevice device, int index)
{
    Gpu gpu;
    gpu.index = index;
    describeCommon(call, device, gpu);
    NvmlPci pci{};
    if (call.pci(device, &pci) == kNvmlSuccess)
        gpu.pciId = pci.busId;
    gpu.parts = partsOf(call, device);
    unsigned long long energy = 0;
    gpu.countsEnergy = call.energy != nullptr && call.energy(device, &energy) == kNvmlSuccess;
    gpu.isSlowed = isSlowed(call, device);
    return gpu;
}

void findPeers(const NvmlFunctions& call, const std::vector<NvmlDevice>& devices, std::vector<Gpu>& gpus)
{
    if (call.peerStatus == nullptr)
        return;
    for (std::size_t from = 0; from < devices.size(); ++from) {
        for (std::size_t to = 0; to < devices.size(); ++to) {
            int status = -1;
            const bool isKnown = from != to && call.peerStatus(devices[from], devices[to], kNvmlPeerByNvlink,
                                                               &status) == kNvmlSuccess;
            if (isKnown && status == 0)
                gpus[from].nvlinkPeers.push_back(gpus[to].index);
        }
    }
}

std::vector<NvmlDevice> devicesOf(const NvmlFunctions& call)
{
    unsigned count = 0;
    std::vector<NvmlDevice> devices;
    if (call.count(&count) != kNvmlSuccess)
        return devices;
    for (unsigned index = 0; index < count; ++index) {
        NvmlDevice device = nullptr;
        if (call.handleByIndex(index, &device) == kNvmlSuccess)
            devices.push_back(device);
    }
    return devices;
}

} // namespace

Nvml::Nvml()
    : m_functions(std::make_unique<Functions>())
{
    m_functions->library.emplace("libnvidia-ml.so.1");
    const SharedLibrary& library = *m_functions->library;
    m_whyNot = library.isOpen() ? m_functions->call.load([&](const char* name) { return library.find(name); })
                                : "no NVIDIA driver is installed (" + library.whyNot() + ")";
}

Nvml::Nvml(const Symbols& symbols)
    : m_functions(std::make_unique<Functions>())
{
    m_whyNot = m_functions->call.load(symbols);
}

Nvml::~Nvml()
{
    if (m_whyNot.empty())
        m_functions->call.shutdown();
}

GpuSurvey Nvml::survey() const
{
    GpuSurvey found;
    found.whyNone = m_whyNot;
    if (!m_whyNot.empty())
        return found;
    const NvmlFunctions& call = m_functions->call;
    std::array<char, 96> driver{};
    if (call.driver(driver.data(), driver.size()) == kNvmlSuccess)
        found.driver = driver.data();
    const std::vector<NvmlDevice> devices = devicesOf(call);
    for (std::size_t i = 0; i < devices.size(); ++i)
        found.gpus.push_back(describeDevice(call, devices[i], static_cast<int>(i)));
    findPeers(call, devices, found.gpus);
    if (found.gpus.empty())
        found.whyNone = "the NVIDIA driver " + found.driver + " finds no GPU";
    return found;
}

std::optional<double> Nvml::energyJoules(const std::string& pciId) const
{
    NvmlDevice device = nullptr;
    unsigned long long millijoules = 0;
    const NvmlFunctions& call = m_functions->call;
    if (!m_whyNot.empty() || call.energy == nullptr ||
        call.handleByPciId(pciId.c_str(), &device) != kNvmlSuccess ||
        call.energy(device, &millijoules) != kNvmlSuccess)
        return std::nullopt;
    return static_cast<double>(millijoules) / 1000.0;
}

std::optional<unsigned long long> Nvml::clockReasons(const std::string& pciId) const
{
    NvmlDevice device = nullptr;
    unsigned long long reasons = 0;
    const NvmlFunctions& call = m_functions->call;
    if (!m_whyNot.empty() || call.clockReasons == nullptr ||
        call.handleByPciId(pciId.c_str(), &device) != kNvmlSuccess ||
        call.clockReasons(device, &reasons) != kNvmlSuccess)
        return std::nullopt;
    return reasons;
}

std::optional<double> Nvml::powerWatts(const std::string& pciId) const
{
    NvmlDevice device = nullptr;
    unsigned milliwatts = 0;
    const NvmlFunctions& call = m_functions->call;
    if (!m_whyNot.empty() || call.power == nullptr ||
        call.handleByPciId(pciId.c_str(), &device) != kNvmlSuccess ||
        call.power(device, &milliwatts) != kNvmlSuccess)
        return std::nullopt;
    return milliwatts / 1000.0;
}

} // namespace quadric::trainer::cuda
