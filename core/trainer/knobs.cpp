// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/knobs.h"

#include "core/trainer/knob_kinds.h"
#include "core/trainer/link_presets.h"
#include "core/trainer/network.h"

namespace quadric::trainer {

namespace {

using W = Workload;

std::vector<std::string> names(const std::vector<Preset>& presets)
{
    std::vector<std::string> list;
    list.reserve(presets.size());
    for (const Preset& preset : presets)
        list.push_back(preset.name);
    return list;
}

void addWork(std::vector<Knob>& all)
{
    all.push_back(choiceKnob<EngineKind>(
        {"engine",
         "What computes: cpu measures on processors, cuda on GPUs, auto takes GPUs where there are some; "
         "simulated calculates from a model and says so"},
        [](W& w) -> EngineKind& { return w.engine; },
        {{"cpu", EngineKind::Cpu},
         {"cuda", EngineKind::Cuda},
         {"auto", EngineKind::Automatic},
         {"simulated", EngineKind::Simulated}}));
    all.push_back(
        integerKnob({"ranks", "Processes that train together, each with its own copy of the network"},
                    [](W& w) -> int& { return w.ranks; }, {1, 65536}));
    all.push_back(
        integerKnob({"batch_per_rank", "Images that a rank computes at once (weak scaling)", "images"},
                    [](W& w) -> int& { return w.batchPerRank; }, {1, 65536}));
    all.push_back(nameKnob(
        {"network", "Network that is trained"}, [](W& w) -> std::string& { return w.network; },
        networkNames()));
    all.push_back(integerKnob({"image_size", "Height and width of the images", "px"},
                              [](W& w) -> int& { return w.imageSize; }, {8, 1024}));
    all.push_back(choiceKnob<Precision>(
        {"precision", "Number format of the activations"}, [](W& w) -> Precision& { return w.precision; },
        {{"fp32", Precision::Fp32}, {"bf16", Precision::Bf16}, {"fp16", Precision::Fp16}}));
    all.push_back(integerKnob({"threads_per_rank", "Compute threads of a rank", "threads"},
                              [](W& w) -> int& { return w.threadsPerRank; }, {1, 4096}));
    all.push_back(choiceKnob<Scaling>(
        {"scaling", "Weak keeps batch_per_rank, strong shares global_batch out among the ranks"},
        [](W& w) -> Scaling& { return w.scaling; }, {{"weak", Scaling::Weak}, {"strong", Scaling::Strong}}));
    all.push_back(integerKnob({"global_batch", "Images of all ranks in a step, for strong scaling", "images"},
                              [](W& w) -> int& { return w.globalBatch; }, {0, 16777216}));
}

void addExchange(std::vector<Knob>& all)
{
    all.push_back(
        realKnob({"gradient_compression", "Share of the gradients that a rank does not send in a step", "%"},
                 [](W& w) -> double& { return w.exchange.compressionPct; }, {0.0, 99.999}));
    all.push_back(choiceKnob<CompressionMethod>(
        {"compression_method", "Each rank sends its own largest gradients, or all ranks the same chunks"},
        [](W& w) -> CompressionMethod& { return w.exchange.method; },
        {{"topk", CompressionMethod::Topk}, {"aligned", CompressionMethod::Aligned}}));
    all.push_back(
        choiceKnob<WireType>({"wire_dtype", "Number format in which gradients travel"},
                             [](W& w) -> WireType& { return w.exchange.wire; },
                             {{"fp32", WireType::Fp32}, {"bf16", WireType::Bf16}, {"fp16", WireType::Fp16}}));
    all.push_back(integerKnob({"aggregation", "Micro-batches that are computed between two exchanges"},
                              [](W& w) -> int& { return w.aggregation; }, {1, 1024}));
    all.push_back(realKnob({"bucket_mib", "Gradients that are exchanged as one message", "MiB"},
                           [](W& w) -> double& { return w.bucketMib; }, {0.001, 65536.0}));
    all.push_back(switchKnob({"overlap", "Exchange gradients while the backward pass goes on"},
                             [](W& w) -> bool& { return w.overlap; }));
    all.push_back(
        realKnob({"link_gbit", "Emulated speed at which a rank sends; 0 does not slow it down", "Gbit/s"},
                 [](W& w) -> double& { return w.link.gbit; }, {0.0, 10000.0}));
    all.push_back(realKnob({"link_latency_us", "Emulated latency of each message", "µs"},
                           [](W& w) -> double& { return w.link.latencyUs; }, {0.0, 1e6}));
}

void addMeasurement(std::vector<Knob>& all)
{
    all.push_back(realKnob({"max_seconds", "Limit for the whole run", "s"},
                           [](W& w) -> double& { return w.maxSeconds; }, {0.1, 86400.0}));
    all.push_back(realKnob({"warmup_seconds", "Limit for the warm-up of a stage", "s"},
                           [](W& w) -> double& { return w.warmupSeconds; }, {0.0, 3600.0}));
    all.push_back(realKnob(
        {"interval_pct", "Stop when the 95 % interval of the median step is within ± this much of it", "%"},
        [](W& w) -> double& { return w.intervalPct; }, {0.01, 50.0}));
    all.push_back(switchKnob({"baseline", "Measure one rank alone first, for the scaling efficiency"},
                             [](W& w) -> bool& { return w.baseline; }));
    all.push_back(
        optionalKnob({"baseline_rate",
                      "Speed of one rank alone that is known already; it is not measured then", "images/s"},
                     [](W& w) -> std::optional<double>& { return w.baselineRate; }, {1e-6, 1e9}));
    all.push_back(
        optionalKnob({"baseline_half_width", "Half width of the 95 % interval of baseline_rate", "images/s"},
                     [](W& w) -> std::optional<double>& { return w.baselineHalfWidth; }, {0.0, 1e9}));
    all.push_back(switchKnob({"oversubscribe", "Allow more threads than cores"},
                             [](W& w) -> bool& { return w.oversubscribe; }));
    all.push_back(realKnob({"learning_rate", "Step of the gradient descent"},
                           [](W& w) -> double& { return w.learningRate; }, {0.0, 10.0}));
    all.push_back(realKnob({"momentum", "Momentum of the gradient descent"},
                           [](W& w) -> double& { return w.momentum; }, {0.0, 0.9999}));
    all.push_back(integerKnob({"seed", "Start of the random numbers: images, parameters, simulated noise"},
                              [](W& w) -> int& { return w.seed; }, {0, 2147483647}));
    all.push_back(realKnob({"dataset_images", "Images of an epoch, for seconds_per_epoch", "images"},
                           [](W& w) -> double& { return w.datasetImages; }, {1.0, 1e12}));
    all.push_back(
        realKnob({"price_per_rank_hour", "Price of one rank for an hour, for cost_per_epoch; 0 is unknown"},
                 [](W& w) -> double& { return w.pricePerRankHour; }, {0.0, 1e6}));
}

void addSimulated(std::vector<Knob>& all)
{
    all.push_back(nameKnob(
        {"gpu", "Simulated GPU with the links in its node"},
        [](W& w) -> std::string& { return w.hardware.gpu; }, names(gpuPresets())));
    all.push_back(nameKnob(
        {"node_network", "Simulated links between nodes"},
        [](W& w) -> std::string& { return w.hardware.network; }, names(networkPresets())));
    all.push_back(integerKnob({"ranks_per_node", "Simulated GPUs in a node", "GPUs"},
                              [](W& w) -> int& { return w.hardware.ranksPerNode; }, {1, 1024}));
    all.push_back(realKnob(
        {"one_gpu_images_per_sec", "Measured speed of one simulated GPU; 0 takes the preset's", "images/s"},
        [](W& w) -> double& { return w.hardware.oneGpuImagesPerSec; }, {0.0, 1e7}));
    all.push_back(realKnob({"step_overhead_ms", "Time of a simulated step that only several GPUs pay", "ms"},
                           [](W& w) -> double& { return w.hardware.stepOverheadMs; }, {0.0, 10000.0}));
    all.push_back(realKnob({"noise_pct", "Standard deviation of a simulated step", "%"},
                           [](W& w) -> double& { return w.hardware.noisePct; }, {0.0, 50.0}));
}

} // namespace

const std::vector<Knob>& knobs()
{
    static const std::vector<Knob> all = [] {
        std::vector<Knob> list;
        addWork(list);
        addExchange(list);
        addMeasurement(list);
        addSimulated(list);
        return list;
    }();
    return all;
}

} // namespace quadric::trainer
