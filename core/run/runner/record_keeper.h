// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/records_elsewhere.h"

namespace quadric::run {

/// Brings into the study's journal what a former runner had to keep elsewhere; for the owner of the study's
/// lock. Throws DocumentError: also where those records have other settings than the study's runs, which
/// nobody but the user can resolve.
void bringRecordsHome(const std::filesystem::path& document);

/// Takes the records of a study's runs to disk. A record that the journal does not take (a folder that has
/// turned read-only, a disk that is gone) is written elsewhere, synced too, until the journal can be written
/// again.
class RecordKeeper {
public:
    /// Opens the journal. Throws DocumentError.
    explicit RecordKeeper(const std::filesystem::path& document);

    /// The record is on disk, in the journal or elsewhere; where even that fails it is kept in memory.
    void append(const study::Run& run);

    /// See JournalWriter::reserve().
    void reserve(std::size_t bytes) { m_journal.reserve(bytes); }

    /// Records that are not in the journal yet, oldest first.
    const std::vector<study::Run>& away() const { return m_away; }

    /// Tries to take them there. False while that fails.
    bool bringHome();

    /// Why records are away, and where they are, in one sentence.
    const std::string& problem() const { return m_problem; }

private:
    void keepElsewhere(const study::Run& run, const std::string& reason);
    /// Writes there what is not there yet. Throws where that fails.
    void writeElsewhere();

    std::filesystem::path m_document;
    study::JournalWriter m_journal;
    std::vector<study::Run> m_away;
    std::size_t m_elsewhere = 0; ///< how many of them are on disk elsewhere, the first ones
    std::string m_reason;        ///< why the journal does not take them
    std::string m_problem;
};

} // namespace quadric::run
