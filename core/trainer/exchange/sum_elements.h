// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"

#include <cstddef>
#include <cstdint>

namespace quadric::trainer {

/// Adds arrays of numbers whose type only the function knows. The sum may be one of the summands.
using SumElements = void (*)(void* sum, const void* left, const void* right, std::size_t count);

template <typename Number> void sumElements(void* out, const void* left, const void* right, std::size_t count)
{
    auto* sum = static_cast<Number*>(out);
    const auto* a = static_cast<const Number*>(left);
    const auto* b = static_cast<const Number*>(right);
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i)
        sum[i] = a[i] + b[i];
}

template <WireType type> void sumElements16(void* out, const void* left, const void* right, std::size_t count)
{
    auto* sum = static_cast<std::uint16_t*>(out);
    const auto* a = static_cast<const std::uint16_t*>(left);
    const auto* b = static_cast<const std::uint16_t*>(right);
    for (std::size_t i = 0; i < count; ++i)
        sum[i] = encode16(type, decode16(type, a[i]) + decode16(type, b[i]));
}

inline SumElements selectSumElements(WireType type)
{
    return type == WireType::Bf16 ? sumElements16<WireType::Bf16> : sumElements16<WireType::Fp16>;
}

} // namespace quadric::trainer
