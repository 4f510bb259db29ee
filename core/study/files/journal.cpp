// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/document_state.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::study {

namespace {

constexpr int kFoldAttempts = 5;

std::filesystem::path besideDocument(const std::filesystem::path& document, const char* suffix)
{
    std::filesystem::path path = resolved(document);
    path += suffix;
    return path;
}

std::string ownerLine(const JournalOwner& owner)
{
    return toLine({{"journal_of", owner.identity}, {"name", owner.name}}) + "\n";
}

/// What another program saves meanwhile is not overwritten, but read and folded again. False: see
/// saveFolded().
bool saveWithRecords(const std::filesystem::path& document, LoadedStudy& loaded)
{
    for (int attempt = 1;; ++attempt) {
        loaded = loadStudy(document);
        if (!loaded.refusedJournal.empty())
            throw DocumentError(loaded.refusedJournal);
        try {
            return saveFolded(loaded.study, document, loaded.state);
        } catch (const DocumentChanged&) {
            if (attempt == kFoldAttempts)
                throw;
        }
    }
}

void removeJournal(const std::filesystem::path& journal)
{
    if (::unlink(journal.c_str()) != 0)
        failWithErrno(journal, "cannot be removed", errno);
    syncFolderOf(journal);
}

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

std::filesystem::path journalPath(const std::filesystem::path& document)
{
    return besideDocument(document, "-journal");
}

std::filesystem::path lockPath(const std::filesystem::path& document)
{
    return besideDocument(document, "-lock");
}

std::filesystem::path recoveredPath(const std::filesystem::path& document, int number)
{
    const std::filesystem::path path = resolved(document);
    const std::string ending = number == 1 ? " (recovered)" : " (recovered " + std::to_string(number) + ")";
    return folderOf(path) / (path.stem().string() + ending + path.extension().string());
}

JournalOwner makeOwner(const Study& study)
{
    return {computeIdentity(study), study.name};
}

JournalWriter::JournalWriter(const std::filesystem::path& document, JournalOwner owner)
    : m_path(journalPath(document))
    , m_file(openCompanion(m_path, CompanionUse::Append))
    , m_owner(std::move(owner))
{
    const JournalContents contents = parseJournal(m_file, m_path);
    m_size = static_cast<std::int64_t>(contents.validBytes);
    m_isOwnerWritten = m_owner.identity.empty() || !contents.owners.empty();
    if (::ftruncate(m_file.get(), m_size) != 0 || ::fsync(m_file.get()) != 0)
        failWithErrno(m_path, "cannot be written", errno);
    syncFolderOf(m_path);
}

void JournalWriter::append(std::span<const Run> runs)
{
    if (runs.empty())
        return;
    std::string text = m_isOwnerWritten ? std::string() : ownerLine(m_owner);
    const std::string what =
        runs.size() == 1 ? "run " + std::to_string(runs.front().id) : std::to_string(runs.size()) + " runs";
    for (const Run& run : runs) {
        const std::string line = writeRun(run);
        if (line.size() > kLargestFile)
            throw DocumentError(m_path.string() + ": " + what +
                                " cannot be written: " + std::to_string(line.size()) +
                                " bytes, expected at most " + std::to_string(kLargestFile));
        text += line + "\n";
    }
    appendText(text, what);
    m_isOwnerWritten = true;
}

void JournalWriter::appendText(std::string_view text, const std::string& what)
{
    const off_t before = ::lseek(m_file.get(), 0, SEEK_END);
    int error = writeAll(m_file.get(), text);
    if (error == 0 && ::fdatasync(m_file.get()) != 0)
        error = errno;
    if (error == 0) {
        m_size += static_cast<std::int64_t>(text.size());
        return;
    }
    // Half a line (a full disk) must not stand in the way of the next one.
    [[maybe_unused]] const int ignored = ::ftruncate(m_file.get(), before);
    failWithErrno(m_path, what + " cannot be written", error);
}

void JournalWriter::reserve(std::size_t bytes)
{
    const off_t end = ::lseek(m_file.get(), 0, SEEK_END);
    if (::fallocate(m_file.get(), FALLOC_FL_KEEP_SIZE, end, static_cast<off_t>(bytes)) == 0)
        return;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
        failWithErrno(m_path, "there is no room for the results of a run", errno);
}

bool JournalWriter::isIntact() const
{
    struct stat status = {};
    return ::fstat(m_file.get(), &status) == 0 && status.st_nlink > 0 && status.st_size == m_size;
}

bool JournalWriter::isInPlace() const
{
    struct stat own = {};
    struct stat named = {};
    return ::fstat(m_file.get(), &own) == 0 && ::lstat(m_path.c_str(), &named) == 0 &&
           own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

std::filesystem::path JournalWriter::findPlace() const
{
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(m_file.get()), unknown);
}

void applyJournal(const JournalContents& journal, Study& study)
{
    insertOrReplaceRuns(study, journal.runs);
}

void foldJournal(const std::filesystem::path& document)
{
    const std::filesystem::path journal = journalPath(document);
    if (!isThere(journal))
        return;
    LoadedStudy loaded;
    const bool isWhole = saveWithRecords(document, loaded);
    if (loaded.isJournalBroken)
        setAside(journal);
    else if (!isWhole)
        setAside(journal, ".details");
    else
        removeJournal(journal);
}

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
