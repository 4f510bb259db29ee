// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quadric::machine {

/// Processes of a job of Slurm on this node, by its number: those that start its steps ("slurmstepd:
/// [12.0]", as Slurm names them) and everything that descends from them.
std::vector<int> processesOfJob(const std::filesystem::path& root, const std::string& job);

} // namespace quadric::machine
