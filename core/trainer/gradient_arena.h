// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace quadric::trainer {

/// A stretch of the flat arena that holds all parameters (or all their gradients) in network order; counted
/// in floats.
struct ArenaSpan {
    std::size_t offset = 0;
    std::size_t count = 0;
    friend bool operator==(const ArenaSpan&, const ArenaSpan&) = default;
};

/// Places tensors of the given sizes (in floats) one after the other, each at the start of a cache line.
std::vector<ArenaSpan> layOut(std::span<const std::size_t> counts);

/// Cuts the arena into buckets that are exchanged as one message each. Buckets are listed in the order in
/// which the backward pass completes them (last layers first), begin at a tensor, cover the arena without
/// gaps, and are no larger than `maximumBytes` unless a single tensor is.
std::vector<ArenaSpan> makeBuckets(std::span<const ArenaSpan> tensors, std::size_t maximumBytes);

} // namespace quadric::trainer
