// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/kernels/device_numbers.cuh"
#include "core/trainer/cuda/kernels/kernels.h"

namespace quadric::trainer::cuda {

namespace {

/// One pack of one pixel of a map.
struct Place {
    int image;
    int y;
    int x;
    int pack;
};

__device__ inline Place placeOf(std::size_t entry, const Shape& shape, int packs)
{
    const std::size_t pixel = entry / packs;
    const std::size_t row = pixel / shape.width;
    return {static_cast<int>(row / shape.height), static_cast<int>(row % shape.height),
            static_cast<int>(pixel % shape.width), static_cast<int>(entry % packs)};
}

__device__ inline std::size_t packAt(const Shape& shape, int packs, int image, int y, int x, int pack)
{
    const std::size_t pixel = (static_cast<std::size_t>(image) * shape.height + y) * shape.width + x;
    return pixel * packs + pack;
}

std::size_t packsOf(int batch, const Shape& shape, int width)
{
    return static_cast<std::size_t>(batch) * static_cast<std::size_t>(shape.height) *
           static_cast<std::size_t>(shape.width) * static_cast<std::size_t>(shape.channels / width);
}

template <typename Number, int width>
__global__ void chooseMaxima(PoolLayer layer, std::size_t count, const void* x, void* y, void* choices)
{
    const int packs = layer.out.channels / width;
    for (std::size_t entry = firstEntry(); entry < count; entry += entryStep()) {
        const Place place = placeOf(entry, layer.out, packs);
        float best[width];
        Pack<std::uint8_t, width> choice = {};
        bool isFirst = true;
        for (int dy = 0; dy < layer.kernel; ++dy) {
            for (int dx = 0; dx < layer.kernel; ++dx) {
                const int sy = place.y * layer.stride - layer.padding + dy;
                const int sx = place.x * layer.stride - layer.padding + dx;
                if (sy < 0 || sy >= layer.in.height || sx < 0 || sx >= layer.in.width)
                    continue;
                const Pack<Number, width> values =
                    loadPack<Number, width>(x, packAt(layer.in, packs, place.image, sy, sx, place.pack));
                for (int i = 0; i < width; ++i) {
                    const float value = toFloat(values.item[i]);
                    if (isFirst || value > best[i]) {
                        best[i] = value;
                        choice.item[i] = static_cast<std::uint8_t>(dy * layer.kernel + dx);
                    }
                }
                isFirst = false;
            }
        }
        Pack<Number, width> result;
        for (int i = 0; i < width; ++i)
            put(result.item[i], best[i]);
        storePack(y, entry, result);
        storePack(choices, entry, choice);
    }
}

/// Every input collects the gradients of the windows that chose it.
template <typename Number, int width>
__global__ void collectChosen(PoolLayer layer, std::size_t count, const void* gradient,
                              const void* secondGradient, const void* choices, void* inputGradient)
{
    const int packs = layer.in.channels / width;
    for (std::size_t entry = firstEntry(); entry < count; entry += entryStep()) {
        const Place place = placeOf(entry, layer.in, packs);
        float sum[width] = {};
        for (int dy = 0; dy < layer.kernel; ++dy) {
            for (int dx = 0; dx < layer.kernel; ++dx) {
                const int top = place.y + layer.padding - dy;
                const int left = place.x + layer.padding - dx;
                if (top < 0 || left < 0 || top % layer.stride != 0 || left % layer.stride != 0)
                    continue;
                const int oy = top / layer.stride;
                const int ox = left / layer.stride;
                if (oy >= layer.out.height || ox >= layer.out.width)
                    continue;
                const std::size_t window = packAt(layer.out, packs, place.image, oy, ox, place.pack);
                const Pack<std::uint8_t, width> choice = loadPack<std::uint8_t, width>(choices, window);
                float values[width];
                loadGradient<Number, width>(gradient, secondGradient, window, values);
                for (int i = 0; i < width; ++i)
                    sum[i] += choice.item[i] == dy * layer.kernel + dx ? values[i] : 0.0F;
            }
        }
        Pack<Number, width> result;
        for (int i = 0; i < width; ++i)
            put(result.item[i], sum[i]);
        storePack(inputGradient, entry, result);
    }
}

template <typename Number, int width>
__global__ void averageMaps(PoolLayer layer, std::size_t count, const void* x, void* y)
{
    const int packs = layer.in.channels / width;
    const int area = layer.in.height * layer.in.width;
    for (std::size_t entry = firstEntry(); entry < count; entry += entryStep()) {
        const std::size_t image = entry / packs;
        float sum[width] = {};
        for (int pixel = 0; pixel < area; ++pixel) {
            const Pack<Number, width> values =
                loadPack<Number, width>(x, (image * area + pixel) * packs + entry % packs);
            for (int i = 0; i < width; ++i)
                sum[i] += toFloat(values.item[i]);
        }
        Pack<Number, width> result;
        for (int i = 0; i < width; ++i)
            put(result.item[i], sum[i] / static_cast<float>(area));
        storePack(y, entry, result);
    }
}

template <typename Number, int width>
__global__ void spreadMeans(PoolLayer layer, std::size_t count, const void* gradient, void* inputGradient)
{
    const int packs = layer.in.channels / width;
    const int area = layer.in.height * layer.in.width;
    for (std::size_t entry = firstEntry(); entry < count; entry += entryStep()) {
        const std::size_t image = entry / packs / area;
        const Pack<Number, width> values = loadPack<Number, width>(gradient, image * packs + entry % packs);
        Pack<Number, width> result;
        for (int i = 0; i < width; ++i)
            put(result.item[i], toFloat(values.item[i]) / static_cast<float>(area));
        storePack(inputGradient, entry, result);
    }
}

} // namespace

void maxPoolForward(Precision precision, const PoolLayer& layer, const void* x, void* y,
                    std::uint8_t* choices, cudaStream_t stream)
{
    withPacks(precision, layer.in.channels, [&]<typename Number, int width>() {
        const std::size_t count = packsOf(layer.batch, layer.out, width);
        chooseMaxima<Number, width><<<blocksFor(count), kThreads, 0, stream>>>(layer, count, x, y, choices);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void maxPoolBackward(Precision precision, const PoolLayer& layer, const void* gradient,
                     const void* secondGradient, const std::uint8_t* choices, void* inputGradient,
                     cudaStream_t stream)
{
    withPacks(precision, layer.in.channels, [&]<typename Number, int width>() {
        const std::size_t count = packsOf(layer.batch, layer.in, width);
        collectChosen<Number, width><<<blocksFor(count), kThreads, 0, stream>>>(
            layer, count, gradient, secondGradient, choices, inputGradient);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void averagePoolForward(Precision precision, const PoolLayer& layer, const void* x, void* y,
                        cudaStream_t stream)
{
    withPacks(precision, layer.in.channels, [&]<typename Number, int width>() {
        const std::size_t count = packsOf(layer.batch, layer.out, width);
        averageMaps<Number, width><<<blocksFor(count), kThreads, 0, stream>>>(layer, count, x, y);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

void averagePoolBackward(Precision precision, const PoolLayer& layer, const void* gradient,
                         void* inputGradient, cudaStream_t stream)
{
    withPacks(precision, layer.in.channels, [&]<typename Number, int width>() {
        const std::size_t count = packsOf(layer.batch, layer.in, width);
        spreadMeans<Number, width>
            <<<blocksFor(count), kThreads, 0, stream>>>(layer, count, gradient, inputGradient);
    });
    QUADRIC_CHECKED(cudaPeekAtLastError());
}

} // namespace quadric::trainer::cuda
