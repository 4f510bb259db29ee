// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <filesystem>
#include <optional>

namespace quadric::study {

/// The files beside the document; where the document is a link, beside its target.
std::filesystem::path journalPath(const std::filesystem::path& document);
std::filesystem::path lockPath(const std::filesystem::path& document);

/// Appends whole runs, one JSON record a line; each append is synced to disk before it returns. A torn last
/// line left by a killed writer is cut off when the journal is opened. Throws DocumentError.
class JournalWriter {
public:
    explicit JournalWriter(const std::filesystem::path& document);
    ~JournalWriter();
    JournalWriter(const JournalWriter&) = delete;
    JournalWriter& operator=(const JournalWriter&) = delete;

    void append(const Run& run);

    /// Takes this much room on the disk for the records to come, where the file system can do that: a full
    /// disk is found out before something is measured, not when its result is to be written. Throws
    /// DocumentError.
    void reserve(std::size_t bytes);

private:
    int m_file = -1;
    std::filesystem::path m_path;
};

struct JournalContents {
    std::vector<Run> runs; ///< in the order in which they were written
    bool tornLine = false; ///< the last line was incomplete and was dropped
};

/// Empty when there is no journal. Throws DocumentError for a broken line that is not the last.
JournalContents readJournal(const std::filesystem::path& document);

/// Puts the journal's runs over the study's runs of the same id; the last record of a run wins. Runs that the
/// study does not have are added.
void applyJournal(const JournalContents& journal, Study& study);

/// Folds the journal into the document (atomic replace) and removes the journal. Nothing happens without a
/// journal.
void foldJournal(const std::filesystem::path& document);

/// Who executes the study now.
struct LockOwner {
    int pid = 0;
    std::string host;
};

/// Exclusive ownership of a study by one runner, as an flock'd file beside the document. A lock left by a
/// dead process is free.
class StudyLock {
public:
    /// Throws DocumentError naming the owner when a living process holds the lock.
    explicit StudyLock(const std::filesystem::path& document);
    ~StudyLock();
    StudyLock(const StudyLock&) = delete;
    StudyLock& operator=(const StudyLock&) = delete;

private:
    int m_file = -1;
    std::filesystem::path m_path;
};

/// The living owner of the study, if there is one.
std::optional<LockOwner> lockOwner(const std::filesystem::path& document);

} // namespace quadric::study
