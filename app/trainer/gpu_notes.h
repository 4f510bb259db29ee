// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace quadric::app {

/// Which GPUs computed, and how they were set: an array of objects.
nlohmann::json describeSettings(std::span<const machine::Gpu> gpus);

/// What of their settings makes GPUs of one run unequal, or slower than they could be; sentences without
/// their full stop. The slowest of all decides how fast a run is.
std::vector<std::string> warningsOf(const nlohmann::json& settings);

} // namespace quadric::app
