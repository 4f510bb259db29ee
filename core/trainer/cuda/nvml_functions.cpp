// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/nvml_functions.h"

#include "core/trainer/cuda/shared_library.h"

namespace quadric::trainer::cuda {

namespace {

template <typename Function> bool find(Function*& function, void* symbol)
{
    function = asFunction<Function>(symbol);
    return function != nullptr;
}

} // namespace

std::string NvmlFunctions::load(const std::function<void*(const char*)>& symbols)
{
    const bool hasAll =
        find(start, symbols("nvmlInit_v2")) && find(shutdown, symbols("nvmlShutdown")) &&
        find(errorText, symbols("nvmlErrorString")) && find(driver, symbols("nvmlSystemGetDriverVersion")) &&
        find(count, symbols("nvmlDeviceGetCount_v2")) &&
        find(handleByIndex, symbols("nvmlDeviceGetHandleByIndex_v2")) &&
        find(handleByPciId, symbols("nvmlDeviceGetHandleByPciBusId_v2")) &&
        find(name, symbols("nvmlDeviceGetName")) && find(uuid, symbols("nvmlDeviceGetUUID")) &&
        find(pci, symbols("nvmlDeviceGetPciInfo_v3")) && find(memory, symbols("nvmlDeviceGetMemoryInfo"));
    if (!hasAll)
        return "the NVIDIA driver is too old: its management library lacks functions of version 11";
    find(processes, symbols("nvmlDeviceGetComputeRunningProcesses_v3"));
    find(energy, symbols("nvmlDeviceGetTotalEnergyConsumption"));
    find(power, symbols("nvmlDeviceGetPowerUsage"));
    find(peerStatus, symbols("nvmlDeviceGetP2PStatus"));
    if (!find(clockReasons, symbols("nvmlDeviceGetCurrentClocksEventReasons")))
        find(clockReasons,
             symbols("nvmlDeviceGetCurrentClocksThrottleReasons")); // its name before driver 535
    find(processName, symbols("nvmlSystemGetProcessName"));
    find(mostParts, symbols("nvmlDeviceGetMaxMigDeviceCount"));
    find(partByIndex, symbols("nvmlDeviceGetMigDeviceHandleByIndex"));
    const int status = start();
    if (status == kNvmlSuccess)
        return {};
    return std::string("the NVIDIA driver cannot be used (nvmlInit_v2: ") + errorText(status) + ")";
}

} // namespace quadric::trainer::cuda
