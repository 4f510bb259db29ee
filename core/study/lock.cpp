// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/journal.h"

#include "core/study/document.h"
#include "core/study/file.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fcntl.h>
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
        FileHandle file(::open(m_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kNewFileMode));
        if (!file.isOpen())
            failWithErrno(m_path, "cannot be locked", errno);
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
            if (!isStillInPlace(file.get(), m_path))
                continue;
            writeOwner(file.get(), m_path);
            m_file = file.release();
            return;
        }
        if (errno != EWOULDBLOCK && errno != EINTR)
            failWithErrno(m_path, "cannot be locked", errno);
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
    const std::filesystem::path path = lockPath(document);
    const FileHandle file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.isOpen() || ::flock(file.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return std::nullopt;
    return readOwner(file.get());
}

} // namespace quadric::study
