// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace quadric::run {

/// What ranks fail with that have lost each other.
inline constexpr std::string_view kCommunication = "communication";

/// The kind of failure ("out-of-memory", "disk-full", "device-lost", kCommunication) that a line of log
/// speaks of, in the words of the system, the driver, CUDA and NCCL. Only a worker that has failed is asked.
std::optional<std::string> kindOfPhrase(std::string_view line);

} // namespace quadric::run
