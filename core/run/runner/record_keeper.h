// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/run_files.h"
#include "core/study/files/journal.h"
#include "core/study/study.h"

#include <map>
#include <optional>
#include <set>

namespace quadric::run {

/// Takes the records of a study's runs to disk. A record that the journal does not take (a folder that has
/// turned read-only, a disk that is gone) stays in memory until the journal can be written again. A journal
/// that somebody has removed, emptied, moved or changed is written again.
class RecordKeeper {
public:
    /// Opens the journal, which `lock` holds. `study` is the runner's own, with all that was recorded in it.
    /// Both must outlive this. Throws DocumentError.
    RecordKeeper(const std::filesystem::path& document, const study::Study& study,
                 std::optional<study::StudyLock>& lock);

    const std::filesystem::path& document() const { return m_document; }
    const study::JournalOwner& owner() const { return m_owner; }

    /// The study's run had this result before a record of it follows.
    void rememberResult(const study::Run& run);

    /// The record, which is the study's run now, is in the journal; where that fails it waits.
    void append(const study::Run& run);

    /// See JournalWriter::reserve().
    void reserve(std::size_t bytes);

    /// Records that are only in memory, oldest first.
    const std::vector<study::Run>& waiting() const { return m_waiting; }

    /// Takes them into the journal, which is whole then, and locked. False while that fails.
    bool writeWaiting();

    /// Whether all records are in a file that can be found: under its name, or moved together with its
    /// document.
    bool isSafe() const;

    /// Why records wait, in one sentence.
    const std::string& problem() const { return m_problem; }
    /// What was found changed and made good, in sentences; empty: nothing.
    std::string notes() const;

    bool hasRecords() const { return !m_recorded.empty(); }
    /// Recorded runs that have ended and do not belong into this document any more: its run has other
    /// settings, or a result that somebody else has put there.
    std::vector<int> findDisplaced(const study::Study& document) const;
    /// Runs that had ended before there was a record of them, and that an older version of the document does
    /// not have, or has not as ended.
    std::vector<study::Run> findLost(const study::Study& document) const;

    /// Where the journal is now; empty where it is nowhere.
    std::filesystem::path findJournal() const;
    void removeJournal();

private:
    /// Writes all records into a new journal.
    void rewrite();
    void keepInMemory(const std::vector<study::Run>& runs, const std::string& reason);
    std::vector<study::Run> records() const;
    bool isByOthers(const study::Run& found, const study::Run& record, const study::Study& document) const;

    std::filesystem::path m_document;
    const study::Study& m_study;
    std::optional<study::StudyLock>& m_lock;
    study::JournalOwner m_owner;
    std::optional<study::JournalWriter> m_journal;               ///< empty: it could not be written again
    std::set<int> m_recorded;                                    ///< ids
    std::multimap<int, decltype(study::Run::results)> m_results; ///< that runs had before, by id
    std::set<std::string> m_notes;
    std::vector<study::Run> m_waiting;
    std::string m_problem;
};

/// What became of a runner's records when it ended.
struct FoldOutcome {
    std::string problem; ///< what is not in the study, where it is, and what to do; empty: all is in it
    std::string note;    ///< what was found changed and made good; empty: nothing
};

/// Folds the journal into its document, as it is by now: moved with its folder, edited, an older version.
/// Where that cannot be, everything is left in a study of its own beside it ("NAME (recovered).quadric"), or
/// in the user's state folder where nothing can be written beside it.
FoldOutcome foldRecords(RecordKeeper& keeper, const study::Study& study);

} // namespace quadric::run
