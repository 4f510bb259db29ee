// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// Indices of the points in the order in which they are run. Blocks follow one another. With `randomize` the
/// order inside each block is drawn from `seed` (the same on every platform) and the center runs of the block
/// are spread evenly through it, its first and last run among them; a block with only one center run has it
/// first (first block), last (last block) or in the middle. Without `randomize` the points stay in standard
/// order. Expects the points block by block.
std::vector<std::size_t> runOrder(const std::vector<DesignPoint>& points, bool randomize, std::uint64_t seed);

} // namespace quadric::design
