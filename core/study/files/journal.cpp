// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/companion_file.h"
#include "core/study/files/journal_read.h"
#include "core/study/files/study_identity.h"
#include "core/study/run_records.h"

#include <cerrno>
#include <fcntl.h>
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
    const ParsedJournal parsed = parseJournal(m_file, m_path);
    m_size = static_cast<std::int64_t>(parsed.validBytes);
    m_isOwnerWritten = m_owner.identity.empty() || !parsed.contents.owners.empty();
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
    putRuns(study, journal.runs);
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

} // namespace quadric::study
