// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/contention.h"

#include <cstdint>
#include <span>

namespace quadric::trainer {

/// What a rank used of its processors, read before and after the measured steps.
struct RankUsage {
    std::uint64_t place = 0; ///< equal for ranks that may use the same processors of the same host
    machine::UsageReading before;
    machine::UsageReading after;
};

/// The place of this process.
std::uint64_t processorPlace();

/// What got in the way of the ranks: at each place the time of its ranks is taken from the load of its
/// processors, and the worst place counts. Where only GPUs compute, others may use processors that the ranks
/// leave idle: what disturbs then is that ranks lost time themselves (steal, displacement).
machine::Contention judgeRanks(std::span<const RankUsage> ranks, bool computesOnGpus);

} // namespace quadric::trainer
