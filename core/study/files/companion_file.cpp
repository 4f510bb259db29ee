// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/companion_file.h"

#include "core/study/document/document.h"
#include "core/text/visible_text.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace quadric::study {
namespace {

constexpr mode_t kNewFolderMode = 0777; // less the umask

std::string kindInWords(const struct stat& status, const std::filesystem::path& path)
{
    switch (status.st_mode & S_IFMT) {
    case S_IFLNK: {
        std::error_code ignored;
        return "a link to " + text::makeVisible(std::filesystem::read_symlink(path, ignored).string());
    }
    case S_IFDIR:
        return "a folder";
    case S_IFIFO:
        return "a pipe";
    case S_IFSOCK:
        return "a socket";
    case S_IFREG:
        return "a file";
    default:
        return "a device";
    }
}

[[noreturn]] void refuseKind(const std::filesystem::path& path, const struct stat& status, mode_t expected)
{
    throw DocumentError(path.string() + ": " + kindInWords(status, path) + ", expected a " +
                        (expected == S_IFDIR ? "folder" : "file") + " that Quadric made itself; remove it");
}

/// Why the companion could not be opened: what has its name, or else the errno.
[[noreturn]] void refuseCompanion(const FileHandle& folder, const std::filesystem::path& path,
                                  mode_t expected, const std::string& what)
{
    const int error = errno;
    struct stat status = {};
    const bool isThere = ::fstatat(folder.get(), path.filename().c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    if (!isThere || (status.st_mode & S_IFMT) == expected)
        failWithErrno(path, what, error);
    refuseKind(path, status, expected);
}

/// The folder `path` in `folder`; not open where there is none and none is to be made.
FileHandle openOwnFolder(const FileHandle& folder, const std::filesystem::path& path, bool isMade)
{
    const std::string name = path.filename().string();
    if (isMade && ::mkdirat(folder.get(), name.c_str(), kNewFolderMode) != 0 && errno != EEXIST)
        failWithErrno(path, "cannot be made", errno);
    FileHandle found(::openat(folder.get(), name.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!found.isOpen() && (isMade || errno != ENOENT))
        refuseCompanion(folder, path, S_IFDIR, "cannot be opened");
    return found;
}

/// The folder of the companion file. Not open where it is missing and none is to be made.
FileHandle openFolderOf(const std::filesystem::path& path, const std::filesystem::path& ownFolder,
                        bool isMade)
{
    std::filesystem::path at = folderOf(ownFolder.empty() ? path : ownFolder);
    FileHandle folder(::open(at.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder.isOpen() && (isMade || errno != ENOENT))
        failWithErrno(path, isMade ? "cannot be written" : "cannot be read", errno);
    const std::filesystem::path own =
        ownFolder.empty() ? std::filesystem::path() : folderOf(path).lexically_relative(at);
    for (const std::filesystem::path& name : own) {
        if (!folder.isOpen() || name == ".")
            continue;
        at /= name;
        folder = openOwnFolder(folder, at, isMade);
    }
    return folder;
}

int flagsFor(CompanionUse use)
{
    constexpr int always = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    switch (use) {
    case CompanionUse::Read:
        return always | O_RDONLY;
    case CompanionUse::Append:
        return always | O_RDWR | O_CREAT | O_APPEND;
    case CompanionUse::CreateAnew:
        return always | O_RDWR | O_CREAT | O_EXCL | O_APPEND;
    }
    return always;
}

void checkCompanion(const struct stat& status, const std::filesystem::path& path, CompanionUse use)
{
    if (!S_ISREG(status.st_mode))
        refuseKind(path, status, S_IFREG);
    if (use == CompanionUse::Append && status.st_nlink > 1)
        throw DocumentError(
            path.string() + ": a file with " + std::to_string(status.st_nlink) +
            " names (hard links), and writing would change it under all of them; put a copy in "
            "its place, or remove it");
}

} // namespace

FileHandle openCompanion(const std::filesystem::path& path, CompanionUse use,
                         const std::filesystem::path& ownFolder)
{
    const bool isRead = use == CompanionUse::Read;
    const char* what = isRead ? "cannot be read" : "cannot be written";
    const FileHandle folder = openFolderOf(path, ownFolder, !isRead);
    if (!folder.isOpen())
        return FileHandle();
    const std::string name = path.filename().string();
    if (use == CompanionUse::CreateAnew && ::unlinkat(folder.get(), name.c_str(), 0) != 0 && errno != ENOENT)
        refuseCompanion(folder, path, S_IFREG, what);
    FileHandle file(::openat(folder.get(), name.c_str(), flagsFor(use), kNewFileMode));
    if (!file.isOpen() && isRead && errno == ENOENT)
        return file;
    if (!file.isOpen())
        refuseCompanion(folder, path, S_IFREG, what);
    struct stat status = {};
    if (::fstat(file.get(), &status) != 0)
        failWithErrno(path, what, errno);
    checkCompanion(status, path, use);
    return file;
}

std::optional<std::string> readCompanion(const std::filesystem::path& path,
                                         const std::filesystem::path& ownFolder)
{
    const FileHandle file = openCompanion(path, CompanionUse::Read, ownFolder);
    return file.isOpen() ? std::optional(readOpenFile(file, path)) : std::nullopt;
}

void refuseImpostor(const std::filesystem::path& path, CompanionUse use)
{
    struct stat status = {};
    if (::lstat(path.c_str(), &status) == 0)
        checkCompanion(status, path, use);
}

void refuseImpostorOfFolder(const std::filesystem::path& path)
{
    struct stat status = {};
    if (::lstat(path.c_str(), &status) == 0 && !S_ISDIR(status.st_mode))
        refuseKind(path, status, S_IFDIR);
}

} // namespace quadric::study
