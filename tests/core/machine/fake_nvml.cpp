// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for NVIDIA's management library: answers from the script named by FAKE_NVML_SCRIPT, a JSON object
// {"driver": "…", "cuda": 12040, "init": 0, "devices": [{"uuid", "name", "pci", "memory": [total, free],
// "nvlinks": [bus ids of the other ends], "parts": [devices or null, of a GPU in MIG mode], "moments":
// [{"clock", "memory_clock", "power_mw", "temperature", "energy_mj", "throttle", "used", "busy", "processes":
// [[pid, bytes]]}]}], "ancestors": [[…]], "peers": [[whether NVLink joins two]], "programs": {pid: path}}.
// Each question for the clock moves a device on to its next moment; the last one stays. What a moment, a
// device or the script lacks is not supported; a moment with "error": 15 answers with that.
// Without a script there are PLAYED_GPUS GPUs (8), joined by NVLink in islands of four; GPU 2 is used by
// somebody, GPU 3 is hot, GPU 5 is held at less power, GPU 6 sits in a narrow slot.
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

namespace {

using Json = nlohmann::json;

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;

constexpr int kNotFound = 6;
constexpr std::size_t kFirstPart = 1000; ///< handles of GPUs are smaller
constexpr unsigned long long kGib = 1ULL << 30;

Json script;
std::vector<std::size_t> moments;

std::size_t indexOf(void* device)
{
    return reinterpret_cast<std::size_t>(device) % kFirstPart - 1;
}

/// A GPU, or the part of one.
const Json& deviceOf(void* device)
{
    const Json& gpu = script["devices"][indexOf(device)];
    const std::size_t place = reinterpret_cast<std::size_t>(device) / kFirstPart;
    return place == 0 ? gpu : gpu["parts"][place - 1];
}

const Json& momentOf(void* device)
{
    static const Json none = Json::object();
    const auto all = deviceOf(device).find("moments");
    if (all == deviceOf(device).end() || all->empty())
        return none;
    const std::size_t moment = moments[indexOf(device)];
    return (*all)[std::min(moment == 0 ? 0 : moment - 1, all->size() - 1)];
}

Json playedGpu(unsigned index)
{
    char pci[32] = {}, uuid[32] = {};
    std::snprintf(pci, sizeof(pci), "00000000:%02X:00.0", 0x18 + 0x11 * index);
    std::snprintf(uuid, sizeof(uuid), "GPU-%08x", index + 1);
    Json moment = {{"throttle", index == 3 ? 0x40 : 0x1},
                   {"power_limit_mw", index == 5 ? 500000 : 700000},
                   {"pcie_lanes", index == 6 ? 8 : 16},
                   {"pcie_most_lanes", 16}};
    if (index == 2)
        moment["processes"] = {{4711, 23 * kGib / 2}};
    return {{"uuid", uuid},
            {"name", "NVIDIA H100 80GB HBM3"},
            {"pci", pci},
            {"memory", {80 * kGib, 80 * kGib - (index == 2 ? 12 * kGib : kGib / 2)}},
            {"moments", {moment}}};
}

Json playedMachine()
{
    const char* asked = std::getenv("PLAYED_GPUS");
    const unsigned count = asked == nullptr ? 8U : static_cast<unsigned>(std::atoi(asked));
    Json played = {{"driver", "580.65.06"},
                   {"devices", Json::array()},
                   {"peers", Json::array()},
                   {"programs", {{"4711", "/opt/conda/bin/python3"}}}};
    for (unsigned i = 0; i < count; ++i) {
        played["devices"].push_back(playedGpu(i));
        Json& peers = played["peers"].emplace_back(Json::array());
        for (unsigned j = 0; j < count; ++j)
            peers.push_back(i / 4 == j / 4);
    }
    return played;
}

template <typename Number> int give(void* device, const char* name, Number* value)
{
    const Json& moment = momentOf(device);
    if (moment.contains("error"))
        return moment["error"];
    if (!moment.contains(name))
        return kNotSupported;
    *value = moment[name].get<Number>();
    return kSuccess;
}

/// What a matrix of the script, if it has it, says about two devices.
const Json* pairOf(const char* matrix, void* a, void* b)
{
    return script.contains(matrix) ? &script[matrix][indexOf(a)][indexOf(b)] : nullptr;
}

int giveText(const Json& text, char* to, unsigned size)
{
    std::strncpy(to, text.get<std::string>().c_str(), size - 1);
    return kSuccess;
}

struct Memory {
    unsigned long long total, free, used;
};

struct Pci {
    char busIdLegacy[16];
    unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
};

struct Process {
    unsigned pid;
    unsigned long long usedMemory;
    unsigned gpuInstance, computeInstance;
};

} // namespace

extern "C" {

int nvmlInit_v2()
{
    const char* path = std::getenv("FAKE_NVML_SCRIPT");
    std::ifstream file(path == nullptr ? "" : path);
    script = path == nullptr ? playedMachine() : Json::parse(file);
    moments.assign(script["devices"].size(), 0);
    return script.value("init", kSuccess);
}

int nvmlShutdown()
{
    return kSuccess;
}

const char* nvmlErrorString(int)
{
    return "Driver Not Loaded";
}

int nvmlSystemGetDriverVersion(char* text, unsigned size)
{
    return giveText(script["driver"], text, size);
}

int nvmlSystemGetCudaDriverVersion(int* version)
{
    *version = script.value("cuda", 0);
    return script.contains("cuda") ? kSuccess : kNotSupported;
}

int nvmlDeviceGetCount_v2(unsigned* count)
{
    *count = static_cast<unsigned>(script["devices"].size());
    return kSuccess;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device)
{
    *device = reinterpret_cast<void*>(static_cast<std::size_t>(index) + 1);
    return kSuccess;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device)
{
    for (std::size_t i = 0; i < script["devices"].size(); ++i) {
        *device = reinterpret_cast<void*>(i + 1);
        if (deviceOf(*device).value("pci", "") == id)
            return kSuccess;
    }
    return kNotFound;
}

int nvmlDeviceGetMaxMigDeviceCount(void* device, unsigned* count)
{
    *count = static_cast<unsigned>(deviceOf(device).value("parts", Json::array()).size());
    return kSuccess;
}

int nvmlDeviceGetMigDeviceHandleByIndex(void* device, unsigned place, void** part)
{
    *part = reinterpret_cast<void*>(reinterpret_cast<std::size_t>(device) + kFirstPart * (place + 1));
    return deviceOf(*part).is_null() ? kNotFound : kSuccess;
}

int nvmlDeviceGetUUID(void* device, char* text, unsigned size)
{
    return giveText(deviceOf(device)["uuid"], text, size);
}

int nvmlDeviceGetName(void* device, char* text, unsigned size)
{
    return giveText(deviceOf(device)["name"], text, size);
}

int nvmlDeviceGetPciInfo_v3(void* device, Pci* pci)
{
    return deviceOf(device).contains("pci") ? giveText(deviceOf(device)["pci"], pci->busId, sizeof pci->busId)
                                            : kNotSupported;
}

int nvmlDeviceGetNvLinkState(void* device, unsigned link, unsigned* isActive)
{
    *isActive = link < deviceOf(device).value("nvlinks", Json::array()).size() ? 1 : 0;
    return kSuccess;
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* device, unsigned link, Pci* pci)
{
    return giveText(deviceOf(device)["nvlinks"][link], pci->busId, sizeof pci->busId);
}

int nvmlDeviceGetP2PStatus(void* a, void* b, int what, int* status)
{
    const Json* isLinked = pairOf("peers", a, b);
    if (isLinked)
        *status = isLinked->get<bool>() && what == 2 ? 0 : 5;
    return isLinked ? kSuccess : kNotSupported;
}

int nvmlDeviceGetTopologyCommonAncestor(void* a, void* b, unsigned* ancestor)
{
    const Json* level = pairOf("ancestors", a, b);
    if (level)
        *ancestor = level->get<unsigned>();
    return level ? kSuccess : kNotSupported;
}

int nvmlDeviceGetClockInfo(void* device, int which, unsigned* mhz)
{
    if (which == 1)
        ++moments[indexOf(device)];
    return give(device, which == 1 ? "clock" : "memory_clock", mhz);
}

int nvmlDeviceGetPowerUsage(void* device, unsigned* milliwatt)
{
    return give(device, "power_mw", milliwatt);
}

int nvmlDeviceGetEnforcedPowerLimit(void* device, unsigned* milliwatt)
{
    return give(device, "power_limit_mw", milliwatt);
}

int nvmlDeviceGetMaxClockInfo(void* device, int, unsigned* mhz)
{
    return give(device, "most_clock", mhz);
}

int nvmlDeviceGetCurrPcieLinkGeneration(void* device, unsigned* generation)
{
    return give(device, "pcie_generation", generation);
}

int nvmlDeviceGetCurrPcieLinkWidth(void* device, unsigned* lanes)
{
    return give(device, "pcie_lanes", lanes);
}

int nvmlDeviceGetMaxPcieLinkWidth(void* device, unsigned* lanes)
{
    return give(device, "pcie_most_lanes", lanes);
}

int nvmlDeviceGetPersistenceMode(void* device, unsigned* isOn)
{
    return give(device, "persistent", isOn);
}

int nvmlDeviceGetEccMode(void* device, int* current, int* pending)
{
    *pending = 0;
    return give(device, "ecc", current);
}

int nvmlDeviceGetTemperature(void* device, int, unsigned* celsius)
{
    return give(device, "temperature", celsius);
}

int nvmlDeviceGetTotalEnergyConsumption(void* device, unsigned long long* millijoule)
{
    return give(device, "energy_mj", millijoule);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons)
{
    return give(device, "throttle", reasons);
}

/// "violations": for each policy microseconds so far, and nanoseconds of them in which it held the clocks
/// down.
int nvmlDeviceGetViolationStatus(void* device, int policy, unsigned long long* referenceAndViolation)
{
    const Json& moment = momentOf(device);
    const auto index = static_cast<std::size_t>(policy);
    if (!moment.contains("violations") || index >= moment["violations"].size())
        return kNotSupported;
    for (std::size_t i = 0; i < 2; ++i)
        referenceAndViolation[i] =
            static_cast<unsigned long long>(moment["violations"][index][i].get<double>());
    return kSuccess;
}

int nvmlDeviceGetMemoryInfo(void* device, Memory* memory)
{
    if (deviceOf(device).contains("memory")) {
        const auto [total, free] = deviceOf(device)["memory"].get<std::pair<std::size_t, std::size_t>>();
        *memory = {total, free, total - free};
        return kSuccess;
    }
    return give(device, "used", &memory->used);
}

int nvmlDeviceGetUtilizationRates(void* device, unsigned* gpuAndMemory)
{
    return give(device, "busy", gpuAndMemory);
}

int nvmlSystemGetProcessName(unsigned pid, char* text, unsigned size)
{
    const Json programs = script.value("programs", Json::object());
    const std::string number = std::to_string(pid);
    return programs.contains(number) ? giveText(programs[number], text, size) : kNotFound;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, Process* processes)
{
    const Json& moment = momentOf(device);
    *count = 0;
    for (const Json& process : moment.value("processes", Json::array()))
        processes[(*count)++] = {process[0], process[1], 0, 0};
    return kSuccess;
}
}
