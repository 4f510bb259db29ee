// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace quadric::model {

using RandomBits = std::mt19937_64;

/// Uniform on 0 … count − 1, by rejection. Not std::uniform_int_distribution, whose values differ between
/// standard libraries.
inline std::size_t drawBelow(RandomBits& generator, std::size_t count)
{
    const std::uint64_t limit = RandomBits::max() - RandomBits::max() % count;
    std::uint64_t value = generator();
    while (value >= limit)
        value = generator();
    return static_cast<std::size_t>(value % count);
}

/// Uniform on 0 … 1 (1 excluded), with all bits of a double; the same on every platform.
inline double drawUnit(RandomBits& generator)
{
    constexpr double kStep = 0x1p-53;
    return static_cast<double>(generator() >> 11U) * kStep;
}

} // namespace quadric::model
