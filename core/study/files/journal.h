// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/file.h"
#include "core/study/study.h"

#include <filesystem>
#include <optional>
#include <span>

namespace quadric::study {

/// The files beside the document.
std::filesystem::path journalPath(const std::filesystem::path& document);

/// "NAME (recovered).quadric" beside the document: a study with what a runner could not put into it. The
/// first of these files, or the one with this number.
std::filesystem::path recoveredPath(const std::filesystem::path& document, int number = 1);

/// The study to which records belong, as a line of their journal says.
struct JournalOwner {
    std::string identity; ///< see computeIdentity(); empty: not told, as in journals of older versions
    std::string name;     ///< of the study, for people
    bool operator==(const JournalOwner&) const = default;
};
JournalOwner makeOwner(const Study& study);

/// Appends whole runs, one JSON record a line, below a line that says to which study they belong; each append
/// is synced to disk before it returns. A torn last line left by a killed writer is cut off when the journal
/// is opened. Throws DocumentError.
class JournalWriter {
public:
    explicit JournalWriter(const std::filesystem::path& document, JournalOwner owner = {});

    void append(const Run& run) { append(std::span(&run, 1)); }
    void append(std::span<const Run> runs);

    /// Takes this much room on the disk for the records to come, where the file system can do that: a full
    /// disk is found out before something is measured, not when its result is to be written. Throws
    /// DocumentError.
    void reserve(std::size_t bytes);

    /// False where somebody else has removed the file or changed its length.
    bool isIntact() const;
    /// False where the file does not have its name any more: moved, removed or replaced.
    bool isInPlace() const;
    /// Where the file is now; it may have been moved, with its folder or alone.
    std::filesystem::path findPlace() const;

private:
    void appendText(std::string_view text, const std::string& what);
    /// Cuts off what a write that failed has left. Throws DocumentError.
    void removeTorn();

    std::filesystem::path m_path;
    FileHandle m_file;
    JournalOwner m_owner;
    bool m_isOwnerWritten = false;
    std::int64_t m_size = 0; ///< of the file, as far as this writer knows, without m_torn
    std::int64_t m_torn = 0; ///< bytes at its end that a write which failed has left
};

/// A line of a journal that cannot be read; it costs itself.
struct BrokenLine {
    std::uint64_t number = 0; ///< from 1
    std::string why;
};

struct JournalContents {
    std::vector<Run> runs;            ///< in the order in which they were written
    std::vector<JournalOwner> owners; ///< every study that it says it belongs to: one, or none is told
    std::vector<BrokenLine> broken;   ///< the first ones
    std::size_t brokenLines = 0;      ///< how many there are
    bool tornLine = false;            ///< the last line was incomplete and was dropped
    std::uint64_t validBytes = 0;     ///< behind the last line that can be read
};

/// An open journal, line by line from where it is read next; `path` is its name in messages. Throws
/// DocumentError where the disk fails.
JournalContents parseJournal(const FileHandle& file, const std::filesystem::path& path);

/// Empty when there is no journal. Throws DocumentError where it cannot be read at all.
JournalContents readJournal(const std::filesystem::path& document);

/// Why these records, read from `file`, are not of this study, and what to do, in words; empty: they are. A
/// record is of the study where its run has the same kind and settings there, or where the study has no such
/// run.
std::string findForeign(const JournalContents& journal, const Study& study,
                        const std::filesystem::path& file);

/// What cannot be read in the journal `file`, in words; empty: nothing.
std::string brokenInWords(const JournalContents& journal, const std::filesystem::path& file);

/// Takes the journal's records into the study (takeRecords()), with what the study computes from their
/// results.
void applyJournal(const JournalContents& journal, Study& study);

/// Folds the journal into the document (atomic replace) and removes the journal; one with broken lines is set
/// aside. Nothing happens without a journal, or while a runner owns the study: the runner does it at its end.
/// Throws DocumentError, also for the journal of another study.
void foldJournal(const std::filesystem::path& document);

/// Saves the document with what its journal says, for the owner of the journal, which stays. Throws
/// DocumentError, also for the journal of another study.
void saveWithJournal(const std::filesystem::path& document);

/// Who executes the study now.
struct LockOwner {
    int pid = 0;
    std::string host;
};

/// Exclusive ownership of a study by one runner: the journal, flock'd, with a line that names the owner. What
/// a dead process has locked is free. A journal without records goes with its owner.
class StudyLock {
public:
    /// Throws DocumentError naming the owner when a living process holds the lock.
    explicit StudyLock(const std::filesystem::path& document);
    ~StudyLock();
    StudyLock(const StudyLock&) = delete;
    StudyLock& operator=(const StudyLock&) = delete;

    /// False where the journal does not have its name any more.
    bool isInPlace() const;

private:
    std::filesystem::path m_path;
    FileHandle m_file;
};

/// The living owner of the study, if there is one.
std::optional<LockOwner> lockOwner(const std::filesystem::path& document);

/// Whether that owner is a process of this user, on this machine, and does hold the lock. What the journal
/// says proves nothing where others write in the folder: it could name any process.
bool isOwnerOurs(const std::filesystem::path& document, const LockOwner& owner);

} // namespace quadric::study
