// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/kernels/channel_reduction.cuh"
#include "core/trainer/cuda/kernels/kernels.h"

namespace quadric::trainer::cuda {

namespace {

/// Per block and channel: the sums of x − pivot and (x − pivot)²; the pivot is the value in the first row.
template <typename Number, int width>
__global__ void sumChannels(const void* x, std::size_t rows, int channels, float* sums, float* squares)
{
    const int pack = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const std::size_t packs = static_cast<std::size_t>(channels / width);
    float sum[width] = {};
    float square[width] = {};
    if (pack * width < channels) {
        const Pack<Number, width> pivot = loadPack<Number, width>(x, pack);
        for (std::size_t row = blockIdx.y * blockDim.y + threadIdx.y; row < rows;
             row += gridDim.y * blockDim.y) {
            const Pack<Number, width> values = loadPack<Number, width>(x, row * packs + pack);
            for (int i = 0; i < width; ++i) {
                const float value = toFloat(values.item[i]) - toFloat(pivot.item[i]);
                sum[i] += value;
                square[i] += value * value;
            }
        }
    }
    sumOverBlockRows(sum);
    sumOverBlockRows(square);
    if (threadIdx.y > 0 || pack * width >= channels)
        return;
    const std::size_t first =
        static_cast<std::size_t>(blockIdx.y) * channels + static_cast<std::size_t>(pack) * width;
    for (int i = 0; i < width; ++i) {
        sums[first + i] = sum[i];
        squares[first + i] = square[i];
    }
}

template <typename Number>
__global__ void finishMoments(const void* x, std::size_t rows, int channels, unsigned blocks,
                              const float* sums, const float* squares, float* means, float* inverseDeviations)
{
    const int channel = static_cast<int>(blockIdx.x) * kFinishLanes + static_cast<int>(threadIdx.x);
    const double sum = sumOverBlocks(sums, channel, channels, blocks);
    const double square = sumOverBlocks(squares, channel, channels, blocks);
    if (threadIdx.y > 0 || channel >= channels)
        return;
    const float pivot = toFloat(static_cast<const Number*>(x)[channel]);
    const ChannelMoments moments = computeMoments(sum, square, static_cast<double>(rows), pivot);
    means[channel] = moments.mean;
    inverseDeviations[channel] = moments.inverseDeviation;
}

template <typename Number, int width>
__global__ void normalizeRows(NormLayer layer, const void* x, const void* shortcut, void* y)
{
    const int pack = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (pack * width >= layer.channels)
        return;
    const std::size_t packs = static_cast<std::size_t>(layer.channels / width);
    ChannelMoments moments[width];
    float scale[width];
    float shift[width];
    for (int i = 0; i < width; ++i) {
        const int channel = pack * width + i;
        moments[i] = {layer.means[channel], layer.inverseDeviations[channel]};
        scale[i] = layer.scale[channel];
        shift[i] = layer.shift[channel];
    }
    for (std::size_t row = blockIdx.y * blockDim.y + threadIdx.y; row < layer.rows;
         row += gridDim.y * blockDim.y) {
        const std::size_t place = row * packs + pack;
        const Pack<Number, width> values = loadPack<Number, width>(x, place);
        float sum[width];
        for (int i = 0; i < width; ++i)
            sum[i] = normalized(toFloat(values.item[i]), moments[i], scale[i], shift[i]);
        if (shortcut != nullptr) {
            const Pack<Number, width> added = loadPack<Number, width>(shortcut, place);
            for (int i = 0; i < width; ++i)
                sum[i] += toFloat(added.item[i]);
        }
        Pack<Number, width> result;
        for (int i = 0; i < width; ++i)
            put(result.item[i], rectified(sum[i], layer.relu));
        storePack(y, place, result);
    }
}

} // namespace

void normalizeForward(Precision precision, const NormLayer& layer, const void* x, const void* shortcut,
                      void* y, cudaStream_t stream)
{
    withPacks(precision, layer.channels, [&]<typename Number, int width>() {
        const ChannelGrid reducing = channelGrid(layer.rows, layer.channels, width, kReducingBlocks);
        const dim3 block(reducing.lanes, reducing.rows);
        float* squares = layer.partials + partialSums(layer.channels) / 2;
        sumChannels<Number, width><<<dim3(reducing.stripes, reducing.rowBlocks), block, 0, stream>>>(
            x, layer.rows, layer.channels, layer.partials, squares);
        finishMoments<Number><<<finishBlocks(layer.channels), dim3(kFinishLanes, kFinishRows), 0, stream>>>(
            x, layer.rows, layer.channels, reducing.rowBlocks, layer.partials, squares, layer.means,
            layer.inverseDeviations);
        const ChannelGrid passing = channelGrid(layer.rows, layer.channels, width, kPassingBlocks);
        normalizeRows<Number, width>
            <<<dim3(passing.stripes, passing.rowBlocks), block, 0, stream>>>(layer, x, shortcut, y);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

} // namespace quadric::trainer::cuda
