// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/gpu.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/gpu/cuda_support.h"
#include "core/trainer/gpu/nccl_log.h"
#include "core/trainer/measure/validation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quadric::trainer::cuda {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t kGib = 1LL << 30;

/// Two GPUs, of which the second one is busy.
machine::GpuSurvey twoGpus()
{
    machine::GpuSurvey survey{.gpus = {}, .driver = "580.65.06", .whyNone = ""};
    for (const int index : {0, 1}) {
        machine::Gpu& gpu = survey.gpus.emplace_back();
        gpu.index = index;
        gpu.name = "NVIDIA H100 80GB HBM3";
        gpu.memoryBytes = 80 * kGib;
        gpu.freeBytes = index == 0 ? 79 * kGib : 10 * kGib;
    }
    survey.gpus[1].processes = {{4711, "python3", 13 * kGib / 2}};
    return survey;
}

/// Lines as NCCL writes them at the level INFO.
TEST(NcclLog, TellsHowRanksReachEachOther)
{
    const NcclPaths fast =
        readNcclLog("n1:71:92 [0] NCCL INFO cudaDriverVersion 13000\n"
                    "n1:71:92 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n"
                    "n1:71:92 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM/read\n"
                    "n1:71:92 [0] NCCL INFO NVLS comm 0x5581 headRank 0 nHeads 8 buffSize 1048576\n"
                    "n1:71:92 [0] NCCL INFO Connected all rings\n"
                    "n1:71:92 [0] NCCL INFO AllReduce: 4194304 Bytes -> Algo RING proto LL128 "
                    "channel{Lo..Hi}={0..23}\n"
                    "n1:71:92 [0] NCCL INFO AllReduce: 4194300 Bytes -> Algo RING proto LL128 "
                    "channel{Lo..Hi}={0..23} cgaClusterSize 4\n"
                    "n1:71:92 [0] NCCL INFO AllGather: 4096 Bytes -> Algo NVLS proto SIMPLE "
                    "channel{Lo..Hi}={2..2}\n");
    EXPECT_EQ(fast.words(),
              "2 channels over P2P/CUMEM, NVLink SHARP, AllGather by NVLS with SIMPLE on 1 channel, "
              "AllReduce by RING with LL128 on 24 channels");
    EXPECT_FALSE(fast.leavesGpus());
    const NcclPaths slow =
        readNcclLog("n1:71:92 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n"
                    "n1:71:92 [0] NCCL INFO Channel 00/0 : 7[7] -> 8[0] [receive] via NET/IB/0/GDRDMA\n");
    EXPECT_EQ(slow.words(), "1 channel over NET/IB/0, 1 channel over SHM/direct");
    EXPECT_TRUE(slow.leavesGpus());
    EXPECT_TRUE(readNcclLog("").empty());
    EXPECT_TRUE(readNcclLog("no line of NCCL via anything").empty());
    EXPECT_TRUE(readNcclLog("NCCL INFO AllReduce: 4 Bytes -> Algo RING proto LL channel{Lo..Hi}={").empty());
}

TEST(CudaSupport, SaysInASentenceWhatCanBeMeasured)
{
    const std::string all = describe(joined(twoGpus(), "CUDA 13.0, cuDNN 9.19.0, NCCL 2.28.9", ""));
    EXPECT_THAT(all, HasSubstr("GPU 0 NVIDIA H100"));
    EXPECT_THAT(all, HasSubstr("driver 580.65.06"));
    EXPECT_THAT(
        all, HasSubstr("measures up to 2 ranks in fp32, tf32, fp16 and bf16 with CUDA 13.0, cuDNN 9.19.0"));
    EXPECT_THAT(all, HasSubstr("would be disturbed: GPU 1 is used by python3 (process 4711, 6.5 GiB)"));
}

TEST(CudaSupport, SaysWhyNothingCanBeMeasured)
{
    const CudaSupport noDriver = joined({{}, "", "no NVIDIA driver is installed"}, "", "");
    EXPECT_EQ(noDriver.whyNot, "no NVIDIA driver is installed");
    EXPECT_THAT(describe(noDriver),
                HasSubstr("GPUs are not measured: no NVIDIA driver is installed. Engine sim"));
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
    EXPECT_EQ(refusal(workload, limits).second, "") << "the baseline computes all images, but not at once";
}

TEST(DriverNeed, NamesBothVersionsAndTheDriverThatIsNeeded)
{
    EXPECT_EQ(whyDriverIsTooOld({"550.54.15", 12040, 13000}),
              "driver 550.54.15 serves CUDA 12.4; this module needs CUDA 13.0, that is driver 580 or newer");
    EXPECT_EQ(whyDriverIsTooOld({"", 11080, 12060}),
              "the driver serves CUDA 11.8; this module needs CUDA 12.6, that is driver 525 or newer");
    EXPECT_EQ(whyDriverIsTooOld({"440.33", 10020, 11000}),
              "driver 440.33 serves CUDA 10.2; this module needs CUDA 11.0, that is driver 450 or newer");
    EXPECT_EQ(whyDriverIsTooOld({"590.1", 13010, 14020}),
              "driver 590.1 serves CUDA 13.1; this module needs CUDA 14.2");
    EXPECT_EQ(whyDriverIsTooOld({"", 0, 13000}),
              "no NVIDIA driver is installed; this module needs CUDA 13.0, that is driver 580 or newer");
}

TEST(DriverNeed, ADriverServesOlderVersionsAndNewerOnesWithItsFirstNumber)
{
    EXPECT_EQ(whyDriverIsTooOld({"580.65.06", 13000, 13000}), "");
    EXPECT_EQ(whyDriverIsTooOld({"580.65.06", 13000, 12040}), "");
    EXPECT_EQ(whyDriverIsTooOld({"525.60.13", 12000, 12080}), "");
}

} // namespace
} // namespace quadric::trainer::cuda
