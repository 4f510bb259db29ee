// SPDX-License-Identifier: GPL-3.0-or-later
// What one training step on this GPU costs at least: the bytes that its layers must move over the bandwidth
// that a copy reaches here, and what the selection of a compression costs. Prints one JSON object.
//   trainer_gpu_floor NETWORK IMAGE_SIZE BATCH fp32|bf16|fp16
#include "core/trainer/base/statistics.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/cuda/kernels/kernels.h"
#include "core/trainer/cuda/stream.h"
#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/gpu/step_plan.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

using namespace quadric::trainer;
using namespace quadric::trainer::cuda;

constexpr int kRounds = 20;
constexpr double kCompressionPct = 99.0;

double bytesOfMap(const StepPlan& plan, const Shape& shape)
{
    return static_cast<double>(bytesOf(plan.shape.precision)) * plan.shape.batch * shape.channels *
           shape.height * shape.width;
}

/// Forward and backward pass of a layer, each tensor once for every kernel that cannot do without it.
double bytesOfLayer(const StepPlan& plan, const PlannedLayer& layer)
{
    const double in = bytesOfMap(plan, layer.in);
    const double out = bytesOfMap(plan, layer.out);
    const auto gradients = static_cast<double>(layer.outputGradients.size());
    const double toInput = layer.inputGradient ? 1.0 : 0.0;
    switch (layer.kind) {
    case LayerKind::BatchNorm: {
        const double shortcut = layer.shortcut ? 1.0 : 0.0;
        const double mask = layer.relu ? 1.0 : 0.0;
        const double forward = 3.0 + shortcut; // x twice, y, shortcut
        const double backward = 2.0 * (1.0 + gradients + mask) + toInput + shortcut;
        return (forward + backward) * out;
    }
    case LayerKind::MaxPool:
        return 2.0 * in + (1.0 + gradients) * out;
    case LayerKind::AveragePool:
        return 2.0 * in + 2.0 * out;
    case LayerKind::Convolution:
    case LayerKind::Dense:
        return (in + out) + (in + out) + toInput * (in + out);
    case LayerKind::Add:
        break;
    }
    return 0.0;
}

/// With the weights, their gradients and the update.
double bytesOfStep(const StepPlan& plan)
{
    constexpr double kUpdate = 5.0 * 4.0; // read value, velocity, gradient; write value, velocity
    const auto number = static_cast<double>(bytesOf(plan.shape.precision));
    double bytes = static_cast<double>(plan.parameterCount()) * (kUpdate + 4.0 + 5.0 * number);
    for (const PlannedLayer& layer : plan.layers)
        bytes += bytesOfLayer(plan, layer);
    return bytes;
}

template <typename Work> double milliseconds(const Stream& stream, const Work& work)
{
    const Event begin;
    const Event end;
    work();
    stream.note(begin);
    for (int round = 0; round < kRounds; ++round)
        work();
    stream.note(end);
    stream.wait();
    return millisecondsBetween(begin, end) / kRounds;
}

/// Bytes read and written per second by a copy of half a gibibyte.
double copyBandwidth(const Stream& stream)
{
    constexpr std::size_t kBytes = std::size_t{1} << 29;
    const DeviceMemory from(kBytes);
    const DeviceMemory to(kBytes);
    const double ms = milliseconds(stream, [&] {
        QUADRIC_CHECKED(
            cudaMemcpyAsync(to.data(), from.data(), kBytes, cudaMemcpyDeviceToDevice, stream.get()));
    });
    return 2.0 * static_cast<double>(kBytes) / (ms / 1000.0);
}

double selectionMs(const StepPlan& plan, const Stream& stream)
{
    std::vector<float> values(plan.parameterCount());
    Random(1).normal(values, 1.0);
    const DeviceMemory pending(values.size() * sizeof(float));
    const DeviceMemory positions(values.size() * sizeof(std::uint32_t));
    const DeviceMemory sent(values.size() * sizeof(float));
    const DeviceMemory state(sizeof(RadixState));
    const DeviceMemory histogram(kRadixBins * sizeof(std::uint32_t));
    const DeviceMemory tiles(2 * selectionTiles(values.size()) * sizeof(std::uint32_t));
    const DeviceMemory gradients(values.size() * sizeof(float));
    pending.upload(values.data(), values.size() * sizeof(float));
    gradients.upload(values.data(), values.size() * sizeof(float));
    const SelectionScratch scratch{state.as<RadixState>(), histogram.as<std::uint32_t>(),
                                   tiles.as<std::uint32_t>()};
    return milliseconds(stream, [&] {
        for (const Bucket& bucket : plan.buckets) {
            float* part = pending.as<float>() + bucket.offset;
            const std::size_t wanted = sentEntries(bucket.gradients, kCompressionPct);
            addToResidual(part, gradients.as<float>() + bucket.offset, bucket.count, stream.get());
            selectLargestOnDevice(part, bucket.count, wanted,
                                  {positions.as<std::uint32_t>(), sent.data(), WireType::Fp32}, scratch,
                                  stream.get());
            addSent(gradients.as<float>() + bucket.offset, positions.as<std::uint32_t>(), sent.data(), wanted,
                    WireType::Fp32, stream.get());
        }
    });
}

Precision precisionOf(const std::string& name)
{
    return name == "bf16" ? Precision::Bf16 : name == "fp16" ? Precision::Fp16 : Precision::Fp32;
}

void measure(char** arguments)
{
    constexpr std::size_t kBucketBytes = std::size_t{4} << 20;
    const std::optional<Network> network = makeNetwork(arguments[1]);
    if (!network)
        throw Failure(kBadSettings, std::string("no network has the name ") + arguments[1]);
    const int size = std::atoi(arguments[2]);
    const StepPlan plan = planStep(
        *network, {{3, size, size}, std::atoi(arguments[3]), precisionOf(arguments[4])}, kBucketBytes);
    const Stream stream;
    const double bandwidth = copyBandwidth(stream);
    const double bytes = bytesOfStep(plan);
    std::printf(
        "{\"bytes_per_step\": %.0f, \"copy_gb_per_s\": %.1f, \"floor_ms\": %.3f, \"topk_99_ms\": %.3f}\n",
        bytes, bandwidth / 1e9, 1000.0 * bytes / bandwidth, selectionMs(plan, stream));
}

} // namespace

int main(int count, char** arguments)
{
    if (count != 5) {
        std::fprintf(stderr, "usage: trainer_gpu_floor NETWORK IMAGE_SIZE BATCH fp32|bf16|fp16\n");
        return 2;
    }
    try {
        measure(arguments);
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "trainer_gpu_floor: %s\n", error.what());
        return 1;
    }
}
