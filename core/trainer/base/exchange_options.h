// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// Which gradients a rank sends.
enum class CompressionMethod {
    Topk,   ///< each rank its own largest ones, as position and value, by all-gather
    Aligned ///< the same chunks on all ranks, by all-reduce; chosen by scores that are all-reduced first
};

struct ExchangeOptions {
    CompressionMethod method = CompressionMethod::Topk;
    double compressionPct = 0.0; ///< share of a bucket's gradients that is not sent; 0: no selection at all
    WireType wire = WireType::Fp32;
};

/// A network that is slower than the one that is there.
struct LinkSpeed {
    double gbit = 0.0;      ///< gigabits per second that a rank can send; 0: no limit
    double latencyUs = 0.0; ///< of each message
    bool isEmulated() const { return gbit > 0.0 || latencyUs > 0.0; }
};

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
