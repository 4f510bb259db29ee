// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/run_files.h"
#include "core/study/document/merge.h"

#include <optional>
#include <set>

namespace quadric::run {

/// Brings into the study's journal what a former runner had to keep elsewhere; for the owner of the study's
/// lock. Throws DocumentError: also where those records are of another study, or have other settings than the
/// study's runs, which nobody but the user can resolve.
void restoreKeptRecords(const std::filesystem::path& document);

/// Takes the records of a study's runs to disk. A record that the journal does not take (a folder that has
/// turned read-only, a disk that is gone) is written elsewhere, synced too, until the journal can be written
/// again. A journal that somebody has removed, emptied, moved or changed is written again.
class RecordKeeper {
public:
    /// Opens the journal. `study` is the runner's own, with all that was recorded in it; it must outlive
    /// this. Throws DocumentError.
    RecordKeeper(const std::filesystem::path& document, const study::Study& study);

    const std::filesystem::path& document() const { return m_document; }
    const study::JournalOwner& owner() const { return m_owner; }

    /// A record of the study's run follows, which is still as it was before.
    void rememberOriginal(const study::Run& run);

    /// The record, which is the study's run now, is on disk, in the journal or elsewhere; where even that
    /// fails it is kept in memory.
    void append(const study::Run& run);

    /// See JournalWriter::reserve().
    void reserve(std::size_t bytes);

    /// Records that are not in the journal yet, oldest first.
    const std::vector<study::Run>& away() const { return m_away; }

    /// Tries to take them there. False while that fails.
    bool restoreRecords();

    /// Why records are away, and where they are, in one sentence.
    const std::string& problem() const { return m_problem; }
    /// What was found changed and made good, in sentences; empty: nothing.
    std::string notes() const;

    bool hasRecords() const { return !m_recorded.empty(); }
    /// Every run that has a record here or has ended, as it is now.
    std::vector<study::KnownRun> known() const;
    /// Where the journal is now; empty where it is nowhere.
    std::filesystem::path findJournal() const;
    /// All is in the document: `isWhole`, or without details that it did not take.
    void removeJournal(bool isWhole);

private:
    /// All records are in a file that can be found: under its name, or moved together with its document.
    bool isSafe() const;
    /// Writes all records into a new journal.
    void rewrite();
    void keepElsewhere(const std::vector<study::Run>& runs, const std::string& reason);
    /// Writes there what is not there yet. Throws where that fails.
    void writeElsewhere();
    std::vector<study::Run> records() const;

    std::filesystem::path m_document;
    const study::Study& m_study;
    study::JournalOwner m_owner;
    std::optional<study::JournalWriter> m_journal; ///< empty: it could not be written again
    std::set<int> m_recorded;                      ///< ids
    std::map<int, study::Run> m_before;            ///< those among them that had ended before
    std::set<std::string> m_notes;
    std::vector<study::Run> m_away;
    std::size_t m_elsewhere = 0; ///< how many of them are on disk elsewhere, the first ones
    std::string m_reason;        ///< why the journal does not take them
    std::string m_problem;
};

/// What became of a runner's records when it ended.
struct FoldOutcome {
    std::string problem; ///< what is not in the study, where it is, and what to do; empty: all is in it
    std::string note;    ///< what was found changed and made good; empty: nothing
};

/// Puts the records into their document, as it is by now: moved with its folder, edited, an older version.
/// What does not belong there is left in a study of its own beside it ("NAME (recovered).quadric"), or in the
/// user's state folder where nothing can be written beside it.
FoldOutcome foldRecords(RecordKeeper& keeper, const study::Study& study);

} // namespace quadric::run
