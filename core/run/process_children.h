// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace quadric::run {

/// The direct children of a process, whichever of its threads started them; none where there is no such
/// process. A child may be missed while another one ends: who wants all looks again.
std::vector<std::int64_t> childrenOf(std::int64_t processId);

} // namespace quadric::run
