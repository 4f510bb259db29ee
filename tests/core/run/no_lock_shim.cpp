// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded before the C library (LD_PRELOAD): a file system without flock(), as Lustre is without its option.
#include <cerrno>

extern "C" int flock(int, int) noexcept
{
    errno = ENOSYS;
    return -1;
}
