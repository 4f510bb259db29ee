// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace quadric::trainer {

/// Name and version of the compiler that built this program.
inline std::string compilerName()
{
#ifdef __clang__
    return "clang " __clang_version__;
#else
    return "gcc " __VERSION__;
#endif
}

} // namespace quadric::trainer
