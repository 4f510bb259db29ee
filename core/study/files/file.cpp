// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/file.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/text/visible_text.h"

#include <cerrno>
#include <charconv>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::study {

namespace {

constexpr int kMostTemporaryNames = 1000;
constexpr mode_t kPermissionBits = 07777;

constexpr std::string_view kTemporarySuffix = ".tmp";

/// Before the number of the process that writes it.
std::string temporaryPrefix(const std::filesystem::path& target)
{
    return "." + target.filename().string() + ".";
}

/// A file that removes itself unless it was renamed to its place.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::filesystem::path& target)
    {
        for (int i = 0; i < kMostTemporaryNames && m_file < 0; ++i) {
            m_path = folderOf(target) / (temporaryPrefix(target) + std::to_string(::getpid()) + "-" +
                                         std::to_string(i) + std::string(kTemporarySuffix));
            m_file = ::open(m_path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode);
            if (m_file < 0 && errno != EEXIST)
                failWithErrno(target, "cannot be written", errno);
        }
        if (m_file < 0)
            failWithErrno(target, "cannot be written", EEXIST);
        // The lock says that its writer lives, also to other computers; not every file system has locks.
        [[maybe_unused]] const int ignored = ::flock(m_file, LOCK_EX | LOCK_NB);
    }
    ~TemporaryFile()
    {
        if (m_file >= 0)
            ::close(m_file);
        if (!m_path.empty())
            ::unlink(m_path.c_str());
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;

    int file() const { return m_file; }

    void moveTo(const std::filesystem::path& target)
    {
        const int closed = ::close(m_file);
        m_file = -1;
        if (closed != 0 || ::rename(m_path.c_str(), target.c_str()) != 0)
            failWithErrno(target, "cannot be written", errno);
        m_path.clear();
    }

private:
    int m_file = -1;
    std::filesystem::path m_path;
};

/// The writer of ".NAME.PID-N.tmp"; 0 where the file has another name.
pid_t writerOf(const std::string& file, const std::string& prefix)
{
    if (!file.starts_with(prefix) || !file.ends_with(kTemporarySuffix))
        return 0;
    const char* end = file.data() + file.size();
    pid_t writer = 0;
    int number = 0;
    const auto pid = std::from_chars(file.data() + prefix.size(), end, writer);
    if (pid.ec != std::errc() || pid.ptr == end || *pid.ptr != '-')
        return 0;
    const auto rest = std::from_chars(pid.ptr + 1, end, number);
    return rest.ec == std::errc() && rest.ptr == end - kTemporarySuffix.size() ? writer : 0;
}

/// Neither a process of this computer nor the owner of a lock.
bool isWriterGone(const std::filesystem::path& file, pid_t writer)
{
    if (writer <= 0 || ::kill(writer, 0) == 0 || errno != ESRCH)
        return false;
    const FileHandle open(::open(file.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    return open.isOpen() && ::flock(open.get(), LOCK_EX | LOCK_NB) == 0;
}

/// What writers that were killed have left of this file. Nobody depends on it: problems are ignored.
void removeLeftTemporaries(const std::filesystem::path& target)
{
    const std::string prefix = temporaryPrefix(target);
    std::error_code error;
    std::filesystem::directory_iterator entry(folderOf(target), error);
    for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
        const std::filesystem::path file = entry->path();
        if (isWriterGone(file, writerOf(file.filename().string(), prefix)))
            ::unlink(file.c_str());
    }
}

/// What is there was moved.
[[noreturn]] void failAsLink(const std::filesystem::path& path)
{
    std::error_code ignored;
    throw DocumentError(path.string() + ": a link to " +
                        text::makeVisible(std::filesystem::read_symlink(path, ignored).string()) +
                        " by now, expected a file; put the file back, or open it where it is");
}

/// A file protected against writing is not replaced behind its owner's back, and nothing else than a file is.
void keepPermissions(const std::filesystem::path& target, int temporary)
{
    struct stat status = {};
    if (::lstat(target.c_str(), &status) != 0)
        return;
    if (S_ISLNK(status.st_mode))
        failAsLink(target);
    if (!S_ISREG(status.st_mode))
        throw DocumentError(target.string() + ": cannot be written: not an ordinary file");
    if (::access(target.c_str(), W_OK) != 0)
        failWithErrno(target, "cannot be written", errno);
    // Another owner's permissions may not be ours to set; the content matters more.
    [[maybe_unused]] const int ignored = ::fchmod(temporary, status.st_mode & kPermissionBits);
}

FileIdentity makeIdentity(const struct stat& status)
{
    return {status.st_dev, status.st_ino, status.st_size,
            std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

void checkReadable(const std::filesystem::path& path, const struct stat& status)
{
    if (!S_ISREG(status.st_mode))
        throw DocumentError(path.string() + ": " +
                            (S_ISDIR(status.st_mode) ? "a folder" : "not an ordinary file") +
                            ", expected a file");
    if (static_cast<std::uint64_t>(status.st_size) > kLargestFile)
        throw DocumentError(path.string() + ": " + std::to_string(status.st_size) +
                            " bytes, expected at most " + std::to_string(kLargestFile));
}

/// The whole file that is open; `path` is its name in messages.
std::string readOpenFile(const FileHandle& file, const std::filesystem::path& path)
{
    struct stat status = {};
    if (::fstat(file.get(), &status) != 0)
        failWithErrno(path, "cannot be read", errno);
    checkReadable(path, status);
    return readPart(file, 0, static_cast<std::size_t>(status.st_size), path);
}

std::optional<std::string> readIfThere(const std::filesystem::path& path, int flags)
{
    // Non-blocking: opening a pipe must not wait for a writer before it is refused.
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags));
    if (!file.isOpen() && errno == ENOENT)
        return std::nullopt;
    if (!file.isOpen() && errno == ELOOP && (flags & O_NOFOLLOW) != 0)
        failAsLink(path);
    if (!file.isOpen())
        failWithErrno(path, "cannot be read", errno);
    return readOpenFile(file, path);
}

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

FileHandle::~FileHandle()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

int FileHandle::release()
{
    return std::exchange(m_descriptor, -1);
}

void failWithErrno(const std::filesystem::path& path, const std::string& what, int error)
{
    throw DocumentError(path.string() + ": " + what + ": " + std::generic_category().message(error));
}

FileIdentity identityOf(const std::filesystem::path& path)
{
    struct stat status = {};
    return ::stat(path.c_str(), &status) == 0 ? makeIdentity(status) : FileIdentity{};
}

std::filesystem::path folderOf(const std::filesystem::path& path)
{
    return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

FileIdentity identityOf(const FileHandle& file)
{
    struct stat status = {};
    return ::fstat(file.get(), &status) == 0 ? makeIdentity(status) : FileIdentity{};
}

bool isThere(const std::filesystem::path& path)
{
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0;
}

bool isFileThere(const std::filesystem::path& path)
{
    struct stat status = {};
    return ::lstat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::filesystem::path resolved(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_symlink(path, error))
        return path;
    std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    return error ? path : target;
}

std::string readTextFile(const std::filesystem::path& path)
{
    std::optional<std::string> text = readTextFileIfThere(path);
    if (!text)
        failWithErrno(path, "cannot be read", ENOENT);
    return std::move(*text);
}

std::optional<std::string> readTextFileIfThere(const std::filesystem::path& path)
{
    return readIfThere(path, 0);
}

std::optional<std::string> readDocumentIfThere(const std::filesystem::path& path)
{
    return readIfThere(path, O_NOFOLLOW);
}

std::string readPart(const FileHandle& file, std::int64_t offset, std::size_t most,
                     const std::filesystem::path& path)
{
    std::string text(most, '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const ssize_t count = ::pread(file.get(), text.data() + filled, text.size() - filled,
                                      offset + static_cast<std::int64_t>(filled));
        if (count < 0 && errno != EINTR)
            failWithErrno(path, "cannot be read", errno);
        if (count == 0)
            break;
        filled += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    text.resize(filled);
    return text;
}

int writeAll(int descriptor, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count < 0 && errno != EINTR)
            return errno;
        if (count > 0)
            text.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

void syncFolderOf(const std::filesystem::path& path)
{
    const FileHandle folder(::open(folderOf(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.isOpen())
        ::fsync(folder.get());
}

FileIdentity replaceFile(const std::filesystem::path& path, std::string_view text,
                         const std::function<void()>& check)
{
    TemporaryFile temporary(path);
    keepPermissions(path, temporary.file());
    if (const int error = writeAll(temporary.file(), text))
        failWithErrno(path, "cannot be written", error);
    struct stat status = {};
    if (::fsync(temporary.file()) != 0 || ::fstat(temporary.file(), &status) != 0)
        failWithErrno(path, "cannot be written", errno);
    if (check)
        check();
    temporary.moveTo(path);
    removeLeftTemporaries(path);
    syncFolderOf(path);
    return makeIdentity(status);
}

std::filesystem::path setAside(const std::filesystem::path& file, const std::string& ending)
{
    std::filesystem::path aside = file;
    aside += ending;
    struct stat status = {};
    for (int i = 2; ::lstat(aside.c_str(), &status) == 0; ++i)
        aside = file.string() + ending + "-" + std::to_string(i);
    if (::rename(file.c_str(), aside.c_str()) != 0)
        failWithErrno(file, "cannot be set aside as " + aside.filename().string(), errno);
    syncFolderOf(file);
    return aside;
}

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
