// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/base/number_format.h"
#include "core/trainer/workload/network.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::trainer {

enum class EngineKind {
    Cpu,
    Simulated,
    Cuda,
    Automatic ///< GPUs where they can be measured, otherwise the processor; see chosenEngine()
};
enum class Scaling {
    Weak,  ///< every rank keeps its batch; N ranks do N times the work
    Strong ///< the global batch is shared out; N ranks do the same work
};

/// What the simulator assumes about hardware that is not here.
struct SimulatedHardware {
    std::string gpu = "h100";        ///< preset of one GPU and the links in its node
    std::string network = "ndr400";  ///< preset of the links between nodes
    int ranksPerNode = 8;            ///< GPUs that share the fast links
    double oneGpuImagesPerSec = 0.0; ///< 0: the preset's
    double stepOverheadMs = 0.0;     ///< that only runs on several GPUs pay
    double noisePct = 0.0;           ///< standard deviation of a step
};

/// What a run is compared with while it is measured (docs/worker-protocol.md).
struct ShortLookBar {
    std::string response;
    double worseThan = 0.0;
};

/// Of a run's time, for the baseline.
inline constexpr double kBaselineShare = 0.35;

/// What is to be measured and how. One struct for the launcher and every rank.
struct Workload {
    EngineKind engine = EngineKind::Cpu;
    int ranks = 1;
    int batchPerRank = 16; ///< images that a rank computes at once; with strong scaling see resolved()
    std::string network = "resnet8";
    int imageSize = 32; ///< pixels, square
    Precision precision = Precision::Fp32;
    ExchangeOptions exchange;
    LinkSpeed link;         ///< emulated
    double bucketMib = 4.0; ///< gradients that are exchanged as one message
    bool overlap = true;    ///< exchange buckets while the backward pass goes on
    int aggregation = 1;    ///< micro-batches whose gradients are added before they are exchanged
    int threadsPerRank = 1; ///< compute threads
    Scaling scaling = Scaling::Weak;
    int globalBatch = 0;                           ///< images of all ranks in a step; strong scaling only
    double maxSeconds = 60.0;                      ///< for the whole run, without its set-up
    std::optional<double> minSeconds = {};         ///< see leastSeconds()
    std::optional<double> warmupLeastSeconds = {}; ///< see leastWarmupSeconds()
    double warmupSeconds = 30.0;                   ///< at most, per stage
    double intervalPct = 0.5; ///< wanted half width of the 95 % interval of the median step
    bool baseline = true;     ///< relate the speed to that of one rank alone, which is measured first
    std::optional<double> baselineRate = {}; ///< images/s of one rank, known from elsewhere: not measured
    std::optional<double> baselineHalfWidth = {}; ///< of the 95 % interval of baselineRate, images/s
    bool oversubscribe = false;                   ///< allow more threads than cores
    double learningRate = 0.01;
    double momentum = 0.9;
    int seed = 1;
    bool trainsForLoss = false;                 ///< some steps on images that change, before the measurement
    double datasetImages = 1281167;             ///< of an epoch; ImageNet-1k's training set
    double pricePerRankHour = 0.0;              ///< 0: not known, no cost is reported
    SimulatedHardware hardware;                 ///< simulated engine only
    std::optional<ShortLookBar> shortLook = {}; ///< ends early what does not reach it

    /// Images that all ranks together compute between two updates.
    long imagesPerStep() const { return static_cast<long>(ranks) * batchPerRank * aggregation; }

    /// How long a stage measures at least: what is asked for, or what an engine needs to show its sustained
    /// speed. The clocks of a GPU settle over seconds.
    double leastSeconds() const { return minSeconds.value_or(engine == EngineKind::Cuda ? 10.0 : 1.0); }
    /// How long a stage computes at least before it measures.
    double leastWarmupSeconds() const { return warmupLeastSeconds.value_or(leastSeconds() / 2.0); }

    /// One rank is measured alone before all are.
    bool measuresBaseline() const { return baseline && ranks > 1 && !baselineRate; }
    /// The speed of one rank alone is known and several are related to it.
    bool usesGivenBaseline() const { return baseline && ranks > 1 && baselineRate.has_value(); }
};

/// The machine that a request is checked against.
struct MachineLimits {
    int cores = 1;
    std::int64_t availableBytes = 0;                 ///< 0: unknown, not checked
    bool hasBf16 = false;                            ///< instructions for bfloat16
    std::string whyNoCpu = {};                       ///< empty where processors can be measured
    std::vector<std::int64_t> gpuFreeBytes = {};     ///< of every GPU that may be used
    std::string whyNoGpu = "nobody looked for them"; ///< empty where GPUs can be measured
};

/// With strong scaling the batch of each rank follows from the global one: divided by ranks and
/// micro-batches, rounded down. Throws Failure (bad-settings) when less than one image a rank is left.
Workload resolved(Workload workload);

/// The run of one rank that the efficiency is measured against: the same batch (weak), or all the work of the
/// ranks as it was rounded, micro-batch by micro-batch (strong). It needs no more memory than a rank of many.
Workload makeBaselineWorkload(const Workload& workload);

/// The engine that the workload gets on such a machine: Automatic becomes Cuda or Cpu where that can be
/// measured, all others stay.
EngineKind chosenEngine(const Workload& workload, const MachineLimits& limits);

/// What one rank is going to keep in memory (of the machine, or of its GPU), in bytes, before anything has
/// been made.
struct MemoryEstimate {
    std::int64_t activations = 0; ///< outputs of the layers that the backward pass reads, images, gradients
    std::int64_t parameters = 0;  ///< values, gradients, momentum, and copies in other layouts
    std::int64_t exchange = 0;    ///< residual of a compression, sums of micro-batches, messages
    std::int64_t process = 0;     ///< program and libraries
    std::int64_t total() const { return activations + parameters + exchange + process; }
};

/// Of a rank that computes on processors.
MemoryEstimate estimateProcessMemory(const Workload& workload, const Network& network);

/// What a message costs: latency of each and the effective bandwidth of one GPU.
struct LinkModel {
    double latencyUs = 0.0;
    double gigabytesPerSec = 0.0;
};

/// Hardware by a name that settings use.
struct Preset {
    std::string name;
    std::string words; ///< for people
    LinkModel link;
    /// GPUs only. ResNet-50 at 224 px, mixed precision, batch 256, images/s, and where the figure is from.
    double imagesPerSec = 0.0;
    std::string speedFrom = {};
    double memoryGib = 0.0;
    double memoryGigabytesPerSec = 0.0;
};

/// GPUs with the links inside their nodes; links between nodes, with the figures of workload::kLinks.
const std::vector<Preset>& gpuPresets();
const std::vector<Preset>& networkPresets();

/// The preset of that name in a list. Throws std::out_of_range.
const Preset& presetNamed(const std::vector<Preset>& presets, std::string_view name);

} // namespace quadric::trainer
