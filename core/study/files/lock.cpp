// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal.h"

#include "core/study/document/document.h"
#include "core/study/files/companion_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sys/file.h>
#include <thread>
#include <unistd.h>

namespace quadric::study {
namespace {

/// For an owner that lives: it may be ending.
constexpr int kAttempts = 25;
/// For one that does not: the lock will be free as soon as somebody gets a share of a busy processor.
constexpr int kAttemptsWithoutOwner = 1000;
constexpr std::chrono::milliseconds kPause{10};

std::string hostName()
{
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// What the owner wrote: "PID HOST". All empty when it has not yet written.
LockOwner readOwner(int file)
{
    std::array<char, 512> buffer{};
    const ssize_t count = ::pread(file, buffer.data(), buffer.size(), 0);
    std::string_view text(buffer.data(), count > 0 ? static_cast<std::size_t>(count) : 0);
    LockOwner owner;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), owner.pid);
    if (error != std::errc{})
        return {};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    text = text.substr(0, text.find('\n'));
    owner.host = text.starts_with(' ') ? text.substr(1) : std::string_view{};
    return owner;
}

void writeOwner(int file, const std::filesystem::path& path)
{
    const std::string text = std::to_string(::getpid()) + " " + hostName() + "\n";
    if (::ftruncate(file, 0) != 0)
        failWithErrno(path, "cannot be written", errno);
    if (const int error = writeAll(file, text))
        failWithErrno(path, "cannot be written", error);
}

std::string describeOwner(const LockOwner& owner)
{
    if (owner.pid == 0)
        return "another process";
    return "process " + std::to_string(owner.pid) + (owner.host.empty() ? "" : " on " + owner.host);
}

/// The lock is held, and nobody lives who owns it: lockOwner() holds it for an instant to see whether it is
/// free, and so does a child of a killed owner until it executes its program.
bool isWithoutOwner(int file)
{
    if (::flock(file, LOCK_SH | LOCK_NB) == 0) {
        ::flock(file, LOCK_UN);
        return true;
    }
    const LockOwner owner = readOwner(file);
    return owner.pid > 0 && owner.host == hostName() && ::kill(owner.pid, 0) != 0 && errno == ESRCH;
}

[[noreturn]] void failToLock(const std::filesystem::path& path, int error)
{
    const bool isUnsupported = error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP || error == EINVAL;
    failWithErrno(path,
                  isUnsupported
                      ? "cannot be locked, because this file system has no flock() (Lustre has none "
                        "where it is mounted without the option \"flock\"); mount it with locks, or "
                        "move the study to a file system that has them"
                      : "cannot be locked",
                  error);
}

/// For looking at it. What is no lock of Quadric's, or cannot be read, is owned by no runner.
FileHandle openLock(const std::filesystem::path& path)
{
    try {
        return openCompanion(path, CompanionUse::Read);
    } catch (const DocumentError&) {
        return FileHandle();
    }
}

/// An entry of /proc/PID/fd, of which /proc/PID/fdinfo tells whether it has a lock.
bool isLockOn(const std::filesystem::path& descriptor, const FileIdentity& lock)
{
    const FileIdentity open = identityOf(descriptor);
    if (open.inode != lock.inode || open.device != lock.device)
        return false;
    std::ifstream info(descriptor.parent_path().parent_path() / "fdinfo" / descriptor.filename());
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("lock:"))
            return true;
    }
    return false;
}

/// The file may have been removed by its former owner between opening and locking it.
bool isStillInPlace(int file, const std::filesystem::path& path)
{
    const FileIdentity identity = identityOf(path);
    return identity != FileIdentity{} && identity == identityOf("/proc/self/fd/" + std::to_string(file));
}

} // namespace

StudyLock::StudyLock(const std::filesystem::path& document)
    : m_path(lockPath(document))
{
    LockOwner owner;
    int attempts = 0, attemptsWithoutOwner = 0;
    while (attempts < kAttempts && attemptsWithoutOwner < kAttemptsWithoutOwner) {
        FileHandle file = openCompanion(m_path, CompanionUse::Append);
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
            if (!isStillInPlace(file.get(), m_path))
                continue;
            writeOwner(file.get(), m_path);
            m_file = file.release();
            return;
        }
        if (errno != EWOULDBLOCK && errno != EINTR)
            failToLock(m_path, errno);
        owner = readOwner(file.get());
        ++(isWithoutOwner(file.get()) ? attemptsWithoutOwner : attempts);
        std::this_thread::sleep_for(kPause);
    }
    throw DocumentError(document.string() + ": the study is being run by " + describeOwner(owner) +
                        ", expected no other runner; wait for it or stop it");
}

StudyLock::~StudyLock()
{
    ::unlink(m_path.c_str());
    ::close(m_file);
}

std::optional<LockOwner> lockOwner(const std::filesystem::path& document)
{
    const FileHandle file = openLock(lockPath(document));
    if (!file.isOpen() || ::flock(file.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return std::nullopt;
    return readOwner(file.get());
}

bool isOwnerOurs(const std::filesystem::path& document, const LockOwner& owner)
{
    const FileIdentity lock = identityOf(openLock(lockPath(document)));
    if (owner.pid <= 1 || owner.host != hostName() || lock == FileIdentity{})
        return false;
    // Only the user's own processes can be looked into (and everybody's by root).
    std::error_code none;
    const std::filesystem::directory_iterator files("/proc/" + std::to_string(owner.pid) + "/fd", none);
    return std::any_of(begin(files), end(files), [&lock](const std::filesystem::directory_entry& file) {
        return isLockOn(file.path(), lock);
    });
}

} // namespace quadric::study
