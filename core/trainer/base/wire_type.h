// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace quadric::trainer {

/// The number format in which gradients travel between ranks.
enum class WireType { Fp32, Bf16, Fp16 };

std::size_t bytesOf(WireType type);

/// Nearest number of the 16-bit type, ties to even; too large numbers become infinite, NaN stays NaN.
/// `type` must not be Fp32.
std::uint16_t encode16(WireType type, float value);
float decode16(WireType type, std::uint16_t bits);

/// The same for whole arrays of equal size.
void encode16(WireType type, std::span<const float> values, std::span<std::uint16_t> bits);
void decode16(WireType type, std::span<const std::uint16_t> bits, std::span<float> values);

/// The nearest number that survives the wire: the value itself for Fp32.
float roundedToWire(WireType type, float value);

} // namespace quadric::trainer
