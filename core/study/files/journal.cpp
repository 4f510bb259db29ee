// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal.h"

#include "core/study/derived.h"
#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/document_state.h"
#include "core/study/new_records.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <set>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::study {

namespace {

constexpr int kFoldAttempts = 20;

std::string ownerLine(const JournalOwner& owner)
{
    return toLine({{"journal_of", owner.identity}, {"name", owner.name}}) + "\n";
}

/// What another program saves meanwhile is not overwritten, but read and folded again.
LoadedStudy saveWithRecords(const std::filesystem::path& document)
{
    for (int attempt = 1;; ++attempt) {
        LoadedStudy loaded = loadStudy(document);
        if (!loaded.refusedJournal.empty())
            throw DocumentError(loaded.refusedJournal);
        try {
            saveStudy(loaded.study, document, loaded.state);
            return loaded;
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

constexpr std::string_view kOwnerKey = "runner";

/// What the last owner wrote into the journal. All empty when it has not yet written.
LockOwner readOwner(const FileHandle& file, const std::filesystem::path& path)
{
    const auto size = static_cast<std::size_t>(identityOf(file).size);
    const std::string text = readPart(file, 0, std::min(size, kLargestFile), path);
    const std::string beginning = "{\"" + std::string(kOwnerKey) + "\"";
    std::size_t start = text.rfind("\n" + beginning);
    start = start == std::string::npos ? 0 : start + 1;
    if (text.compare(start, beginning.size(), beginning) != 0)
        return {};
    try {
        const Json owner = parseJson(std::string_view(text).substr(start, text.find('\n', start) - start),
                                     path.string())[kOwnerKey];
        return {owner.at("pid").get<int>(), owner.at("host").get<std::string>()};
    } catch (const std::exception&) {
        return {}; // half a line, or none of ours
    }
}

void writeOwner(const FileHandle& file, const std::filesystem::path& path)
{
    const OrderedJson owner = {{"pid", ::getpid()}, {"host", hostName()}};
    if (const int error = writeAll(file.get(), toLine({{std::string(kOwnerKey), owner}}) + "\n"))
        failWithErrno(path, "cannot be written", error);
}

/// What a killed writer has left at the end must not be glued to what follows.
JournalContents cutTornLine(const FileHandle& file, const std::filesystem::path& path)
{
    JournalContents contents = parseJournal(file, path);
    if (::ftruncate(file.get(), static_cast<off_t>(contents.validBytes)) != 0 || ::fsync(file.get()) != 0)
        failWithErrno(path, "cannot be written", errno);
    syncFolderOf(path);
    return contents;
}

std::string describeOwner(const LockOwner& owner)
{
    if (owner.pid == 0)
        return "another process";
    return "process " + std::to_string(owner.pid) + (owner.host.empty() ? "" : " on " + owner.host);
}

/// The lock is held, and nobody lives who owns it: lockOwner() holds it for an instant to see whether it is
/// free, and so does a child of a killed owner until it executes its program.
bool isWithoutOwner(const FileHandle& file, const LockOwner& owner)
{
    if (::flock(file.get(), LOCK_SH | LOCK_NB) == 0) {
        ::flock(file.get(), LOCK_UN);
        return true;
    }
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

/// For looking at it. What is no journal of Quadric's, or cannot be read, is owned by no runner.
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
bool isStillInPlace(const FileHandle& file, const std::filesystem::path& path)
{
    struct stat own = {};
    struct stat named = {};
    return ::fstat(file.get(), &own) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           own.st_dev == named.st_dev && own.st_ino == named.st_ino;
}

/// The journal, locked; made where there is none. Throws DocumentError naming the owner when a living process
/// holds the lock.
FileHandle lockJournal(const std::filesystem::path& document)
{
    const std::filesystem::path path = journalPath(document);
    LockOwner owner;
    int attempts = 0, attemptsWithoutOwner = 0;
    while (attempts < kAttempts && attemptsWithoutOwner < kAttemptsWithoutOwner) {
        FileHandle file = openCompanion(path, CompanionUse::Append);
        if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) {
            if (!isStillInPlace(file, path))
                continue;
            return file;
        }
        if (errno != EWOULDBLOCK && errno != EINTR)
            failToLock(path, errno);
        owner = readOwner(file, path);
        ++(isWithoutOwner(file, owner) ? attemptsWithoutOwner : attempts);
        std::this_thread::sleep_for(kPause);
    }
    throw DocumentError(document.string() + ": the study is being run by " + describeOwner(owner) +
                        ", expected no other runner; wait for it or stop it");
}

} // namespace

std::filesystem::path journalPath(const std::filesystem::path& document)
{
    std::filesystem::path path = document;
    path += "-journal";
    return path;
}

std::filesystem::path recoveredPath(const std::filesystem::path& document, int number)
{
    const std::string ending = number == 1 ? " (recovered)" : " (recovered " + std::to_string(number) + ")";
    return folderOf(document) / (document.stem().string() + ending + document.extension().string());
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
    const JournalContents contents = cutTornLine(m_file, m_path);
    m_size = static_cast<std::int64_t>(contents.validBytes);
    m_isOwnerWritten = m_owner.identity.empty() || !contents.owners.empty();
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
    removeTorn();
    int error = writeAll(m_file.get(), text);
    if (error == 0 && ::fdatasync(m_file.get()) != 0)
        error = errno;
    if (error == 0) {
        m_size += static_cast<std::int64_t>(text.size());
        return;
    }
    // Half a line (a full disk) must not stand in the way of the next one; it may be cut off only later.
    m_torn = std::max<std::int64_t>(::lseek(m_file.get(), 0, SEEK_END) - m_size, 0);
    if (::ftruncate(m_file.get(), m_size) == 0)
        m_torn = 0;
    failWithErrno(m_path, what + " cannot be written", error);
}

void JournalWriter::removeTorn()
{
    if (m_torn > 0 && ::ftruncate(m_file.get(), m_size) != 0)
        failWithErrno(m_path, "cannot be written", errno);
    m_torn = 0;
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
    return ::fstat(m_file.get(), &status) == 0 && status.st_nlink > 0 && status.st_size == m_size + m_torn;
}

bool JournalWriter::isInPlace() const
{
    return isStillInPlace(m_file, m_path);
}

std::filesystem::path JournalWriter::findPlace() const
{
    std::error_code unknown;
    return std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(m_file.get()), unknown);
}

void applyJournal(const JournalContents& journal, Study& study)
{
    takeRecords(study, journal.runs);
    if (study.derived.empty() || journal.runs.empty())
        return;
    std::set<int> recorded;
    for (const Run& record : journal.runs)
        recorded.insert(record.id);
    for (Run& run : study.runs) {
        if (run.status == RunStatus::Done && recorded.contains(run.id))
            run = withComputedResults(study, std::move(run));
    }
}

void foldJournal(const std::filesystem::path& document)
{
    if (!isThere(journalPath(document)) || lockOwner(document))
        return;
    const FileHandle lock = lockJournal(document);
    const std::filesystem::path journal = journalPath(document);
    if (saveWithRecords(document).isJournalBroken)
        setAside(journal);
    else
        removeJournal(journal);
}

void saveWithJournal(const std::filesystem::path& document)
{
    saveWithRecords(document);
}

StudyLock::StudyLock(const std::filesystem::path& document)
    : m_path(journalPath(document))
    , m_file(lockJournal(document))
{
    cutTornLine(m_file, m_path);
    writeOwner(m_file, m_path);
}

StudyLock::~StudyLock()
{
    try {
        const JournalContents left = parseJournal(openCompanion(m_path, CompanionUse::Read), m_path);
        if (left.runs.empty() && left.brokenLines == 0 && isInPlace())
            ::unlink(m_path.c_str());
    } catch (const DocumentError&) {
        return; // whatever is there now is none of ours
    }
}

bool StudyLock::isInPlace() const
{
    return isStillInPlace(m_file, m_path);
}

std::optional<LockOwner> lockOwner(const std::filesystem::path& document)
{
    const std::filesystem::path path = journalPath(document);
    const FileHandle file = openLock(path);
    if (!file.isOpen() || ::flock(file.get(), LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return std::nullopt;
    return readOwner(file, path);
}

bool isOwnerOurs(const std::filesystem::path& document, const LockOwner& owner)
{
    const FileIdentity lock = identityOf(openLock(journalPath(document)));
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
