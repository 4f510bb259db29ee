// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_paths.h"

#include <mutex>
#include <set>
#include <string>

namespace quadric {

namespace {

const char* kept(const std::string& path)
{
    static std::mutex mutex;
    static std::set<std::string> paths;
    const std::lock_guard lock(mutex);
    return paths.insert(path).first->c_str();
}

} // namespace

const char* sourcePath(const char* name)
{
    return kept(std::string(QUADRIC_SOURCE_FOLDER "/") + name);
}

const char* builtPath(const char* name)
{
    return kept(std::string(QUADRIC_BUILD_FOLDER "/") + name);
}

} // namespace quadric
