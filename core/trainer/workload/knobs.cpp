// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/knobs.h"

#include "core/trainer/workload/knob_kinds.h"
#include "core/workload/knob_table.h"

#include <array>

namespace quadric::trainer {

using W = Workload;
using workload::knob;

/// One for each knob of the vocabulary: a missing or an unknown one does not compile.
std::span<const KnobAccess> knobs()
{
    static const std::array<KnobAccess, workload::kKnobs.size()> all = {
        makeChoice<EngineKind>(knob("engine"), [](W& w) -> EngineKind& { return w.engine; },
                               {{"cpu", EngineKind::Cpu},
                                {"cuda", EngineKind::Cuda},
                                {"auto", EngineKind::Automatic},
                                {"simulated", EngineKind::Simulated}}),
        makeAccess(knob("ranks"), [](W& w) -> int& { return w.ranks; }),
        makeAccess(knob("batch_per_rank"), [](W& w) -> int& { return w.batchPerRank; }),
        makeAccess(knob("network"), [](W& w) -> std::string& { return w.network; }),
        makeAccess(knob("image_size"), [](W& w) -> int& { return w.imageSize; }),
        makeChoice<Precision>(knob("precision"), [](W& w) -> Precision& { return w.precision; },
                              {{"fp32", Precision::Fp32},
                               {"tf32", Precision::Tf32},
                               {"bf16", Precision::Bf16},
                               {"fp16", Precision::Fp16}}),
        makeAccess(knob("threads_per_rank"), [](W& w) -> int& { return w.threadsPerRank; }),
        makeChoice<Scaling>(knob("scaling"), [](W& w) -> Scaling& { return w.scaling; },
                            {{"weak", Scaling::Weak}, {"strong", Scaling::Strong}}),
        makeAccess(knob("global_batch"), [](W& w) -> int& { return w.globalBatch; }),

        makeAccess(knob("gradient_compression"), [](W& w) -> double& { return w.exchange.compressionPct; }),
        makeChoice<CompressionMethod>(
            knob("compression_method"), [](W& w) -> CompressionMethod& { return w.exchange.method; },
            {{"topk", CompressionMethod::Topk}, {"aligned", CompressionMethod::Aligned}}),
        makeChoice<WireType>(knob("wire_dtype"), [](W& w) -> WireType& { return w.exchange.wire; },
                             {{"fp32", WireType::Fp32}, {"bf16", WireType::Bf16}, {"fp16", WireType::Fp16}}),
        makeAccess(knob("bucket_mib"), [](W& w) -> double& { return w.bucketMib; }),
        makeAccess(knob("aggregation"), [](W& w) -> int& { return w.aggregation; }),
        makeAccess(knob("overlap"), [](W& w) -> bool& { return w.overlap; }),
        makeAccess(knob("link_gbit"), [](W& w) -> double& { return w.link.gbit; }),
        makeAccess(knob("link_latency_us"), [](W& w) -> double& { return w.link.latencyUs; }),

        makeAccess(knob("gpu"), [](W& w) -> std::string& { return w.hardware.gpu; }),
        makeAccess(knob("node_network"), [](W& w) -> std::string& { return w.hardware.network; }),
        makeAccess(knob("ranks_per_node"), [](W& w) -> int& { return w.hardware.ranksPerNode; }),
        makeAccess(knob("one_gpu_images_per_sec"),
                   [](W& w) -> double& { return w.hardware.oneGpuImagesPerSec; }),
        makeAccess(knob("step_overhead_ms"), [](W& w) -> double& { return w.hardware.stepOverheadMs; }),
        makeAccess(knob("noise_pct"), [](W& w) -> double& { return w.hardware.noisePct; }),

        makeAccess(knob("max_seconds"), [](W& w) -> double& { return w.maxSeconds; }),
        makeAccess(knob("min_seconds"), [](W& w) -> std::optional<double>& { return w.minSeconds; }),
        makeAccess(knob("warmup_least_seconds"),
                   [](W& w) -> std::optional<double>& { return w.warmupLeastSeconds; }),
        makeAccess(knob("warmup_seconds"), [](W& w) -> double& { return w.warmupSeconds; }),
        makeAccess(knob("interval_pct"), [](W& w) -> double& { return w.intervalPct; }),
        makeAccess(knob("baseline"), [](W& w) -> bool& { return w.baseline; }),
        makeAccess(knob("baseline_rate"), [](W& w) -> std::optional<double>& { return w.baselineRate; }),
        makeAccess(knob("baseline_half_width"),
                   [](W& w) -> std::optional<double>& { return w.baselineHalfWidth; }),
        makeAccess(knob("oversubscribe"), [](W& w) -> bool& { return w.oversubscribe; }),
        makeAccess(knob("learning_rate"), [](W& w) -> double& { return w.learningRate; }),
        makeAccess(knob("momentum"), [](W& w) -> double& { return w.momentum; }),
        makeAccess(knob("seed"), [](W& w) -> int& { return w.seed; }),
        makeAccess(knob("loss_training"), [](W& w) -> bool& { return w.trainsForLoss; }),
        makeAccess(knob("dataset_images"), [](W& w) -> double& { return w.datasetImages; }),
        makeAccess(knob("price_per_rank_hour"), [](W& w) -> double& { return w.pricePerRankHour; })};
    return all;
}

} // namespace quadric::trainer
