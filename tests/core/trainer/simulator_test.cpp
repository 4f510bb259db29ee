// SPDX-License-Identifier: GPL-3.0-or-later
// The model of hardware that is not here, against its formulas worked out by hand and against published
// scaling.
#include "core/trainer/base/failure.h"
#include "core/trainer/simulated/simulated_run.h"

#include <gtest/gtest.h>

namespace quadric::trainer {
namespace {

TEST(TransferModel, FollowsTheTextbookFormulas)
{
    const LinkModel link{10.0, 1.0}; // 10 µs, 1 GB/s
    const AllReduceCost eight = allReduceCost(link, 8, 8e6);
    EXPECT_NEAR(eight.ring, 14 * 10e-6 + 14e-3, 1e-12);
    EXPECT_NEAR(eight.tree, 6 * 10e-6 + 16e-3, 1e-12);
    EXPECT_NEAR(eight.halvingDoubling, 6 * 10e-6 + 14e-3, 1e-12);
    EXPECT_DOUBLE_EQ(eight.least(), eight.halvingDoubling);
    const AllReduceCost six = allReduceCost(link, 6, 6e3);
    EXPECT_NEAR(six.ring, 10 * 10e-6 + 10e-6, 1e-12);
    EXPECT_NEAR(six.tree, 6 * 10e-6 + 12e-6, 1e-12);
    EXPECT_DOUBLE_EQ(six.least(), six.tree) << "short messages want few rounds; six is no power of two";
    EXPECT_DOUBLE_EQ(allReduceCost(link, 1, 1e9).least(), 0.0);
    EXPECT_NEAR(allGatherSeconds(link, 4, 1e6), 3 * (10e-6 + 1e-3), 1e-12);
}

TEST(TransferModel, TwoLevelsShareTheNetworkAmongTheGpusOfANode)
{
    const Topology topology{{0.0, 100.0}, {0.0, 1.0}, 32, 8};
    // In the node 2·7/8·n/100; between four nodes 2·3/4·(n/8)/1.
    EXPECT_NEAR(allReduceSeconds(topology, 8e9), 1.75 * 0.08 + 1.5 * 1.0, 1e-9);
    // Each GPU gets one message of each other node, then those of the other GPUs of its node.
    EXPECT_NEAR(allGatherSeconds(topology, 1e9), 3.0 + 7 * 4 * 0.01, 1e-9);
}

TEST(TransferModel, TopkSavesBytesOnlyAboveItsBreakEven)
{
    // c > 100 (1 − 1/N): half of the gradients for two ranks, 7/8 for eight.
    for (const auto& [ranks, breakEven] : {std::pair{2, 50.0}, {4, 75.0}, {8, 87.5}}) {
        const Topology topology{{1.0, 10.0}, {1.0, 10.0}, ranks, 8};
        const auto sent = [&](double percent) {
            return bucketCost(topology, {CompressionMethod::Topk, percent, WireType::Fp32}, 1'000'000, 1000.0)
                .bytesSent;
        };
        EXPECT_GT(sent(breakEven - 0.1), sent(0.0));
        EXPECT_LT(sent(breakEven + 0.1), sent(0.0));
    }
}

TEST(TransferModel, AlignedSendsItsShareAndTheScores)
{
    const Topology topology{{1.0, 10.0}, {1.0, 10.0}, 2, 8};
    const BucketCost cost =
        bucketCost(topology, {CompressionMethod::Aligned, 90.0, WireType::Bf16}, 1'000'000, 1000.0);
    // 3907 scores of 4 bytes; 100 000 gradients are 391 chunks of 256 numbers of 2 bytes.
    EXPECT_DOUBLE_EQ(cost.bytesSent, 3907 * 4 + 391 * 256 * 2);
    EXPECT_GT(cost.selectionSeconds, 0.0);
}

TEST(StepModel, ABucketWaitsForItsGradientsAndForTheLink)
{
    EXPECT_DOUBLE_EQ(exchangeEnd({{1.0, 0.5}, {2.0, 3.0}, {2.5, 1.0}}), 6.0); // 1.5 | 2 → 5 | 5 → 6
    EXPECT_DOUBLE_EQ(exchangeEnd({}), 0.0);
}

Workload planned(const std::string& gpu, int ranks)
{
    Workload workload;
    workload.engine = EngineKind::Simulated;
    workload.hardware.gpu = gpu;
    workload.ranks = ranks;
    workload.network = "resnet50";
    workload.imageSize = 224;
    workload.batchPerRank = 256;
    return workload;
}

TEST(StepModel, OneGpuRunsAtTheStatedSpeed)
{
    for (const Preset& gpu : gpuPresets()) {
        const double seconds = computeSeconds({.gpu = gpu.name}, *makeNetwork("resnet50"), 224, 256);
        EXPECT_NEAR(256 / seconds, gpu.imagesPerSec, 1e-6 * gpu.imagesPerSec) << gpu.name;
    }
    const SimulatedHardware stated{.gpu = "v100", .oneGpuImagesPerSec = 5000.0};
    EXPECT_NEAR(256 / computeSeconds(stated, *makeNetwork("resnet50"), 224, 256), 5000.0, 1e-6);
    EXPECT_LT(32 / computeSeconds(stated, *makeNetwork("resnet50"), 224, 32), 5000.0)
        << "small batches pay the same start of the kernels";
}

TEST(StepModel, WithoutOverlapEverythingIsExposed)
{
    Workload workload = planned("v100", 8);
    workload.overlap = false;
    const ModeledStep step = modelStep(workload);
    double cost = 0.0;
    const Topology topology{{3.0, 120.0}, {6.0, 45.0}, 8, 8};
    for (std::size_t left = step.gradients; left > 0; left = 0)
        cost = allReduceSeconds(topology, static_cast<double>(left) * 4.0);
    // The buckets pay latency and launch one by one, their bytes are the same.
    EXPECT_GT(step.exposedSeconds, cost);
    EXPECT_LT(step.exposedSeconds, cost + static_cast<double>(step.buckets) * (20e-6 + 6 * 3e-6));
    workload.overlap = true;
    EXPECT_LT(modelStep(workload).exposedSeconds, 0.2 * step.exposedSeconds);
}

double efficiencyOf(const Workload& workload)
{
    const nlohmann::json event = resultEvent(simulateRun(workload));
    return event.at("responses").at("scaling_efficiency").get<double>();
}

TEST(Simulation, AgreesWithPublishedScalingInOneNode)
{
    // NVIDIA Deep Learning Examples, ResNet-50 v1.5, eight GPUs of one node, images per second of one and of
    // eight; MXNet on the DGX A100: 26,674 on eight, 98 %.
    struct Published {
        const char* gpu;
        double one;
        double percent;
    };
    const Published all[] = {{"a100", 26674 / 8 / 0.98, 98.0},
                             {"v100", 367.0, 100.0 * 2855 / (8 * 367)},  // DGX-1 16 GB, FP32
                             {"v100", 356.0, 100.0 * 2766 / (8 * 356)}}; // DGX-1 32 GB, FP32
    for (const Published& published : all) {
        Workload workload = planned(published.gpu, 8);
        workload.batchPerRank = 128;
        workload.hardware.oneGpuImagesPerSec = published.one;
        EXPECT_NEAR(efficiencyOf(workload), published.percent, 3.0) << published.gpu << ' ' << published.one;
    }
}

TEST(Simulation, AStatedOverheadExplainsWhatTheLinksDoNot)
{
    // The same source, PyTorch with mixed precision on the DGX A100: 2470 images/s on one GPU, 16,621 on
    // eight (84 %). Links of 230 GB/s cannot cost that; 256/(16621/8) − 256/2470 s = 19.6 ms of each step do.
    Workload workload = planned("a100", 8);
    EXPECT_GT(efficiencyOf(workload), 99.0);
    workload.hardware.stepOverheadMs = 19.6;
    EXPECT_NEAR(efficiencyOf(workload), 100.0 * 16621 / (8 * 2470), 1.0);
}

TEST(Simulation, SaysThatItIsOne)
{
    const nlohmann::json event = resultEvent(simulateRun(planned("h100", 64)));
    const nlohmann::json& provenance = event.at("provenance");
    EXPECT_EQ(provenance.at("source"), "simulated");
    EXPECT_EQ(provenance.at("engine"), "simulated");
    EXPECT_FALSE(provenance.contains("cpu")) << "this machine has nothing to do with it";
    EXPECT_FALSE(event.at("responses").contains("loss_end")) << "nothing was trained";
    EXPECT_EQ(provenance.at("warnings").size(), 2U);
}

TEST(Simulation, NoiseComesFromTheSeed)
{
    Workload workload = planned("h100", 16);
    const auto speed = [&] {
        return resultEvent(simulateRun(workload)).at("responses").at("images_per_sec").get<double>();
    };
    const double exact = speed();
    EXPECT_EQ(speed(), exact);
    workload.hardware.noisePct = 2.0;
    const double first = speed();
    EXPECT_EQ(speed(), first);
    EXPECT_NE(first, exact);
    EXPECT_NEAR(first, exact, 0.03 * exact);
    EXPECT_EQ(simulateRun(workload, "run-7").together.stepsMs,
              simulateRun(workload, "run-7").together.stepsMs);
    EXPECT_NE(simulateRun(workload, "run-8").together.stepsMs,
              simulateRun(workload, "run-7").together.stepsMs)
        << "repetitions of a setting must differ, or they have no pure error";
    workload.seed = 2;
    EXPECT_NE(speed(), first);
}

TEST(Simulation, CompressionHelpsSlowLinksAndHurtsFastOnes)
{
    Workload workload = planned("v100", 64);
    workload.batchPerRank = 16;
    const auto speed = [&](double percent, const char* network) {
        workload.exchange = {CompressionMethod::Aligned, percent, WireType::Fp32};
        workload.hardware.network = network;
        return resultEvent(simulateRun(workload)).at("responses").at("images_per_sec").get<double>();
    };
    EXPECT_GT(speed(90.0, "ethernet10"), 1.1 * speed(0.0, "ethernet10"));
    EXPECT_LT(speed(10.0, "ndr400"), speed(0.0, "ndr400"));
}

TEST(Simulation, StrongScalingSharesTheWork)
{
    Workload workload = planned("h100", 8);
    workload.scaling = Scaling::Strong;
    workload.globalBatch = 1000;
    workload = resolved(workload);
    const nlohmann::json event = resultEvent(simulateRun(workload));
    const nlohmann::json& provenance = event.at("provenance");
    EXPECT_EQ(provenance.at("scaling").at("kind"), "strong");
    EXPECT_EQ(provenance.at("batch_per_rank"), 125);
    EXPECT_EQ(provenance.at("baseline").at("batch_per_rank"), 125);
    const double alone = 8 * computeSeconds(workload.hardware, *makeNetwork("resnet50"), 224, 125);
    const double shared = modelStep(workload).stepSeconds;
    EXPECT_NEAR(event.at("responses").at("scaling_efficiency").get<double>(), 100.0 * alone / (8 * shared),
                1e-6);
}

TEST(Simulation, AGivenBaselineGivesTheEfficiencyOfItsOwn)
{
    Workload workload = planned("h100", 8);
    const double own = efficiencyOf(workload);
    const nlohmann::json alone = resultEvent(simulateRun(makeBaselineWorkload(workload)));
    EXPECT_EQ(alone.at("provenance").at("source"), "simulated");
    workload.baselineRate = alone.at("responses").at("images_per_sec").get<double>();
    workload.baselineHalfWidth = alone.at("spread").at("images_per_sec").get<double>();
    EXPECT_NEAR(efficiencyOf(workload), own, 1e-9);
    EXPECT_FALSE(simulateRun(workload).baseline);
}

TEST(Simulation, AStepThatDoesNotFitIntoTheGpuIsRefused)
{
    Workload workload = planned("v100", 8);
    workload.batchPerRank = 4096;
    try {
        simulateRun(workload);
        ADD_FAILURE() << "16 GiB cannot hold a batch of 4096";
    } catch (const Failure& failure) {
        EXPECT_EQ(failure.kind(), kOutOfMemory);
        EXPECT_NE(std::string(failure.what()).find("16 GiB"), std::string::npos);
    }
}

TEST(SimulatedRun, EndsAsAShortLookWhereItIsFarFromTheBest)
{
    Workload workload;
    workload.engine = EngineKind::Simulated;
    workload.ranks = 8;
    workload.hardware.noisePct = 2.0;
    workload.intervalPct = 0.1;
    const RunRecord full = simulateRun(workload, "1");
    const double speed = imagesPerSecond(full.together, workload);
    EXPECT_FALSE(resultEvent(full).at("provenance").contains("short_look"));
    workload.shortLook = ShortLookBar{"images_per_sec", 1.2 * speed};
    const RunRecord early = simulateRun(workload, "1");
    EXPECT_LT(early.together.stepsMs.size(), full.together.stepsMs.size() / 2);
    EXPECT_EQ(resultEvent(early).at("provenance").at("short_look").at("worse_than"), 1.2 * speed);
    EXPECT_EQ(early.baseline->stepsMs.size(), full.baseline->stepsMs.size()) << "measured in full";
    workload.shortLook = ShortLookBar{"images_per_sec", 0.9 * speed};
    EXPECT_EQ(simulateRun(workload, "1").together.stepsMs.size(), full.together.stepsMs.size());
}

} // namespace
} // namespace quadric::trainer
