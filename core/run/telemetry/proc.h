// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/telemetry/sample.h"

#include <filesystem>

namespace quadric::telemetry {

// Readers of /proc below `root`, the root of the file system or of a recorded tree.

/// Where the time of these processors, empty: of all, went; nothing where /proc/stat has another form.
std::optional<CpuTimes> readCpuTimes(const std::filesystem::path& root, const std::vector<int>& cpus = {});

/// Load average over one minute; 0 where it cannot be read.
double readLoad(const std::filesystem::path& root);

/// The process and everything that descends from it.
std::vector<int> processTree(const std::filesystem::path& root, int pid);

/// Processor time of these processes and of their children that have ended, in seconds.
double processSeconds(const std::filesystem::path& root, const std::vector<int>& pids);

/// Name of the program; empty without such a process.
std::string processName(const std::filesystem::path& root, int pid);

/// The whole small file; empty where it cannot be read.
std::string readSmallFile(const std::filesystem::path& path);

/// The number that a file holds; nothing where it cannot be read.
std::optional<double> readNumber(const std::filesystem::path& path);

} // namespace quadric::telemetry
