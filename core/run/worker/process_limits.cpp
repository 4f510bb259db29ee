// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/process_limits.h"

#include "core/study/files/file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <vector>

namespace quadric::run {

namespace {

rlim_t limitOf(decltype(RLIMIT_NOFILE) resource)
{
    rlimit limit = {};
    ::getrlimit(resource, &limit);
    return limit.rlim_cur;
}

std::string inWords(const std::string& what, rlim_t limit, const std::string& advice)
{
    return "no run can be started: " + what + " (the limit is " + std::to_string(limit) +
           "); raise it with " + advice + " and start again: the runs are pending";
}

/// Pipes and log of a worker, its samples, what reads the machine, and git beside it, with some to spare.
bool mayOpenFiles()
{
    constexpr std::size_t kForOneRun = 32;
    std::vector<study::FileHandle> files;
    while (files.size() < kForOneRun) {
        files.emplace_back(::open("/", O_PATH | O_CLOEXEC));
        if (!files.back().isOpen())
            return false;
    }
    return true;
}

} // namespace

std::string findLimitInTheWay()
{
    constexpr rlim_t kLargestFileOfARun = rlim_t{16} << 20; // logs end at 4 MiB, the journal has to grow
    if (!mayOpenFiles())
        return inWords("too few files may be open at once", limitOf(RLIMIT_NOFILE), "ulimit -n 1024");
    if (limitOf(RLIMIT_FSIZE) < kLargestFileOfARun)
        return inWords("files may not grow to 16 MiB", limitOf(RLIMIT_FSIZE), "ulimit -f unlimited");
    return {};
}

} // namespace quadric::run
