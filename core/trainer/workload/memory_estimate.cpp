// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/memory_estimate.h"

#include "core/trainer/base/units.h"

#include <algorithm>

namespace quadric::trainer {

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

} // namespace quadric::trainer
