// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/base/number_format.h"

#include <cstddef>

namespace quadric::trainer::cuda {

__device__ inline float decoded(WireType wire, const void* sent, std::size_t i)
{
    if (wire == WireType::Fp32)
        return static_cast<const float*>(sent)[i];
    const std::uint16_t bits = static_cast<const std::uint16_t*>(sent)[i];
    return wire == WireType::Bf16 ? fromBf16(bits) : fromFp16(bits);
}

/// Puts a value into a message and returns what the wire cut off.
__device__ inline float encode(WireType wire, void* message, std::size_t i, float value)
{
    if (wire == WireType::Fp32)
        static_cast<float*>(message)[i] = value;
    else
        static_cast<std::uint16_t*>(message)[i] = wire == WireType::Bf16 ? toBf16(value) : toFp16(value);
    return value - decoded(wire, message, i);
}

} // namespace quadric::trainer::cuda
