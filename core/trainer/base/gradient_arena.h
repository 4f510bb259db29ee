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

/// A stretch of the arena that is exchanged as one message. Only `gradients` of its `count` floats are
/// gradients; the others fill cache lines and blocks of channels up and are zero.
struct Bucket {
    std::size_t offset = 0;
    std::size_t count = 0;
    std::size_t gradients = 0;
    friend bool operator==(const Bucket&, const Bucket&) = default;
};

/// Cuts the arena into buckets. They are listed in the order in which the backward pass completes them (last
/// layers first), begin at a tensor, cover the arena without gaps, and have no more than `maximumBytes` of
/// gradients unless a single tensor has. `gradients` of each tensor is the product of its dimensions: buckets
/// begin at the same tensors and count the same gradients whatever an engine fills its arena up with.
std::vector<Bucket> makeBuckets(std::span<const ArenaSpan> tensors, std::span<const std::size_t> gradients,
                                std::size_t maximumBytes);

} // namespace quadric::trainer
