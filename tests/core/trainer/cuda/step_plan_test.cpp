// SPDX-License-Identifier: GPL-3.0-or-later
// The plan of a step on a GPU, carried out on the processor.
#include "core/trainer/cpu/cpu_network.h"
#include "core/trainer/gpu/step_plan.h"
#include "core/trainer/measure/validation.h"
#include "core/trainer/workload/training_batches.h"
#include "core/workload/knob_table.h"

#include "plan_interpreter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace quadric::trainer::cuda {
namespace {

constexpr std::size_t kMib = std::size_t{1} << 20;

struct Case {
    const char* network;
    int imageSize;
    int batch;
    double tolerance; ///< of a gradient, relative to its length
};

class PlanAgainstCpuEngine : public ::testing::TestWithParam<Case> {};

TEST_P(PlanAgainstCpuEngine, LossAndAllGradientsAreEqual)
{
    const auto [name, imageSize, size, tolerance] = GetParam();
    const Network network = *makeNetwork(name);
    const Shape image{3, imageSize, imageSize};
    const SyntheticBatch batch = makeSyntheticBatch(image, size, network.classes, 5);
    CpuNetwork expected(network, {image, size});
    const StepPlan plan = planStep(network, {image, size}, 4 * kMib);
    testing::PlanInterpreter planned(plan);
    const auto values = firstParameters(plan.parameters, 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
        expected.setValue(i, values[i]);
        planned.setValue(i, values[i]);
    }
    expected.setBatch(batch.images, batch.labels);
    EXPECT_NEAR(planned.forward(batch.images, batch.labels), expected.forward(), 2e-4);
    expected.backward();
    planned.backward();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::vector<float> wanted = expected.gradient(i);
        const std::vector<float> found = planned.gradient(i);
        double error = 0.0;
        double length = 0.0;
        for (std::size_t k = 0; k < wanted.size(); ++k) {
            error += std::pow(found[k] - wanted[k], 2);
            length += std::pow(wanted[k], 2);
        }
        // Few images with small maps make deep normalization ill-conditioned: rounding grows to per cents,
        // while memory that is reused too early or a lost gradient gives errors as large as the gradients.
        EXPECT_LT(std::sqrt(error), tolerance * std::sqrt(length) + 1e-6) << plan.parameters[i].name;
    }
}

INSTANTIATE_TEST_SUITE_P(Networks, PlanAgainstCpuEngine,
                         ::testing::Values(Case{"resnet8", 13, 3, 0.01}, Case{"resnet18", 33, 4, 0.01},
                                           Case{"resnet50", 33, 4, 0.05}),
                         [](const auto& instance) { return std::string(instance.param.network); });

TEST(StepPlan, EveryBucketLeavesOnceAndOnlyWhenItsGradientsAreFinal)
{
    for (const std::string_view name : choicesOf(workload::knob("network"))) {
        for (const std::size_t bucketBytes : {std::size_t{1}, kMib / 4, 4 * kMib, 1024 * kMib}) {
            const StepPlan plan = planStep(*makeNetwork(name), {{3, 64, 64}, 2}, bucketBytes);
            std::vector<bool> isFinal(plan.parameters.size(), false);
            std::size_t next = 0;
            for (auto layer = plan.layers.rbegin(); layer != plan.layers.rend(); ++layer) {
                const int owner =
                    plan.parameters[layer->parameter < isFinal.size() ? layer->parameter : 0].layer;
                for (std::size_t i = layer->parameter;
                     i < isFinal.size() && plan.parameters[i].layer == owner; ++i)
                    isFinal[i] = true;
                for (const std::size_t bucket : layer->finishedBuckets) {
                    EXPECT_EQ(bucket, next++);
                    const Bucket& span = plan.buckets[bucket];
                    for (std::size_t i = 0; i < isFinal.size(); ++i) {
                        const bool isInside = plan.spans[i].offset >= span.offset &&
                                              plan.spans[i].offset < span.offset + span.count;
                        EXPECT_TRUE(!isInside || isFinal[i]) << name << ": " << plan.parameters[i].name;
                    }
                }
            }
            EXPECT_EQ(next, plan.buckets.size()) << name;
        }
    }
}

TEST(StepPlan, MemoryOfFinishedLayersServesTheGradients)
{
    const Network network = *makeNetwork("resnet50");
    const Shape image{3, 224, 224};
    std::size_t outputs = 0;
    for (const Shape& shape : inferShapes(network, image))
        outputs += std::size_t{2} * 8 * static_cast<std::size_t>(shape.channels * shape.height * shape.width);
    const StepPlan half = planStep(network, {image, 8, Precision::Fp16}, kMib);
    EXPECT_LT(half.arenaBytes, outputs) << "sums have no memory of their own, gradients reuse it";
    const StepPlan full = planStep(network, {image, 8, Precision::Fp32}, kMib);
    EXPECT_NEAR(static_cast<double>(full.arenaBytes), 2.0 * static_cast<double>(half.arenaBytes),
                0.05 * static_cast<double>(full.arenaBytes));
}

TEST(StepPlan, EstimateOfAGpuGrowsWithWhatTheRunKeeps)
{
    Workload workload;
    workload.engine = EngineKind::Cuda;
    workload.network = "resnet50";
    workload.imageSize = 224;
    workload.batchPerRank = 128;
    workload.precision = Precision::Bf16;
    const Network network = *makeNetwork("resnet50");
    const MemoryEstimate one = estimateMemory(workload, network);
    const StepPlan plan = planStep(network, {{3, 224, 224}, 128, Precision::Bf16}, 4 * kMib);
    EXPECT_EQ(one.activations, static_cast<std::int64_t>(plan.arenaBytes) + 2LL * 128 * 3 * 224 * 224);
    EXPECT_EQ(one.parameters, static_cast<std::int64_t>(plan.parameterCount()) * 16)
        << "fp32: value, gradient, "
           "momentum; 16 bits: two copies";
    EXPECT_EQ(one.exchange, 0);
    workload.ranks = 2;
    const MemoryEstimate plain = estimateMemory(workload, network);
    workload.exchange.compressionPct = 99.0;
    EXPECT_GT(estimateMemory(workload, network).exchange, plain.exchange + 4 * 25'000'000LL)
        << "the residual";
    workload.precision = Precision::Fp32;
    EXPECT_GT(estimateMemory(workload, network).activations, 19 * one.activations / 10);
}

TEST(StepPlan, RefusesWhatItCannotCompute)
{
    EXPECT_THROW(planStep({"empty", 1, {}}, {{3, 8, 8}, 1}, kMib), std::invalid_argument);
    Network odd = *makeNetwork("resnet8");
    const auto sum = std::ranges::find(odd.layers, LayerKind::Add, &Layer::kind);
    std::swap(sum->input, sum->shortcut);
    EXPECT_THROW(planStep(odd, {{3, 16, 16}, 1}, kMib), std::invalid_argument)
        << "the first summand has another reader";
    EXPECT_THROW(planStep(*makeNetwork("resnet8"), {{3, 0, 0}, 1}, kMib), std::invalid_argument);
}

TEST(OffsetAllocator, StretchesNeverOverlapAndTheArenaShrinksToOneFreeStretch)
{
    std::mt19937 random(3);
    OffsetAllocator arena;
    std::vector<Block> held;
    for (int step = 0; step < 4000; ++step) {
        if (held.empty() || random() % 5 < 3) {
            const Block block = arena.allocate(random() % 5000);
            EXPECT_EQ(block.offset % OffsetAllocator::kAlignment, 0U);
            EXPECT_LE(block.offset + block.bytes, arena.arenaBytes());
            for (const Block& other : held)
                ASSERT_TRUE(block.offset >= other.offset + other.bytes ||
                            other.offset >= block.offset + block.bytes);
            held.push_back(block);
        } else {
            std::swap(held[random() % held.size()], held.back());
            arena.release(held.back());
            held.pop_back();
        }
    }
    for (const Block& block : held)
        arena.release(block);
    const std::size_t all = arena.arenaBytes();
    EXPECT_EQ(arena.allocate(all), (Block{0, all})) << "neighbors were joined";
    EXPECT_EQ(arena.arenaBytes(), all);
    EXPECT_THROW(arena.release({1, 1}), std::logic_error);
}

} // namespace
} // namespace quadric::trainer::cuda
