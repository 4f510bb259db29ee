// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace quadric::trainer {

/// How many of `count` gradients are sent at a compression of `percent`: ⌈count (1 − percent/100)⌉, at least
/// one of a bucket that is not empty.
std::size_t sentEntries(std::size_t count, double percent);

/// Positions of the `count` entries with the largest magnitude, in rising order; of equal magnitudes the
/// earlier ones. NaN counts as larger than everything. The same on every machine.
void selectLargest(std::span<const float> values, std::size_t count, std::vector<std::uint32_t>& positions);

} // namespace quadric::trainer
