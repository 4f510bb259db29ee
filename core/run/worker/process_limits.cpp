// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/open_files.h"

#include "core/study/file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/resource.h>
#include <vector>

namespace quadric::run {

std::string lackOfOpenFiles()
{
    // Pipes and log of a worker, its samples, what reads the machine, and git beside it, with some to spare.
    constexpr std::size_t kForOneRun = 32;
    std::vector<study::FileHandle> files;
    while (files.size() < kForOneRun) {
        files.emplace_back(::open("/", O_PATH | O_CLOEXEC));
        if (!files.back().isOpen())
            break;
    }
    if (files.back().isOpen())
        return {};
    const std::string reason = std::strerror(errno);
    rlimit limit = {};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    return "no further run can be started: " + reason + " (the limit, ulimit -n, is " +
           std::to_string(limit.rlim_cur) +
           "); raise it, for example with ulimit -n 1024, and start again: the runs are pending";
}

} // namespace quadric::run
