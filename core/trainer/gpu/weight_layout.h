// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/network.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <span>
#include <vector>

namespace quadric::trainer::cuda {

/// How threads share a matrix of rows × channels: a block is `lanes` packs of neighboring channels wide and
/// `rows` rows high, `stripes` blocks stand side by side, and `rowBlocks` of them go through all rows
/// together.
struct ChannelGrid {
    unsigned lanes = 1;
    unsigned rows = 1;
    unsigned stripes = 1;
    unsigned rowBlocks = 1;
};

inline constexpr unsigned kThreads = 256;        ///< of a block
inline constexpr unsigned kReducingBlocks = 512; ///< of kernels that leave a partial sum each
inline constexpr unsigned kPassingBlocks = 4096;

/// `width` channels make a pack; it divides `channels`.
inline ChannelGrid channelGrid(std::size_t rowCount, int channels, int width, unsigned mostBlocks)
{
    constexpr unsigned kLanes = 32;
    constexpr std::size_t kRowsPerThread = 8;
    const auto packs = static_cast<unsigned>(channels / width);
    ChannelGrid grid;
    grid.lanes = std::min(kLanes, std::bit_ceil(packs));
    grid.rows = kThreads / grid.lanes;
    grid.stripes = (packs + grid.lanes - 1) / grid.lanes;
    const std::size_t rowsPerBlock = grid.rows * kRowsPerThread;
    const std::size_t wanted = (rowCount + rowsPerBlock - 1) / rowsPerBlock;
    const unsigned most = std::max(1U, mostBlocks / grid.stripes);
    grid.rowBlocks = static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, most));
    return grid;
}

/// Floats that the partial sums of a batch normalization need: two for each channel and block.
inline std::size_t partialSums(int channels)
{
    return std::size_t{2} * kReducingBlocks * static_cast<std::size_t>(channels);
}

/// Tensors with four dimensions a × b × c × d become a × c × d × b, others stay: the order in which GPUs keep
/// maps and weights, channels next to each other.
std::vector<float> channelsLast(const std::vector<std::int64_t>& dims, std::span<const float> plain);

/// The way back.
std::vector<float> channelsFirst(const std::vector<std::int64_t>& dims, std::span<const float> values);

} // namespace quadric::trainer::cuda
