// SPDX-License-Identifier: GPL-3.0-or-later
// Loaded before the C library (LD_PRELOAD): as long as the file named by READ_ONLY_SWITCH is there, nothing
// in READ_ONLY_FOLDER can be written, not even files that are open already, as when the kernel takes a
// damaged file system for read-only. (A remount by hand is refused while files are open.)
#include <cerrno>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

bool isReadOnly(const char* path)
{
    const char* folder = std::getenv("READ_ONLY_FOLDER");
    const char* switched = std::getenv("READ_ONLY_SWITCH");
    return folder && switched && std::strncmp(path, folder, std::strlen(folder)) == 0 &&
           ::access(switched, F_OK) == 0;
}

bool isReadOnly(int file)
{
    char link[64];
    char path[PATH_MAX];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t size = ::readlink(link, path, sizeof path - 1);
    if (size <= 0)
        return false;
    path[size] = '\0';
    return isReadOnly(path);
}

int refuse()
{
    errno = EROFS;
    return -1;
}

/// `path` may be relative to an open folder.
bool isReadOnlyAt(int folder, const char* path)
{
    if (folder == AT_FDCWD || path[0] == '/')
        return isReadOnly(path);
    char link[64];
    char whole[2 * PATH_MAX];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
    const ssize_t size = ::readlink(link, whole, PATH_MAX);
    if (size <= 0)
        return false;
    std::snprintf(whole + size, sizeof whole - static_cast<std::size_t>(size), "/%s", path);
    return isReadOnly(whole);
}

int openAt(int folder, const char* path, int flags, mode_t mode)
{
    const bool writes = (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
    if (writes && isReadOnlyAt(folder, path))
        return refuse();
    return static_cast<int>(::syscall(SYS_openat, folder, path, flags, mode));
}

mode_t modeFrom(va_list arguments, int flags)
{
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

} // namespace

extern "C" {

ssize_t write(int file, const void* bytes, size_t size)
{
    return isReadOnly(file) ? refuse() : ::syscall(SYS_write, file, bytes, size);
}

int ftruncate(int file, off_t size) noexcept
{
    return isReadOnly(file) ? refuse() : static_cast<int>(::syscall(SYS_ftruncate, file, size));
}

int open(const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeFrom(arguments, flags);
    va_end(arguments);
    return openAt(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeFrom(arguments, flags);
    va_end(arguments);
    return openAt(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeFrom(arguments, flags);
    va_end(arguments);
    return openAt(folder, path, flags, mode);
}

int openat64(int folder, const char* path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeFrom(arguments, flags);
    va_end(arguments);
    return openAt(folder, path, flags, mode);
}

int mkdirat(int folder, const char* path, mode_t mode) noexcept
{
    // As the kernel does: what is there is told first.
    const bool isNew = ::faccessat(folder, path, F_OK, AT_SYMLINK_NOFOLLOW) != 0;
    return isNew && isReadOnlyAt(folder, path) ? refuse()
                                               : static_cast<int>(::syscall(SYS_mkdirat, folder, path, mode));
}

int unlinkat(int folder, const char* path, int flags) noexcept
{
    return isReadOnlyAt(folder, path) ? refuse()
                                      : static_cast<int>(::syscall(SYS_unlinkat, folder, path, flags));
}

int unlink(const char* path) noexcept
{
    return isReadOnly(path) ? refuse() : static_cast<int>(::syscall(SYS_unlink, path));
}

int rename(const char* from, const char* to) noexcept
{
    return isReadOnly(to) ? refuse() : static_cast<int>(::syscall(SYS_rename, from, to));
}
}
