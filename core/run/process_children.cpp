// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/process_children.h"

#include <filesystem>
#include <fstream>
#include <string>

namespace quadric::run {

std::vector<std::int64_t> childrenOf(std::int64_t processId)
{
    std::vector<std::int64_t> children;
    std::error_code gone;
    std::filesystem::directory_iterator thread("/proc/" + std::to_string(processId) + "/task", gone);
    for (; !gone && thread != std::filesystem::directory_iterator(); thread.increment(gone)) {
        std::ifstream file(thread->path() / "children");
        for (std::int64_t child = 0; file >> child;)
            children.push_back(child);
    }
    return children;
}

} // namespace quadric::run
