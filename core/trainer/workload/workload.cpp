// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/workload.h"

#include "core/trainer/base/failure.h"
#include "core/trainer/base/number_format.h"
#include "core/workload/link_table.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::trainer {

Workload resolved(Workload workload)
{
    if (workload.scaling == Scaling::Weak)
        return workload;
    const long shares = static_cast<long>(workload.ranks) * workload.aggregation;
    if (workload.globalBatch < shares)
        throw Failure(kBadSettings, "global_batch " + std::to_string(workload.globalBatch) +
                                        ": strong scaling needs at least one image for each of the " +
                                        std::to_string(shares) + " micro-batches (ranks × aggregation)");
    workload.batchPerRank = static_cast<int>(workload.globalBatch / shares);
    return workload;
}

Workload makeBaselineWorkload(const Workload& workload)
{
    Workload alone = workload;
    alone.ranks = 1;
    alone.shortLook.reset(); // a baseline is always measured in full
    if (workload.scaling == Scaling::Strong)
        alone.aggregation = workload.aggregation * workload.ranks;
    return alone;
}

EngineKind chosenEngine(const Workload& workload, const MachineLimits& limits)
{
    if (workload.engine != EngineKind::Automatic)
        return workload.engine;
    if (limits.whyNoGpu.empty())
        return EngineKind::Cuda;
    return limits.whyNoCpu.empty() ? EngineKind::Cpu : EngineKind::Automatic;
}

namespace {

constexpr std::int64_t kFloat = 4;
constexpr std::int64_t kProcess = 60 * kMib;

std::int64_t values(const Shape& shape)
{
    return std::int64_t{shape.channels} * shape.height * shape.width;
}

std::int64_t parameterCount(const Network& network, Shape image)
{
    std::int64_t total = 0;
    for (const Parameter& parameter : parametersOf(network, image))
        total += static_cast<std::int64_t>(parameter.count());
    return total;
}

/// All layer outputs but those of sums, which overwrite their first summand, and room for the gradients of
/// the largest one; buffers of finished layers serve for the other gradients.
std::int64_t activationBytes(const Workload& workload, const Network& network, Shape image)
{
    const std::vector<Shape> shapes = inferShapes(network, image);
    const std::int64_t number = storedAs(workload.precision) == Precision::Fp32 ? kFloat : 2;
    std::int64_t kept = 0;
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (network.layers[i].kind != LayerKind::Add)
            kept += values(shapes[i]);
        largest = std::max(largest, values(shapes[i]));
    }
    return workload.batchPerRank * (number * (kept + 3 * largest) + kFloat * values(image));
}

LinkModel linkNamed(std::string_view name)
{
    const workload::Link& link = *workload::findLink(name);
    return {link.latencyUs, link.gigabytesPerSec};
}

} // namespace

MemoryEstimate estimateProcessMemory(const Workload& workload, const Network& network)
{
    const Shape image{3, workload.imageSize, workload.imageSize};
    const std::int64_t parameters = kFloat * parameterCount(network, image);
    const bool isCompressed = workload.ranks > 1 && workload.exchange.compressionPct > 0.0;
    MemoryEstimate estimate;
    estimate.activations = activationBytes(workload, network, image);
    estimate.parameters = 3 * parameters + parameters / 2;
    estimate.exchange = (isCompressed ? parameters : 0) + (workload.aggregation > 1 ? parameters : 0);
    estimate.process = kProcess;
    return estimate;
}

const std::vector<Preset>& gpuPresets()
{
    static const std::vector<Preset> all = {
        {"h200", "H200, NVLink 4 with NVSwitch", linkNamed("nvlink4"), 7010.0,
         "taken from the H100, whose arithmetic is the same; nothing is published for the H200", 141.0,
         4800.0},
        {"h100", "H100, NVLink 4 with NVSwitch", linkNamed("nvlink4"), 7010.0,
         "MLPerf Training 3.0, a GPU of eight", 80.0, 3350.0},
        {"a100", "A100, NVSwitch", linkNamed("nvlink3"), 2470.0,
         "NVIDIA Deep Learning Examples, PyTorch 21.03, DGX A100 80 GB", 80.0, 2039.0},
        {"v100", "V100, NVLink 2", linkNamed("nvlink2"), 1200.0,
         "NVIDIA Deep Learning Examples, PyTorch 21.03, DGX-1 16 GB", 16.0, 900.0},
    };
    return all;
}

const std::vector<Preset>& networkPresets()
{
    static const std::vector<Preset> all = {
        {"ndr400", "InfiniBand NDR, 400 Gbit/s a GPU", linkNamed("ndr400")},
        {"edr100", "InfiniBand EDR, 100 Gbit/s a GPU", linkNamed("edr100")},
        {"ethernet100", "Ethernet, 100 Gbit/s a GPU", linkNamed("ethernet100")},
        {"ethernet10", "Ethernet, 10 Gbit/s a GPU", linkNamed("ethernet10")},
    };
    return all;
}

const Preset& presetNamed(const std::vector<Preset>& presets, std::string_view name)
{
    const auto found = std::ranges::find(presets, name, &Preset::name);
    if (found == presets.end())
        throw std::out_of_range("no preset " + std::string(name));
    return *found;
}

} // namespace quadric::trainer
