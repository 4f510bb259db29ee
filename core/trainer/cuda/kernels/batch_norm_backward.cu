// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/kernels/channel_reduction.cuh"
#include "core/trainer/cuda/kernels/kernels.h"

namespace quadric::trainer::cuda {

namespace {

/// The gradient before the ReLU of one pack.
template <typename Number, int width>
__device__ inline void loadRectified(const NormLayer& layer, const NormGradients& gradients,
                                     std::size_t place, float (&gradient)[width])
{
    loadGradient<Number, width>(gradients.gradient, gradients.secondGradient, place, gradient);
    if (!layer.relu)
        return;
    const Pack<Number, width> outputs = loadPack<Number, width>(gradients.y, place);
    for (int i = 0; i < width; ++i)
        gradient[i] = gradientBeforeRelu(gradient[i], toFloat(outputs.item[i]), true);
}

/// Per block and channel: the sums of gradient and gradient · (x − mean).
template <typename Number, int width>
__global__ void sumGradients(NormLayer layer, NormGradients gradients, float* sums, float* products)
{
    const int pack = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const std::size_t packs = static_cast<std::size_t>(layer.channels / width);
    float sum[width] = {};
    float product[width] = {};
    if (pack * width < layer.channels) {
        float mean[width];
        for (int i = 0; i < width; ++i)
            mean[i] = layer.means[pack * width + i];
        for (std::size_t row = blockIdx.y * blockDim.y + threadIdx.y; row < layer.rows;
             row += gridDim.y * blockDim.y) {
            const std::size_t place = row * packs + pack;
            float gradient[width];
            loadRectified<Number, width>(layer, gradients, place, gradient);
            const Pack<Number, width> values = loadPack<Number, width>(gradients.x, place);
            for (int i = 0; i < width; ++i) {
                sum[i] += gradient[i];
                product[i] += gradient[i] * (toFloat(values.item[i]) - mean[i]);
            }
        }
    }
    sumOverBlockRows(sum);
    sumOverBlockRows(product);
    if (threadIdx.y > 0 || pack * width >= layer.channels)
        return;
    const std::size_t first =
        static_cast<std::size_t>(blockIdx.y) * layer.channels + static_cast<std::size_t>(pack) * width;
    for (int i = 0; i < width; ++i) {
        sums[first + i] = sum[i];
        products[first + i] = product[i];
    }
}

/// Gradients of scale and shift, and the three coefficients of the input's gradient.
__global__ void finishGradients(NormLayer layer, NormGradients gradients, GradientTarget target,
                                unsigned blocks, const float* sums, const float* products)
{
    const int channel = static_cast<int>(blockIdx.x) * kFinishLanes + static_cast<int>(threadIdx.x);
    const double sum = sumOverBlocks(sums, channel, layer.channels, blocks);
    const double product = sumOverBlocks(products, channel, layer.channels, blocks);
    if (threadIdx.y > 0 || channel >= layer.channels)
        return;
    const NormGradient norm =
        computeNormGradient(sum, product, static_cast<double>(layer.rows),
                            {layer.means[channel], layer.inverseDeviations[channel]}, layer.scale[channel]);
    layer.coefficients[channel] = norm.factor;
    layer.coefficients[layer.channels + channel] = norm.meanGradient;
    layer.coefficients[2 * layer.channels + channel] = norm.slope;
    const float inverse = 1.0F / target.lossScale->scale;
    const float earlierScale = target.accumulates ? gradients.scaleGradient[channel] : 0.0F;
    const float earlierShift = target.accumulates ? gradients.shiftGradient[channel] : 0.0F;
    gradients.scaleGradient[channel] = earlierScale + norm.scaleGradient * inverse;
    gradients.shiftGradient[channel] = earlierShift + norm.shiftGradient * inverse;
}

/// A thread reads a place before it writes there, so that gradients may lie on each other.
template <typename Number, int width> __global__ void passGradients(NormLayer layer, NormGradients gradients)
{
    const int pack = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (pack * width >= layer.channels)
        return;
    const std::size_t packs = static_cast<std::size_t>(layer.channels / width);
    NormGradient norm[width];
    float mean[width];
    for (int i = 0; i < width; ++i) {
        const int channel = pack * width + i;
        norm[i].factor = layer.coefficients[channel];
        norm[i].meanGradient = layer.coefficients[layer.channels + channel];
        norm[i].slope = layer.coefficients[2 * layer.channels + channel];
        mean[i] = layer.means[channel];
    }
    for (std::size_t row = blockIdx.y * blockDim.y + threadIdx.y; row < layer.rows;
         row += gridDim.y * blockDim.y) {
        const std::size_t place = row * packs + pack;
        float gradient[width];
        loadRectified<Number, width>(layer, gradients, place, gradient);
        const Pack<Number, width> values = loadPack<Number, width>(gradients.x, place);
        Pack<Number, width> result;
        if (gradients.shortcutGradient != nullptr) {
            for (int i = 0; i < width; ++i)
                put(result.item[i], gradient[i]);
            storePack(gradients.shortcutGradient, place, result);
        }
        for (int i = 0; i < width; ++i)
            put(result.item[i], inputGradient(gradient[i], toFloat(values.item[i]), mean[i], norm[i]));
        if (gradients.inputGradient != nullptr)
            storePack(gradients.inputGradient, place, result);
    }
}

} // namespace

void normalizeBackward(Precision precision, const NormLayer& layer, const NormGradients& gradients,
                       const GradientTarget& target, cudaStream_t stream)
{
    withPacks(precision, layer.channels, [&]<typename Number, int width>() {
        const ChannelGrid reducing = channelGrid(layer.rows, layer.channels, width, kReducingBlocks);
        const dim3 block(reducing.lanes, reducing.rows);
        float* products = layer.partials + partialSums(layer.channels) / 2;
        sumGradients<Number, width><<<dim3(reducing.stripes, reducing.rowBlocks), block, 0, stream>>>(
            layer, gradients, layer.partials, products);
        finishGradients<<<finishBlocks(layer.channels), dim3(kFinishLanes, kFinishRows), 0, stream>>>(
            layer, gradients, target, reducing.rowBlocks, layer.partials, products);
        const ChannelGrid passing = channelGrid(layer.rows, layer.channels, width, kPassingBlocks);
        passGradients<Number, width>
            <<<dim3(passing.stripes, passing.rowBlocks), block, 0, stream>>>(layer, gradients);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

} // namespace quadric::trainer::cuda
