// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/lack_of_memory.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <unistd.h>

namespace quadric::app {

namespace {

const char* programName = "quadric";

[[noreturn]] void endOrAbort() noexcept
{
    try {
        if (const std::exception_ptr error = std::current_exception())
            std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
        std::fprintf(stderr, "%s: there is not enough memory for this\n", programName);
        ::_exit(1);
    } catch (...) {
        std::abort(); // as ever
    }
    std::abort();
}

} // namespace

void endWithoutMemory(const char* program)
{
    programName = program;
    std::set_terminate(endOrAbort);
}

} // namespace quadric::app
