// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadric::run {

/// The kind of failure ("out-of-memory", "disk-full", "device-lost") that a line of log speaks of, in the
/// words of the system and of CUDA. Only a worker that has failed is asked.
std::optional<std::string> kindOfPhrase(std::string_view line);

} // namespace quadric::run
