// SPDX-License-Identifier: GPL-3.0-or-later
// The real cuDNN without a GPU: since 9.8 it ranks and finishes plans for a GPU that is only described.
#include "core/trainer/base/failure.h"
#include "core/trainer/cuda/convolution_graph.h"
#include "core/trainer/gpu/step_plan.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

namespace quadric::trainer::cuda {
namespace {

constexpr std::size_t kMostPlans = 10;
constexpr std::size_t kLargestWorkspace = std::size_t{2} << 30;

/// Numbers of NVIDIA's data sheets, in the words of cuDNN 9.19 (its JSON is not documented).
GraphDescriptor described(const char* name, int capability, int processors, std::int64_t sharedBytes,
                          std::int64_t cacheBytes, std::int64_t memoryBytes)
{
    const nlohmann::json device = {{"version", 1},
                                   {"deviceVer", capability},
                                   {"cudaDeviceId", 0},
                                   {"totalGlobalMem", memoryBytes},
                                   {"driverVer", 13000},
                                   {"maxGridSize", {2147483647, 65535, 65535}},
                                   {"maxBlockSize", {1024, 1024, 64}},
                                   {"regsPerBlock", 65536},
                                   {"multiProcessorCount", processors},
                                   {"warpSize", 32},
                                   {"maxSharedMemoryPerBlock", 49152},
                                   {"maxSharedMemoryPerBlockOptin", sharedBytes},
                                   {"reservedSharedMemoryPerBlock", 1024},
                                   {"maxRegistersPerSM", 65536},
                                   {"maxCtasPerSM", 32},
                                   {"maxThreadsPerBlock", 1024},
                                   {"maxThreadsPerSM", 2048},
                                   {"pciDeviceId", 0},
                                   {"isTccDriver", 0},
                                   {"supportCoopLaunch", 1},
                                   {"smClockRateKHz", 1980000},
                                   {"memClockRateKHz", 3201000},
                                   {"l2CacheSize", cacheBytes},
                                   {"deviceName", name}};
    return describedDevice(device.dump());
}

struct Part {
    const char* name;
    int capability, processors;
    std::int64_t sharedBytes, cacheBytes, memoryBytes;
};
constexpr Part kParts[] = {{"NVIDIA A100-SXM4-80GB", 800, 108, 166912, 41943040, 85899345920},
                           {"NVIDIA H200", 900, 132, 232448, 62914560, 150754820096},
                           {"NVIDIA B200", 1000, 148, 232448, 132644864, 192265846784}};

/// Every pass of every convolution of a network, equal ones once.
std::vector<ConvolutionProblem> problemsOf(const char* name, int imageSize, int batch, Precision precision)
{
    const StepPlan plan =
        planStep(*makeNetwork(name), {{3, imageSize, imageSize}, batch, precision}, std::size_t{4} << 20);
    std::set<std::string> known;
    std::vector<ConvolutionProblem> problems;
    for (const PlannedLayer& layer : plan.layers) {
        if (layer.kind != LayerKind::Convolution)
            continue;
        for (const ConvolutionPass pass :
             {ConvolutionPass::Forward, ConvolutionPass::InputGradient, ConvolutionPass::WeightGradient}) {
            if (pass == ConvolutionPass::InputGradient && !layer.inputGradient)
                continue;
            const ConvolutionProblem problem{pass,      precision,    batch,        layer.in,
                                             layer.out, layer.kernel, layer.stride, layer.padding};
            if (known.insert(keyOf(problem)).second)
                problems.push_back(problem);
        }
    }
    return problems;
}

class RealCudnn : public ::testing::TestWithParam<Part> {
protected:
    void SetUp() override
    {
        if (cudnnGetVersion() < 90800)
            GTEST_SKIP() << "cuDNN before 9.8 needs a GPU";
        const Part& part = GetParam();
        try {
            m_target.device = described(part.name, part.capability, part.processors, part.sharedBytes,
                                        part.cacheBytes, part.memoryBytes);
        } catch (const Failure& failure) {
            GTEST_SKIP() << "this cuDNN describes GPUs in other words: " << failure.what();
        }
    }

    void expectPlans(const char* network, int imageSize, int batch, Precision precision,
                     std::size_t least = 1)
    {
        for (const ConvolutionProblem& problem : problemsOf(network, imageSize, batch, precision)) {
            const std::vector<ConvolutionPlan> plans =
                proposePlans(m_target, problem, kMostPlans, kLargestWorkspace);
            EXPECT_GE(plans.size(), least) << network << ' ' << keyOf(problem);
        }
    }

    PlanTarget m_target;
};
INSTANTIATE_TEST_SUITE_P(Parts, RealCudnn, ::testing::ValuesIn(kParts), [](const auto& instance) {
    const std::string name = instance.param.name;
    return name.substr(7, 4);
});

TEST_P(RealCudnn, HasPlansForEveryConvolutionOfEveryNetwork)
{
    for (const char* network : {"resnet8", "resnet18"}) {
        for (const Precision precision : {Precision::Fp32, Precision::Bf16})
            expectPlans(network, 32, 16, precision);
    }
    for (const Precision precision : {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16})
        expectPlans("resnet50", 224, 128, precision);
}

TEST_P(RealCudnn, HasPlansForSmallAndLargeBatches)
{
    for (const int batch : {1, 8, 256, 512})
        expectPlans("resnet50", 224, batch, Precision::Bf16);
    expectPlans("resnet34", 64, 32, Precision::Fp16);
    expectPlans("resnet8", 9, 1, Precision::Bf16);
}

/// A choice is kept by the name of its engine: two plans of one problem must not share one, and a name must
/// come again.
TEST_P(RealCudnn, NamesThePlansOfAProblemDifferentlyAndAlwaysTheSame)
{
    for (const ConvolutionProblem& problem : problemsOf("resnet50", 224, 128, Precision::Bf16)) {
        const auto names = [&] {
            std::vector<std::string> list;
            for (const ConvolutionPlan& plan : proposePlans(m_target, problem, kMostPlans, kLargestWorkspace))
                list.push_back(plan.engine);
            return list;
        };
        const std::vector<std::string> first = names();
        EXPECT_EQ(std::set(first.begin(), first.end()).size(), first.size()) << keyOf(problem);
        EXPECT_EQ(names(), first);
    }
}

} // namespace
} // namespace quadric::trainer::cuda
