// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

namespace quadric::design {

/// Types of design for which `key` of a specification (as in the study file) means something, where these are
/// not all: alpha, digits, generators, levels, model, resolution, runs. Empty for the keys that suit every
/// type.
std::vector<std::string_view> typesThatTake(std::string_view key);

} // namespace quadric::design
