// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quadric::machine {

/// A physical core, with those of its hardware threads that may be used.
struct Core {
    std::vector<int> cpus = {};
    int node = 0;    ///< NUMA node
    int package = 0; ///< socket
    bool operator==(const Core&) const = default;
};

// Readers of /sys below `root`, the root of the file system or of a recorded tree.

/// The cores of these processors, by their lowest processor. Where /sys says nothing, each is a core of one
/// NUMA node.
std::vector<Core> readCores(const std::filesystem::path& root, const std::vector<int>& cpus);

/// NUMA node of a PCI device such as "00000000:3B:00.0"; -1 where it is not told.
int readNodeOfPci(const std::filesystem::path& root, std::string busId);

} // namespace quadric::machine
