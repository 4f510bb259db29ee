// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/workload/network.h"

#include <span>
#include <vector>

namespace quadric::trainer::cuda {

/// Tensors with four dimensions a × b × c × d become a × c × d × b, others stay: the order in which GPUs keep
/// maps and weights, channels next to each other.
std::vector<float> channelsLast(const std::vector<std::int64_t>& dims, std::span<const float> plain);

/// The way back.
std::vector<float> channelsFirst(const std::vector<std::int64_t>& dims, std::span<const float> values);

} // namespace quadric::trainer::cuda
