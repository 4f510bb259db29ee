// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/collective.h"

#include <cstdint>
#include <string>
#include <vector>

namespace quadric::trainer::cuda {

/// The GPU of a rank.
struct RankDevice {
    int index = 0;
    std::string name;
    std::string pciId;
    int ranksOnHost = 1;
    int ranksOnIt = 1;        ///< that compute on this GPU
    bool anyIsShared = false; ///< some ranks of the run compute on the same GPU
    bool isPart = false;      ///< of a GPU in MIG mode, which others may use at the same time
};

/// Chooses the GPU of this rank and makes it current: the ranks of a host take its visible GPUs in turn. All
/// ranks call it together.
RankDevice takeDevice(Collective& collective);

/// 64 bits of every rank, in their order.
std::vector<std::uint64_t> gatherNumbers(Collective& collective, std::uint64_t mine);

/// How many of the earlier ranks have the same number: the place of a rank among those of its host.
int placeAmongEqual(const std::vector<std::uint64_t>& numbers, int rank);

} // namespace quadric::trainer::cuda
