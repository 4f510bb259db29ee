// SPDX-License-Identifier: GPL-3.0-or-later
// Whole networks and whole runs on a GPU against those of the processor.
#include "core/machine/gpu.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/cpu/cpu_network.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/cuda/cuda_engine.h"
#include "core/trainer/cuda/cuda_network.h"
#include "core/trainer/workload/training_batches.h"

#include "../rank_threads.h"
#include "device_fixture.h"

#include <chrono>
#include <cmath>

namespace quadric::trainer::cuda {
namespace {

using testing::OnGpu;
using testing::OnGpuWithPrecision;

class NetworkOnGpu : public OnGpuWithPrecision {};
class EngineOnGpu : public OnGpu {};
class EngineOnGpuWithPrecision : public OnGpuWithPrecision {};

const auto kPrecisions = ::testing::Values(Precision::Fp32, Precision::Bf16, Precision::Fp16);
INSTANTIATE_TEST_SUITE_P(Precisions, NetworkOnGpu, kPrecisions, testing::nameOf);
INSTANTIATE_TEST_SUITE_P(Precisions, EngineOnGpuWithPrecision, kPrecisions, testing::nameOf);

TEST_P(NetworkOnGpu, LossAndGradientsAreThoseOfTheProcessor)
{
    const Network network = *makeNetwork("resnet8");
    const Shape image{3, 33, 33};
    constexpr int kBatch = 16;
    const SyntheticBatch batch = makeSyntheticBatch(image, kBatch, network.classes, 5);
    CpuNetwork expected(network, {image, kBatch});
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    CudaNetwork found(planStep(network, {image, kBatch, GetParam()}, 1 << 20), queue(), *alone, "");
    const auto values = firstParameters(expected.parameters(), 3);
    for (std::size_t i = 0; i < values.size(); ++i) {
        expected.setValue(i, values[i]);
        found.setValue(i, values[i]);
    }
    found.finishValues();
    expected.setBatch(batch.images, batch.labels);
    found.setBatch(batch.images, batch.labels);
    const double loss = expected.forward();
    expected.backward();
    found.forward(false);
    found.backward(false);
    queue().wait();
    float onGpu = 0.0F;
    cudaMemcpy(&onGpu, found.loss(), sizeof(onGpu), cudaMemcpyDeviceToHost);
    const bool isExact = GetParam() == Precision::Fp32;
    EXPECT_NEAR(onGpu, loss, (isExact ? 1e-5 : 0.02) * loss);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::vector<float> a = expected.gradient(i);
        const std::vector<float> b = found.gradient(i);
        double error = 0.0;
        double length = 0.0;
        for (std::size_t k = 0; k < a.size(); ++k) {
            error += std::pow(a[k] - b[k], 2);
            length += std::pow(a[k], 2);
        }
        EXPECT_LT(std::sqrt(error), (isExact ? 0.002 : 0.15) * std::sqrt(length) + 1e-6)
            << expected.parameters()[i].name;
    }
}

Workload smallRun()
{
    Workload workload;
    workload.engine = EngineKind::Cuda;
    workload.network = "resnet18";
    workload.imageSize = 64;
    workload.batchPerRank = 32;
    workload.bucketMib = 1.0;
    return workload;
}

std::vector<double> losses(Engine& engine, int steps, Peers peers)
{
    std::vector<double> found;
    for (int step = 0; step < steps; ++step)
        found.push_back(engine.step(peers).loss);
    return found;
}

TEST_P(EngineOnGpuWithPrecision, TenLossesAreThoseOfTheProcessor)
{
    Workload workload = smallRun();
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::vector<double> expected = losses(*makeCpuEngine(workload, *alone), 10, Peers::Alone);
    workload.precision = GetParam();
    const std::vector<double> found = losses(*newCudaEngine(workload, *alone), 10, Peers::Alone);
    // Steps amplify the rounding of other orders of summation: three agree closely, later ones in the whole.
    constexpr std::size_t kCloseSteps = 3;
    for (std::size_t step = 0; step < expected.size(); ++step) {
        const bool isClose = workload.precision == Precision::Fp32 && step < kCloseSteps;
        EXPECT_NEAR(found[step], expected[step], (isClose ? 1e-3 : 0.05) * expected[0]) << "step " << step;
    }
}

TEST_F(EngineOnGpu, MicroBatchesOfEqualImagesGiveTheSameMean)
{
    Workload workload = smallRun();
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::vector<double> once = losses(*newCudaEngine(workload, *alone), 4, Peers::Alone);
    workload.aggregation = 3;
    const std::vector<double> thrice = losses(*newCudaEngine(workload, *alone), 4, Peers::Alone);
    for (std::size_t step = 0; step < once.size(); ++step)
        EXPECT_NEAR(thrice[step], once[step], 1e-4 * once[0]);
}

TEST_F(EngineOnGpu, ResetGoesBackToTheFirstParameters)
{
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::unique_ptr<Engine> engine = newCudaEngine(smallRun(), *alone);
    const std::uint64_t first = engine->parameterHash();
    losses(*engine, 3, Peers::Alone);
    EXPECT_NE(engine->parameterHash(), first);
    engine->reset();
    EXPECT_EQ(engine->parameterHash(), first);
}

TEST_F(EngineOnGpu, TwoRanksOnOneGpuHoldTheSameParametersBitByBit)
{
    for (const double compression : {0.0, 90.0}) {
        Workload workload = smallRun();
        workload.ranks = 2;
        workload.exchange.compressionPct = compression;
        std::vector<std::uint64_t> hashes(2);
        testing::asRanks(2, [&](Collective& collective) {
            const std::unique_ptr<Engine> engine = newCudaEngine(workload, collective);
            losses(*engine, 4, Peers::Exchange);
            hashes[static_cast<std::size_t>(collective.rank())] = engine->parameterHash();
        });
        EXPECT_EQ(hashes[0], hashes[1]) << compression;
    }
}

TEST_F(EngineOnGpu, MoreThanItsMemoryIsOutOfMemoryAndTheNextRunWorks)
{
    Workload workload = smallRun();
    workload.batchPerRank = 1;
    workload.imageSize = 1024;
    std::size_t free = 0;
    std::size_t total = 0;
    cudaMemGetInfo(&free, &total);
    const Network network = *makeNetwork(workload.network);
    const std::size_t one = planStep(network, {{3, 1024, 1024}, 1}, 1 << 20).arenaBytes;
    workload.batchPerRank = static_cast<int>(total / one) + 1;
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    try {
        newCudaEngine(workload, *alone);
        FAIL() << "this cannot fit";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), kOutOfMemory) << failure.what();
    }
    EXPECT_GT(newCudaEngine(smallRun(), *alone)->step(Peers::Alone).loss, 0.0);
}

/// The driver averages power over a second: the GPU computes for three before anything is compared.
TEST_F(EngineOnGpu, EnergyIsTheIntegralOfSampledPower)
{
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::unique_ptr<Engine> engine = newCudaEngine(smallRun(), *alone);
    const machine::Nvml nvml;
    char pci[32] = {};
    cudaDeviceGetPCIBusId(pci, sizeof(pci), 0);
    if (!engine->energyJoules() || !nvml.powerWatts(pci))
        GTEST_SKIP() << "skipped: this GPU counts no energy";
    using Clock = std::chrono::steady_clock;
    for (const Clock::time_point start = Clock::now(); Clock::now() - start < std::chrono::seconds(3);)
        losses(*engine, 10, Peers::Alone);
    const double before = *engine->energyJoules();
    double integral = 0.0;
    const Clock::time_point begin = Clock::now();
    for (Clock::time_point last = begin; last - begin < std::chrono::seconds(5);) {
        losses(*engine, 10, Peers::Alone);
        const Clock::time_point now = Clock::now();
        integral += *nvml.powerWatts(pci) * std::chrono::duration<double>(now - last).count();
        last = now;
    }
    EXPECT_NEAR(*engine->energyJoules() - before, integral, 0.1 * integral);
}

} // namespace
} // namespace quadric::trainer::cuda
