// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

/// Marks functions that compute one element and are compiled for processors and for GPUs.
#ifdef __CUDACC__
#define QUADRIC_HOST_DEVICE __host__ __device__
#else
#define QUADRIC_HOST_DEVICE
#endif

// Numbers of 16 bits, one at a time: nearest number, ties to even; too large numbers become infinite, NaN
// stays NaN. Processors compute on the bits, GPUs have instructions for it that give the same.

namespace quadric::trainer {

/// Bytes.
inline constexpr std::int64_t kMib = std::int64_t{1} << 20;

/// Number format of activations and their gradients.
enum class Precision {
    Fp32,
    Bf16,
    Fp16,
    Tf32 ///< kept as Fp32; products round their factors to 10 bits of mantissa, sums are fp32
};

/// The format in which numbers lie in memory.
constexpr Precision storedAs(Precision precision)
{
    return precision == Precision::Tf32 ? Precision::Fp32 : precision;
}

inline constexpr std::uint32_t kSignBit = 0x80000000U;
inline constexpr std::uint32_t kInfinityBits = 0x7f800000U;

/// Bits of a float without its sign: they grow with its magnitude, and NaN is above everything.
QUADRIC_HOST_DEVICE inline std::uint32_t magnitudeBits(float value)
{
    return std::bit_cast<std::uint32_t>(value) & ~kSignBit;
}

/// bfloat16 is the upper half of a float; half an ulp and the tie bit are added before cutting.
QUADRIC_HOST_DEVICE inline std::uint16_t toBf16(float value)
{
#ifdef __CUDA_ARCH__
    std::uint16_t rounded;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(rounded) : "f"(value));
    return rounded;
#else
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = bits + 0x7fffU + ((bits >> 16) & 1U);
    const bool isNan = (bits & ~kSignBit) > kInfinityBits;
    return static_cast<std::uint16_t>((isNan ? bits | 0x00400000U : rounded) >> 16);
#endif
}

QUADRIC_HOST_DEVICE inline float fromBf16(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// IEEE binary16: the same bits with a shorter exponent and mantissa, and numbers below 2^-14 as multiples of
/// 2^-24.
QUADRIC_HOST_DEVICE inline std::uint16_t toFp16(float value)
{
#ifdef __CUDA_ARCH__
    std::uint16_t rounded;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(rounded) : "f"(value));
    return rounded;
#else
    constexpr std::uint32_t kSmallestNormal = 0x38800000U; // 2^-14
    constexpr std::uint32_t kTooLarge = 0x477ff000U;       // 65520, half way to the next power of two
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits & kSignBit) >> 16);
    const std::uint32_t magnitude = bits & ~kSignBit;
    if (magnitude > kInfinityBits)
        return static_cast<std::uint16_t>(sign | 0x7e00U);
    if (magnitude >= kTooLarge)
        return static_cast<std::uint16_t>(sign | 0x7c00U);
    if (magnitude < kSmallestNormal) {
        // 0.5 has an ulp of 2^-24, the step of the smallest numbers: the addition does the rounding.
        const float shifted = std::bit_cast<float>(magnitude) + 0.5F;
        return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - 0x3f000000U));
    }
    const std::uint32_t rounded = magnitude + 0x0fffU + ((magnitude >> 13) & 1U);
    return static_cast<std::uint16_t>(sign | ((rounded - 0x38000000U) >> 13));
#endif
}

QUADRIC_HOST_DEVICE inline float fromFp16(std::uint16_t half)
{
#ifdef __CUDA_ARCH__
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(half));
    return value;
#else
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
    const std::uint32_t magnitude = half & 0x7fffU;
    if (magnitude < 0x0400U)
        return std::copysign(static_cast<float>(magnitude) * 0x1p-24F, std::bit_cast<float>(sign));
    const std::uint32_t exponent = magnitude >= 0x7c00U ? 0x70000000U : 0x38000000U;
    return std::bit_cast<float>(sign | ((magnitude << 13) + exponent));
#endif
}

} // namespace quadric::trainer
