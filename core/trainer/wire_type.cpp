// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/wire_type.h"

#include <bit>
#include <cmath>

namespace quadric::trainer {

namespace {

constexpr std::uint32_t kSign = 0x80000000U;
constexpr std::uint32_t kInfinity = 0x7f800000U;

/// bfloat16 is the upper half of a float; half an ulp and the tie bit are added before cutting.
std::uint16_t toBf16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = bits + 0x7fffU + ((bits >> 16) & 1U);
    const bool isNan = (bits & ~kSign) > kInfinity;
    return static_cast<std::uint16_t>((isNan ? bits | 0x00400000U : rounded) >> 16);
}

float fromBf16(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// IEEE binary16: the same bits with a shorter exponent and mantissa, and numbers below 2^-14 as multiples of
/// 2^-24.
std::uint16_t toFp16(float value)
{
    constexpr std::uint32_t kSmallestNormal = 0x38800000U; // 2^-14
    constexpr std::uint32_t kTooLarge = 0x477ff000U;       // 65520, half way to the next power of two
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits & kSign) >> 16);
    const std::uint32_t magnitude = bits & ~kSign;
    if (magnitude > kInfinity)
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
}

float fromFp16(std::uint16_t half)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16;
    const std::uint32_t magnitude = half & 0x7fffU;
    if (magnitude < 0x0400U)
        return std::copysign(static_cast<float>(magnitude) * 0x1p-24F, std::bit_cast<float>(sign));
    const std::uint32_t exponent = magnitude >= 0x7c00U ? 0x70000000U : 0x38000000U;
    return std::bit_cast<float>(sign | ((magnitude << 13) + exponent));
}

} // namespace

std::size_t bytesOf(WireType type)
{
    return type == WireType::Fp32 ? 4 : 2;
}

std::uint16_t encode16(WireType type, float value)
{
    return type == WireType::Bf16 ? toBf16(value) : toFp16(value);
}

float decode16(WireType type, std::uint16_t bits)
{
    return type == WireType::Bf16 ? fromBf16(bits) : fromFp16(bits);
}

void encode16(WireType type, std::span<const float> values, std::span<std::uint16_t> bits)
{
    const float* from = values.data();
    std::uint16_t* to = bits.data();
    const std::size_t count = values.size();
    if (type == WireType::Bf16) {
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i)
            to[i] = toBf16(from[i]);
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        to[i] = toFp16(from[i]);
}

void decode16(WireType type, std::span<const std::uint16_t> bits, std::span<float> values)
{
    const std::uint16_t* from = bits.data();
    float* to = values.data();
    const std::size_t count = values.size();
    if (type == WireType::Bf16) {
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i)
            to[i] = fromBf16(from[i]);
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        to[i] = fromFp16(from[i]);
}

float roundedToWire(WireType type, float value)
{
    return type == WireType::Fp32 ? value : decode16(type, encode16(type, value));
}

} // namespace quadric::trainer
