// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for NVIDIA's management library: answers from the script named by FAKE_NVML_SCRIPT, a JSON object
// {"driver": "…", "cuda": 12040, "init": 0, "devices": [{"uuid", "name", "pci", "nvlinks": [bus ids of the
// other ends], "moments": [{"clock", "memory_clock", "power_mw", "temperature", "energy_mj", "throttle",
// "used", "busy", "processes": [[pid, bytes]]}]}], "ancestors": [[…]], "peers": [[whether NVLink joins
// two]]}. Each question for the clock moves a device on to its next moment; the last one stays. What a
// moment, a device or the script lacks is not supported; a moment with "error": 15 answers with that.
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

namespace {

using Json = nlohmann::json;

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;

Json script;
std::vector<std::size_t> moments;

std::size_t indexOf(void* device)
{
    return reinterpret_cast<std::size_t>(device) - 1;
}

const Json& momentOf(void* device)
{
    const Json& all = script["devices"][indexOf(device)]["moments"];
    const std::size_t moment = moments[indexOf(device)];
    return all[std::min(moment == 0 ? 0 : moment - 1, all.size() - 1)];
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

const Json& deviceOf(void* device)
{
    return script["devices"][indexOf(device)];
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
    std::ifstream file(std::getenv("FAKE_NVML_SCRIPT"));
    script = Json::parse(file);
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
    *version = script["cuda"];
    return kSuccess;
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

int nvmlDeviceGetUUID(void* device, char* text, unsigned size)
{
    return giveText(script["devices"][indexOf(device)]["uuid"], text, size);
}

int nvmlDeviceGetName(void* device, char* text, unsigned size)
{
    return giveText(script["devices"][indexOf(device)]["name"], text, size);
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

int nvmlDeviceGetP2PStatus(void* a, void* b, int, int* status)
{
    const Json* isLinked = pairOf("peers", a, b);
    if (isLinked)
        *status = isLinked->get<bool>() ? 0 : 5;
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

int nvmlDeviceGetMemoryInfo(void* device, Memory* memory)
{
    return give(device, "used", &memory->used);
}

int nvmlDeviceGetUtilizationRates(void* device, unsigned* gpuAndMemory)
{
    return give(device, "busy", gpuAndMemory);
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
