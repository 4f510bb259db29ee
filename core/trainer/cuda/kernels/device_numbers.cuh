// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/number_format.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/gpu/weight_layout.h"

#include <cstddef>
#include <cstdint>

namespace quadric::trainer::cuda {

struct Bfloat {
    std::uint16_t bits;
};
struct Half {
    std::uint16_t bits;
};

__device__ inline float toFloat(float value)
{
    return value;
}
__device__ inline float toFloat(Bfloat value)
{
    return fromBf16(value.bits);
}
__device__ inline float toFloat(Half value)
{
    return fromFp16(value.bits);
}
__device__ inline void put(float& target, float value)
{
    target = value;
}
__device__ inline void put(Bfloat& target, float value)
{
    target.bits = toBf16(value);
}
__device__ inline void put(Half& target, float value)
{
    target.bits = toFp16(value);
}

/// Neighboring numbers that are loaded and stored at once.
template <typename Number, int width> struct alignas(sizeof(Number) * width) Pack {
    Number item[width];
};

template <typename Number, int width>
__device__ inline Pack<Number, width> loadPack(const void* from, std::size_t pack)
{
    return static_cast<const Pack<Number, width>*>(from)[pack];
}
template <typename Number, int width>
__device__ inline void storePack(void* to, std::size_t pack, const Pack<Number, width>& values)
{
    static_cast<Pack<Number, width>*>(to)[pack] = values;
}

/// Sum of two gradients, where there are two.
template <typename Number, int width>
__device__ inline void loadGradient(const void* first, const void* second, std::size_t pack,
                                    float (&sum)[width])
{
    const Pack<Number, width> a = loadPack<Number, width>(first, pack);
    for (int i = 0; i < width; ++i)
        sum[i] = toFloat(a.item[i]);
    if (second == nullptr)
        return;
    const Pack<Number, width> b = loadPack<Number, width>(second, pack);
    for (int i = 0; i < width; ++i)
        sum[i] += toFloat(b.item[i]);
}

/// Calls function.operator()<Number>() with the number type of a precision.
template <typename Function> void withNumber(Precision precision, const Function& function)
{
    switch (precision) {
    case Precision::Fp32:
    case Precision::Tf32:
        function.template operator()<float>();
        return;
    case Precision::Bf16:
        function.template operator()<Bfloat>();
        return;
    case Precision::Fp16:
        function.template operator()<Half>();
        return;
    }
}

/// Calls function.operator()<Number, width>() with packs of 16 bytes where the channels allow it.
template <typename Function> void withPacks(Precision precision, int channels, const Function& function)
{
    withNumber(precision, [&]<typename Number>() {
        constexpr int kWidth = 16 / static_cast<int>(sizeof(Number));
        if (channels % kWidth == 0)
            function.template operator()<Number, kWidth>();
        else
            function.template operator()<Number, 1>();
    });
}

inline unsigned blocksFor(std::size_t threads)
{
    constexpr std::size_t kMost = 65535;
    const std::size_t blocks = (threads + kThreads - 1) / kThreads;
    return static_cast<unsigned>(blocks == 0 ? 1 : blocks < kMost ? blocks : kMost);
}

/// First entry of this thread and the distance to its next one, where threads share entries in turn.
__device__ inline std::size_t firstEntry()
{
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::size_t entryStep()
{
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

} // namespace quadric::trainer::cuda
