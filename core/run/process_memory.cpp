// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/process_memory.h"

#include "core/run/process_children.h"
#include "core/run/telemetry/units.h"

#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace quadric::run {

namespace {

double ownPages(const std::string& folder)
{
    std::ifstream file(folder + "/statm");
    double size = 0.0, resident = 0.0, shared = 0.0;
    file >> size >> resident >> shared;
    return file ? resident - shared : 0.0;
}

} // namespace

double privateMemoryMib(std::int64_t processId)
{
    std::vector<std::int64_t> processes = {processId};
    double pages = 0.0;
    for (std::size_t i = 0; i < processes.size(); ++i) {
        pages += ownPages("/proc/" + std::to_string(processes[i]));
        for (const std::int64_t child : childrenOf(processes[i]))
            processes.push_back(child);
    }
    return pages * static_cast<double>(::sysconf(_SC_PAGESIZE)) / telemetry::kBytesPerMib;
}

} // namespace quadric::run
