// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/job_processes.h"

#include "core/machine/proc.h"

#include <charconv>

namespace quadric::machine {

namespace {

namespace fs = std::filesystem;

/// The process that a folder of /proc tells of; 0: none.
int processNumber(const fs::path& folder)
{
    const std::string name = folder.filename().string();
    int pid = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
    return error == std::errc() && end == name.data() + name.size() ? pid : 0;
}

} // namespace

std::vector<int> processesOfJob(const fs::path& root, const std::string& job)
{
    const std::string title = "slurmstepd: [" + job + '.';
    std::vector<int> processes;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(root / "proc", gone)) {
        const int pid = processNumber(entry.path());
        if (pid == 0 || !machine::readSmallFile(entry.path() / "cmdline").starts_with(title))
            continue;
        const std::vector<int> tree = machine::processTree(root, pid);
        processes.insert(processes.end(), tree.begin(), tree.end());
    }
    return processes;
}

} // namespace quadric::machine
