// SPDX-License-Identifier: GPL-3.0-or-later
// Stands for NVIDIA's management library where the trainer opens it: PLAYED_GPUS GPUs (8), joined by NVLink
// in islands of four; GPU 2 is used by somebody, GPU 3 is hot.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cstring>

namespace {

constexpr int kSuccess = 0;
constexpr int kNotSupported = 3;
constexpr int kNotFound = 6;
constexpr unsigned kIsland = 4;
constexpr unsigned long long kGib = 1ULL << 30;

unsigned count()
{
    const char* text = std::getenv("PLAYED_GPUS");
    return text == nullptr ? 8U : static_cast<unsigned>(std::atoi(text));
}

unsigned indexOf(const void* device)
{
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(device)) - 1;
}

void* handleOf(unsigned index)
{
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(index) + 1);
}

int put(const char* text, char* target, unsigned size)
{
    std::snprintf(target, size, "%s", text);
    return kSuccess;
}

void busId(unsigned index, char* target, unsigned size)
{
    std::snprintf(target, size, "00000000:%02X:00.0", 0x18 + 0x11 * index);
}

struct Pci {
    char busIdLegacy[16];
    unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
};
struct Memory {
    unsigned long long total, free, used;
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
    return kSuccess;
}
int nvmlShutdown()
{
    return kSuccess;
}
const char* nvmlErrorString(int)
{
    return "played";
}
int nvmlSystemGetDriverVersion(char* text, unsigned size)
{
    return put("580.65.06", text, size);
}
int nvmlDeviceGetCount_v2(unsigned* found)
{
    *found = count();
    return kSuccess;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device)
{
    *device = handleOf(index);
    return kSuccess;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device)
{
    for (unsigned index = 0; index < count(); ++index) {
        char text[32] = {};
        busId(index, text, sizeof(text));
        if (std::strcmp(id, text) == 0) {
            *device = handleOf(index);
            return kSuccess;
        }
    }
    return kNotFound;
}
int nvmlDeviceGetName(void*, char* text, unsigned size)
{
    return put("NVIDIA H100 80GB HBM3", text, size);
}
int nvmlDeviceGetUUID(void* device, char* text, unsigned size)
{
    std::snprintf(text, size, "GPU-%08x", indexOf(device) + 1);
    return kSuccess;
}
int nvmlDeviceGetPciInfo_v3(void* device, Pci* pci)
{
    busId(indexOf(device), pci->busId, sizeof(pci->busId));
    return kSuccess;
}
int nvmlDeviceGetMemoryInfo(void* device, Memory* memory)
{
    const unsigned long long used = indexOf(device) == 2 ? 12 * kGib : kGib / 2;
    *memory = {80 * kGib, 80 * kGib - used, used};
    return kSuccess;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* found, Process* processes)
{
    *found = indexOf(device) == 2 ? 1 : 0;
    if (*found == 1)
        processes[0] = {4711, 23 * kGib / 2, 0, 0};
    return kSuccess;
}
int nvmlSystemGetProcessName(unsigned pid, char* text, unsigned size)
{
    return pid == 4711 ? put("/opt/conda/bin/python3", text, size) : kNotFound;
}
int nvmlDeviceGetP2PStatus(void* from, void* to, int what, int* status)
{
    const bool isLinked = what == 2 && indexOf(from) / kIsland == indexOf(to) / kIsland;
    *status = isLinked ? 0 : 5;
    return kSuccess;
}
int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* reasons)
{
    *reasons = indexOf(device) == 3 ? 0x40 : 0x1;
    return kSuccess;
}
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long*)
{
    return kNotSupported;
}
}
