// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/wire_type.h"

#include "core/trainer/base/number_format.h"

namespace quadric::trainer {

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
