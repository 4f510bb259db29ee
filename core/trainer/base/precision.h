// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace quadric::trainer {

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

} // namespace quadric::trainer
