// SPDX-License-Identifier: GPL-3.0-or-later
// What is said about GPUs: with a driver that the test plays, because few machines have one.
#include "core/trainer/cuda/clock_watch.h"
#include "core/trainer/cuda/cuda_support.h"
#include "core/trainer/cuda/engine_module.h"
#include "core/trainer/cuda/nvml.h"
#include "core/trainer/cuda/nvml_functions.h"
#include "core/trainer/failure.h"
#include "core/trainer/memory_estimate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

namespace quadric::trainer::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr unsigned long long kGib = 1ULL << 30;

// Two GPUs joined by NVLink; the second one is busy, hot, and does not count energy. Handles are 1 and 2.
NvmlDevice handleOf(unsigned index)
{
    return reinterpret_cast<NvmlDevice>(static_cast<std::uintptr_t>(index + 1));
}
unsigned indexOf(NvmlDevice device)
{
    return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(device)) - 1;
}
int put(const char* text, char* target, unsigned size)
{
    std::snprintf(target, size, "%s", text);
    return kNvmlSuccess;
}
int fakeStart()
{
    return kNvmlSuccess;
}
int fakeRefusal()
{
    return 9;
}
const char* fakeErrorText(int)
{
    return "Driver Not Loaded";
}
int fakeDriver(char* target, unsigned size)
{
    return put("580.65.06", target, size);
}
int fakeCount(unsigned* count)
{
    *count = 2;
    return kNvmlSuccess;
}
int fakeHandle(unsigned index, NvmlDevice* device)
{
    *device = handleOf(index);
    return kNvmlSuccess;
}
int fakeByPci(const char* id, NvmlDevice* device)
{
    *device = handleOf(std::strcmp(id, "00000000:1B:00.0") == 0 ? 0 : 1);
    return kNvmlSuccess;
}
int fakeName(NvmlDevice, char* target, unsigned size)
{
    return put("NVIDIA H100 80GB HBM3", target, size);
}
int fakeUuid(NvmlDevice device, char* target, unsigned size)
{
    return put(indexOf(device) == 0 ? "GPU-aaaa-1" : "GPU-bbbb-2", target, size);
}
int fakePci(NvmlDevice device, NvmlPci* pci)
{
    return put(indexOf(device) == 0 ? "00000000:1B:00.0" : "00000000:2C:00.0", pci->busId,
               sizeof(pci->busId));
}
int fakeMemory(NvmlDevice device, NvmlMemory* memory)
{
    *memory = {80 * kGib, indexOf(device) == 0 ? 79 * kGib : 10 * kGib, 0};
    return kNvmlSuccess;
}
int fakeProcesses(NvmlDevice device, unsigned* count, NvmlProcess* processes)
{
    *count = indexOf(device);
    processes[0] = {4711, 13 * kGib / 2, 0, 0};
    return kNvmlSuccess;
}
int fakeEnergy(NvmlDevice device, unsigned long long* millijoules)
{
    *millijoules = 1234500;
    return indexOf(device) == 0 ? kNvmlSuccess : 3;
}
int fakePeers(NvmlDevice, NvmlDevice, int what, int* status)
{
    *status = what == kNvmlPeerByNvlink ? 0 : 1;
    return kNvmlSuccess;
}
int fakeReasons(NvmlDevice device, unsigned long long* reasons)
{
    *reasons = indexOf(device) == 0 ? 0x1 : 0x41; // idle; idle and hot
    return kNvmlSuccess;
}

int fakeProcessName(unsigned pid, char* target, unsigned size)
{
    return pid == 4711 ? put("/opt/conda/bin/python3", target, size) : 6;
}

template <typename Function> void* symbol(Function* function)
{
    return reinterpret_cast<void*>(function);
}

std::map<std::string, void*> fakeLibrary()
{
    return {{"nvmlInit_v2", symbol(fakeStart)},
            {"nvmlShutdown", symbol(fakeStart)},
            {"nvmlErrorString", symbol(fakeErrorText)},
            {"nvmlSystemGetDriverVersion", symbol(fakeDriver)},
            {"nvmlDeviceGetCount_v2", symbol(fakeCount)},
            {"nvmlDeviceGetHandleByIndex_v2", symbol(fakeHandle)},
            {"nvmlDeviceGetHandleByPciBusId_v2", symbol(fakeByPci)},
            {"nvmlDeviceGetName", symbol(fakeName)},
            {"nvmlDeviceGetUUID", symbol(fakeUuid)},
            {"nvmlDeviceGetPciInfo_v3", symbol(fakePci)},
            {"nvmlDeviceGetMemoryInfo", symbol(fakeMemory)},
            {"nvmlDeviceGetComputeRunningProcesses_v3", symbol(fakeProcesses)},
            {"nvmlDeviceGetTotalEnergyConsumption", symbol(fakeEnergy)},
            {"nvmlDeviceGetP2PStatus", symbol(fakePeers)},
            {"nvmlDeviceGetCurrentClocksThrottleReasons", symbol(fakeReasons)},
            {"nvmlSystemGetProcessName", symbol(fakeProcessName)}};
}

Symbols symbolsOf(const std::map<std::string, void*>& library)
{
    return [library](const char* name) -> void* {
        const auto found = library.find(name);
        return found == library.end() ? nullptr : found->second;
    };
}

GpuSurvey twoGpus()
{
    return Nvml(symbolsOf(fakeLibrary())).survey();
}

TEST(Nvml, ListsGpusWithMemoryPeersAndWhoUsesThem)
{
    const GpuSurvey found = twoGpus();
    EXPECT_EQ(found.driver, "580.65.06");
    EXPECT_THAT(found.whyNone, IsEmpty());
    ASSERT_EQ(found.gpus.size(), 2U);
    EXPECT_EQ(found.gpus[0], (Gpu{0,
                                  "NVIDIA H100 80GB HBM3",
                                  "GPU-aaaa-1",
                                  "00000000:1B:00.0",
                                  static_cast<std::int64_t>(80 * kGib),
                                  static_cast<std::int64_t>(79 * kGib),
                                  {1},
                                  {},
                                  true,
                                  false}));
    EXPECT_THAT(found.gpus[1].processes, ElementsAre(GpuProcess{4711, "python3", 13LL << 29}));
    EXPECT_THAT(found.gpus[1].nvlinkPeers, ElementsAre(0));
    EXPECT_FALSE(found.gpus[1].countsEnergy);
    EXPECT_TRUE(found.gpus[1].isSlowed);
    EXPECT_EQ(describe(found.gpus[0]),
              "GPU 0 NVIDIA H100 80GB HBM3 (79.0 of 80.0 GiB free, PCI 00000000:1B:00.0, "
              "NVLink to 1)");
    EXPECT_EQ(foreignUse(found.gpus),
              "GPU 1 is used by python3 (process 4711, 6.5 GiB); GPU 1 is slowed down "
              "by heat or a power brake");
    EXPECT_EQ(foreignUse(std::span(found.gpus).first(1)), "");
    Gpu vague = found.gpus[0];
    vague.processes = {{7, "", 0}, {8, "", 1 << 30}, {9, "train", 0}};
    EXPECT_EQ(foreignUse(std::span(&vague, 1)),
              "GPU 0 is used by process 7, process 8 (1.0 GiB), train (process 9)");
}

TEST(Nvml, ReadsTheEnergyCounterOfTheGpuWithThatPciId)
{
    const Nvml nvml(symbolsOf(fakeLibrary()));
    EXPECT_EQ(nvml.energyJoules("00000000:1B:00.0"), 1234.5);
    EXPECT_EQ(nvml.energyJoules("00000000:2C:00.0"), std::nullopt);
    EXPECT_EQ(nvml.powerWatts("00000000:1B:00.0"), std::nullopt) << "this driver has no such function";
}

TEST(ClockWatch, CountsWhatHoldsTheClocksDownTenTimesASecond)
{
    const Nvml nvml(symbolsOf(fakeLibrary()));
    ClockWatch hot(nvml, "00000000:2C:00.0");
    ClockWatch::Clock::time_point now{};
    for (int step = 0; step < 100; ++step, now += std::chrono::milliseconds(10))
        hot.look(now);
    EXPECT_EQ(hot.reading().looks, 10.0);
    EXPECT_EQ(hot.reading().heat, 10.0);
    EXPECT_EQ(hot.reading().powerLimit, 0.0);
    auto silent = fakeLibrary();
    silent.erase("nvmlDeviceGetCurrentClocksThrottleReasons");
    const Nvml old(symbolsOf(silent));
    ClockWatch unknown(old, "00000000:2C:00.0");
    unknown.look(now);
    EXPECT_EQ(unknown.reading().looks, 0.0);
}

TEST(Nvml, SaysWhyThereAreNoGpus)
{
    auto library = fakeLibrary();
    library["nvmlInit_v2"] = symbol(fakeRefusal);
    EXPECT_THAT(Nvml(symbolsOf(library)).survey().whyNone, HasSubstr("Driver Not Loaded"));
    library.erase("nvmlDeviceGetPciInfo_v3");
    EXPECT_THAT(Nvml(symbolsOf(library)).survey().whyNone, HasSubstr("too old"));
    EXPECT_EQ(Nvml(symbolsOf(library)).energyJoules("00000000:1B:00.0"), std::nullopt);
}

std::vector<int> visible(const char* variable)
{
    std::vector<int> indices;
    for (const Gpu& gpu : visibleGpus(twoGpus().gpus, variable))
        indices.push_back(gpu.index);
    return indices;
}

TEST(VisibleGpus, FollowTheRulesOfCuda)
{
    EXPECT_THAT(visible(nullptr), ElementsAre(0, 1));
    EXPECT_THAT(visible("1,0"), ElementsAre(1, 0));
    EXPECT_THAT(visible("GPU-bbbb"), ElementsAre(1));
    EXPECT_THAT(visible(" 1 , GPU-aaaa-1"), ElementsAre(1, 0));
    EXPECT_THAT(visible(""), IsEmpty());
    EXPECT_THAT(visible("0,7,1"), ElementsAre(0)) << "an unknown number ends the list";
    EXPECT_THAT(visible("-1,0"), IsEmpty());
    EXPECT_THAT(visible("1,1"), ElementsAre(1)) << "so does a GPU that is named twice";
    EXPECT_THAT(visible("GPU-"), IsEmpty()) << "that would be any GPU";
    EXPECT_THAT(restricted(twoGpus(), "9").whyNone, HasSubstr("CUDA_VISIBLE_DEVICES is \"9\""));
    EXPECT_THAT(restricted(twoGpus(), "0").whyNone, IsEmpty());
}

// The first GPU in MIG mode: parts in the places 0 and 2 of three. Handles are 11 and 13.
bool isPart(NvmlDevice device)
{
    return reinterpret_cast<std::uintptr_t>(device) > 10;
}
int fakeMostParts(NvmlDevice device, unsigned* count)
{
    *count = indexOf(device) == 0 ? 3 : 0;
    return kNvmlSuccess;
}
int fakePart(NvmlDevice, unsigned index, NvmlDevice* part)
{
    *part = reinterpret_cast<NvmlDevice>(static_cast<std::uintptr_t>(11 + index));
    return index == 1 ? 6 : kNvmlSuccess;
}
int fakePartUuid(NvmlDevice device, char* target, unsigned size)
{
    if (!isPart(device))
        return fakeUuid(device, target, size);
    return put(indexOf(device) == 10 ? "MIG-cccc-1" : "MIG-GPU-aaaa-1/2/0", target, size);
}
int fakePartMemory(NvmlDevice device, NvmlMemory* memory)
{
    if (!isPart(device))
        return fakeMemory(device, memory);
    *memory = {10 * kGib, indexOf(device) == 10 ? 9 * kGib : 8 * kGib, 0};
    return kNvmlSuccess;
}
int fakePartName(NvmlDevice device, char* target, unsigned size)
{
    return isPart(device) ? put("NVIDIA H100 MIG 1g.10gb", target, size) : fakeName(device, target, size);
}
int fakePartProcesses(NvmlDevice device, unsigned* count, NvmlProcess* processes)
{
    *count = 0;
    return isPart(device) ? kNvmlSuccess : fakeProcesses(device, count, processes);
}

std::vector<Gpu> withParts()
{
    auto library = fakeLibrary();
    library["nvmlDeviceGetMaxMigDeviceCount"] = symbol(fakeMostParts);
    library["nvmlDeviceGetMigDeviceHandleByIndex"] = symbol(fakePart);
    library["nvmlDeviceGetUUID"] = symbol(fakePartUuid);
    library["nvmlDeviceGetMemoryInfo"] = symbol(fakePartMemory);
    library["nvmlDeviceGetName"] = symbol(fakePartName);
    library["nvmlDeviceGetComputeRunningProcesses_v3"] = symbol(fakePartProcesses);
    return Nvml(symbolsOf(library)).survey().gpus;
}

std::vector<std::string> visibleUuids(const char* variable)
{
    std::vector<std::string> uuids;
    for (const Gpu& gpu : visibleGpus(withParts(), variable))
        uuids.push_back(gpu.uuid);
    return uuids;
}

TEST(VisibleGpus, AreOnePartWhereAGpuIsDivided)
{
    ASSERT_EQ(withParts().at(0).parts.size(), 2U) << "one place is empty";
    EXPECT_THAT(withParts().at(1).parts, IsEmpty());
    EXPECT_THAT(visibleUuids("MIG-cccc-1"), ElementsAre("MIG-cccc-1"));
    EXPECT_THAT(visibleUuids("MIG-GPU-aaaa-1/2/0"), ElementsAre("MIG-GPU-aaaa-1/2/0")) << "older drivers";
    EXPECT_THAT(visibleUuids("MIG-GPU-aaaa-1/2/0,MIG-cccc-1,1"), ElementsAre("MIG-GPU-aaaa-1/2/0"));
    EXPECT_THAT(visibleUuids("0"), ElementsAre("MIG-cccc-1"));
    EXPECT_THAT(visibleUuids("1,0"), ElementsAre("MIG-cccc-1")) << "no whole GPU beside a part";
    EXPECT_THAT(visibleUuids("1"), ElementsAre("GPU-bbbb-2"));
    EXPECT_THAT(visibleUuids(nullptr), ElementsAre("MIG-cccc-1"));
    EXPECT_THAT(visibleUuids("MIG-"), IsEmpty()) << "that would be any part";
    EXPECT_THAT(visibleUuids("MIG-dddd"), IsEmpty());
    const Gpu part = visibleGpus(withParts(), "MIG-cccc").at(0);
    EXPECT_EQ(part.memoryBytes, static_cast<std::int64_t>(10 * kGib));
    EXPECT_FALSE(part.countsEnergy);
    EXPECT_EQ(describe(part),
              "GPU 0 NVIDIA H100 MIG 1g.10gb (9.0 of 10.0 GiB free, PCI 00000000:1B:00.0, no NVLink)");
}

TEST(CudaSupport, SaysInASentenceWhatCanBeMeasured)
{
    const std::string all = describe(joined(twoGpus(), "CUDA 13.0, cuDNN 9.19.0, NCCL 2.28.9", ""));
    EXPECT_THAT(all, HasSubstr("GPU 0 NVIDIA H100"));
    EXPECT_THAT(all, HasSubstr("driver 580.65.06"));
    EXPECT_THAT(all, HasSubstr("measures up to 2 ranks in fp32, fp16 and bf16 with CUDA 13.0, cuDNN 9.19.0"));
    EXPECT_THAT(all, HasSubstr("would be disturbed: GPU 1 is used by python3 (process 4711, 6.5 GiB)"));
}

TEST(CudaSupport, SaysWhyNothingCanBeMeasured)
{
    const CudaSupport noDriver = joined({{}, "", "no NVIDIA driver is installed"}, "", "");
    EXPECT_EQ(noDriver.whyNot, "no NVIDIA driver is installed");
    EXPECT_THAT(describe(noDriver),
                HasSubstr("GPUs are not measured: no NVIDIA driver is installed; engine sim"));
    const CudaSupport noModule = joined(twoGpus(), "", "libcudnn.so.9: cannot open shared object file");
    EXPECT_THAT(describe(noModule), HasSubstr("NVIDIA H100"));
    EXPECT_THAT(describe(noModule), HasSubstr("GPUs are not measured: libcudnn.so.9"));
    MachineLimits limits;
    addGpuLimits(limits, noModule);
    Workload workload;
    workload.engine = EngineKind::Automatic;
    EXPECT_EQ(chosenEngine(workload, limits), EngineKind::Cpu);
    addGpuLimits(limits, joined(twoGpus(), "CUDA 13.0", ""));
    EXPECT_EQ(chosenEngine(workload, limits), EngineKind::Cuda);
    workload.engine = EngineKind::Simulated;
    EXPECT_EQ(chosenEngine(workload, limits), EngineKind::Simulated);
}

TEST(EngineModule, AModuleThatIsNoneSaysSo)
{
    const EngineModule missing("/nowhere/quadric-trainer-cuda.so");
    EXPECT_THAT(missing.whyNot(), HasSubstr("/nowhere/quadric-trainer-cuda.so"));
    const EngineModule other("libm.so.6");
    EXPECT_THAT(other.whyNot(), HasSubstr("another build"));
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    EXPECT_THROW(other.make({}, *alone), Failure);
}

/// Kind and message of the refusal of a workload; empty when it is taken.
std::pair<std::string, std::string> refusal(const Workload& workload, const MachineLimits& limits)
{
    try {
        validate(workload, limits);
    } catch (const Failure& failure) {
        return {failure.kind(), failure.what()};
    }
    return {};
}

TEST(GpuValidation, RefusesWhatTheGpusCannotMeasure)
{
    Workload workload;
    workload.engine = EngineKind::Cuda;
    workload.precision = Precision::Fp16;
    MachineLimits limits;
    addGpuLimits(limits, joined(twoGpus(), "CUDA 13.0", ""));
    EXPECT_EQ(refusal(workload, limits).second, "");
    workload.ranks = 3;
    EXPECT_THAT(refusal(workload, limits).second, HasSubstr("may use 2 GPUs"));
    workload.oversubscribe = true;
    EXPECT_EQ(refusal(workload, limits).second, "");
    workload.link.gbit = 1.0;
    EXPECT_THAT(refusal(workload, limits).second, HasSubstr("link_gbit"));
    limits.whyNoGpu = "no NVIDIA driver is installed";
    EXPECT_EQ(
        refusal(workload, limits),
        std::pair(std::string(kBadSettings), std::string("engine cuda: no NVIDIA driver is installed")));
}

TEST(GpuValidation, RefusesWhatDoesNotFitIntoTheMemoryOfAGpu)
{
    Workload workload;
    workload.engine = EngineKind::Cuda;
    workload.network = "resnet50";
    workload.imageSize = 224;
    workload.batchPerRank = 128;
    workload.precision = Precision::Bf16;
    MachineLimits limits;
    limits.whyNoGpu.clear();
    const std::int64_t needed = estimateMemory(workload, *makeNetwork("resnet50")).total();
    limits.gpuFreeBytes = {2 * needed, needed / 2};
    EXPECT_EQ(refusal(workload, limits).second, "");
    workload.ranks = 2;
    const auto [kind, message] = refusal(workload, limits);
    EXPECT_EQ(kind, kOutOfMemory);
    EXPECT_THAT(message, HasSubstr("on a GPU, " + std::to_string(needed / 2 >> 20) + " MiB are available"));
    workload.batchPerRank = 4;
    EXPECT_EQ(refusal(workload, limits).second, "");
    workload.batchPerRank = 32;
    workload.scaling = Scaling::Strong;
    limits.gpuFreeBytes.assign(2, estimateMemory(workload, *makeNetwork("resnet50")).total());
    EXPECT_THAT(refusal(workload, limits).second, HasSubstr("baseline")) << "one rank computes all images";
}

} // namespace
} // namespace quadric::trainer::cuda
