// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace quadric::machine {

// What the machine below `root` (see proc.h) has for programs.

/// Model name of the processor; on ARM, which has numbers instead of a name, implementer and part; "unknown"
/// where the system has neither.
std::string readProcessorName(const std::filesystem::path& root = "/");

/// Name of this machine in its network; "unknown" where it has none.
std::string readHostName();

/// Logical processors that this process may use.
int countUsableCores();

/// Those of `cores` whose time a container's quota leaves; all without a quota, at least one.
int limitToQuota(int cores, const std::filesystem::path& root = "/");

/// Main memory, or what a container may use of it, MiB.
double readMemoryMib(const std::filesystem::path& root = "/");

/// Memory that new programs can get without swapping, in bytes; 0 where it is unknown.
std::int64_t readAvailableBytes(const std::filesystem::path& root = "/");

} // namespace quadric::machine
