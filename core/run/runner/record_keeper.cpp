// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/record_keeper.h"

#include "core/study/document/document.h"
#include "core/study/files/document_state.h"
#include "core/study/files/file.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace quadric::run {

namespace {

bool isEnded(const study::Run& run)
{
    return run.status == study::RunStatus::Done || run.status == study::RunStatus::Failed;
}

/// A run of any kind: the runner has baselines among the runs.
const study::Run* findRecord(const study::Study& study, int id)
{
    if (const study::Run* run = study::findRun(study, id))
        return run;
    const auto baseline = std::ranges::find(study.baselines, id, &study::Run::id);
    return baseline == study.baselines.end() ? nullptr : &*baseline;
}

/// Not where the run is done meanwhile: the file of the records could not be removed then.
bool isNews(const study::Run& record, const study::Study& study)
{
    const study::Run* known = findRecord(study, record.id);
    return record.status == study::RunStatus::Done || !known || known->status != study::RunStatus::Done;
}

constexpr std::string_view kJournalEnding = "-journal";
/// Programs that replace a file may remove it first.
constexpr int kLooksForDocument = 10;
constexpr int kMostMerges = 20;
constexpr std::chrono::milliseconds kBetweenLooks{50};

/// Where its folder was moved, the journal, which is open, tells where to. Empty: there is no document.
std::filesystem::path findDocument(const RecordKeeper& keeper)
{
    for (int i = 0; i < kLooksForDocument; ++i) {
        if (study::isThere(keeper.document()))
            return keeper.document();
        std::this_thread::sleep_for(kBetweenLooks);
    }
    std::string moved = keeper.findJournal().string();
    if (!moved.ends_with(kJournalEnding))
        return {};
    moved.resize(moved.size() - kJournalEnding.size());
    return study::isThere(moved) ? std::filesystem::path(moved) : std::filesystem::path();
}

/// What the runner knows, as a document: baselines apart, and nothing running.
study::Study makeRecovered(const study::Study& known)
{
    study::Study study = known;
    study.runs.clear();
    for (const study::Run& run : known.runs) {
        if (run.kind == study::RunKind::Baseline)
            study::insertOrReplaceBaseline(study, run);
        else
            study.runs.push_back(run);
    }
    study::resetRunningRuns(study);
    return study;
}

std::filesystem::path findFreeName(const std::filesystem::path& document)
{
    std::filesystem::path path = study::recoveredPath(document);
    for (int i = 2; study::isThere(path); ++i)
        path = study::recoveredPath(document, i);
    return path;
}

struct Recovered {
    bool isSaved = false;
    std::string where; ///< a sentence
};

Recovered recover(const RecordKeeper& keeper, const study::Study& known)
{
    const study::Study study = makeRecovered(known);
    std::string why;
    for (const std::filesystem::path& place : {keeper.document(), recoveredElsewhere(keeper.document())}) {
        try {
            if (place != keeper.document())
                std::filesystem::create_directories(place.parent_path());
            const std::filesystem::path path = findFreeName(place);
            study::saveFolded(study, path, study::DocumentState{});
            return {true, "Everything that was measured is in " + path.string()};
        } catch (const std::exception& error) {
            why = error.what();
        }
    }
    const std::filesystem::path journal = keeper.findJournal();
    return {false, "What was measured could not be saved (" + why + ")" +
                       (journal.empty() ? "" : "; it is in " + journal.string())};
}

class Fold {
public:
    Fold(RecordKeeper& keeper, const study::Study& known)
        : m_keeper(keeper)
        , m_known(known)
    {
    }

    FoldOutcome run()
    {
        if (!m_keeper.hasRecords()) {
            m_keeper.removeJournal(true);
            return {};
        }
        m_place = findDocument(m_keeper);
        if (m_place.empty())
            saveRecovered(m_keeper.document().string() + " was moved or removed while it was measured");
        else
            putInto();
        m_outcome.note = m_keeper.notes();
        if (m_outcome.problem.empty() && m_place != m_keeper.document())
            m_outcome.note += (m_outcome.note.empty() ? "" : ". ") + m_keeper.document().string() +
                              " was moved while it was measured, and all results are in " + m_place.string();
        return m_outcome;
    }

private:
    /// False: it could not be written either.
    bool saveRecovered(const std::string& reason)
    {
        const Recovered recovered = recover(m_keeper, m_known);
        m_outcome.problem = reason + ". " + recovered.where;
        return recovered.isSaved;
    }

    void putInto(int attempt = 1)
    {
        study::LoadedStudy loaded;
        try {
            loaded = study::loadWithoutJournal(m_place);
        } catch (const study::DocumentError& error) {
            saveRecovered(error.what());
            return;
        }
        if (study::computeIdentity(loaded.study) != m_keeper.owner().identity) {
            const bool isSaved =
                saveRecovered(m_place.string() + " is another study by now, \"" + loaded.study.name + '"');
            if (isSaved)
                m_keeper.removeJournal(true); // it would stand in the way of that study
            return;
        }
        merge(std::move(loaded), attempt);
    }

    /// What another program saves meanwhile is read and merged again.
    void merge(study::LoadedStudy loaded, int attempt)
    {
        const std::vector<int> left = study::mergeRecords(m_keeper.known(), loaded.study);
        bool isWhole = true;
        try {
            isWhole = study::saveFolded(std::move(loaded.study), m_place, loaded.state);
        } catch (const study::DocumentChanged& error) {
            if (attempt < kMostMerges)
                putInto(attempt + 1);
            else
                saveRecovered(error.what());
            return;
        } catch (const study::DocumentError& error) {
            const std::filesystem::path journal = m_keeper.findJournal();
            if (journal == study::journalPath(m_place))
                m_outcome.problem = std::string(error.what()) + ". All results are in " + journal.string() +
                                    ", which is read together with the study";
            else
                saveRecovered(error.what());
            return;
        }
        const bool isAllSaved =
            left.empty() ||
            saveRecovered(m_place.string() + " has other settings, or results of somebody else, for " +
                          text::formatRuns(left) + " by now");
        if (isAllSaved)
            m_keeper.removeJournal(isWhole);
    }

    RecordKeeper& m_keeper;
    const study::Study& m_known;
    std::filesystem::path m_place; ///< of the document
    FoldOutcome m_outcome;
};

} // namespace

void restoreKeptRecords(const std::filesystem::path& document)
{
    const std::filesystem::path file = journalElsewhere(document);
    const study::JournalContents kept = study::readJournal(studyElsewhere(document));
    if (kept.runs.empty() && kept.brokenLines == 0)
        return;
    const study::LoadedStudy loaded = study::loadStudy(document);
    const std::string foreign =
        loaded.refusedJournal.empty() ? findForeign(kept, loaded.study, file) : loaded.refusedJournal;
    if (!foreign.empty())
        throw study::DocumentError(foreign);
    study::JournalWriter journal(document, study::makeOwner(loaded.study));
    for (const study::Run& record : kept.runs) {
        if (isNews(record, loaded.study))
            journal.append(record);
    }
    if (kept.brokenLines > 0)
        study::setAside(file);
    else
        std::filesystem::remove(file);
}

RecordKeeper::RecordKeeper(const std::filesystem::path& document, const study::Study& study)
    : m_document(document)
    , m_study(study)
    , m_owner(study::makeOwner(study))
{
    const study::JournalContents left = study::readJournal(document);
    if (!left.runs.empty()) {
        const study::Study bare = study::loadWithoutJournal(document).study;
        for (const study::Run& record : left.runs) {
            if (const study::Run* run = findRecord(bare, record.id))
                rememberOriginal(*run);
            m_recorded.insert(record.id);
        }
    }
    if (left.brokenLines > 0)
        rewrite();
    else
        m_journal.emplace(document, m_owner);
}

void RecordKeeper::rememberOriginal(const study::Run& run)
{
    if (m_recorded.insert(run.id).second && isEnded(run))
        m_before.emplace(run.id, run);
}

void RecordKeeper::append(const study::Run& run)
{
    // Later records come after earlier ones, wherever those are.
    if (!m_away.empty()) {
        keepElsewhere({run}, m_reason);
        return;
    }
    try {
        if (isSafe())
            m_journal->append(run);
        // Also where somebody has written into it at this moment: the record may be glued to that.
        if (!isSafe())
            rewrite();
    } catch (const study::DocumentError& error) {
        keepElsewhere(isSafe() ? std::vector{run} : records(), error.what());
    }
}

void RecordKeeper::reserve(std::size_t bytes)
{
    if (m_journal)
        m_journal->reserve(bytes);
}

bool RecordKeeper::isSafe() const
{
    return m_journal && m_journal->isIntact() && (m_journal->isInPlace() || !study::isThere(m_document));
}

void RecordKeeper::rewrite()
{
    const std::filesystem::path path = study::journalPath(m_document);
    std::string note =
        path.string() + " was damaged, changed, moved or removed, and has been written again from memory";
    m_journal.reset();
    std::error_code missing;
    if (std::filesystem::file_size(path, missing) > 0 && !missing)
        note += ". What was found there is in " + study::setAside(path).string();
    m_journal.emplace(m_document, m_owner);
    m_journal->append(records());
    m_notes.insert(note);
}

std::vector<study::Run> RecordKeeper::records() const
{
    std::vector<study::Run> runs;
    for (const study::KnownRun& run : known()) {
        if (run.isRecorded)
            runs.push_back(*run.now);
    }
    return runs;
}

void RecordKeeper::writeElsewhere()
{
    std::filesystem::create_directories(journalElsewhere(m_document).parent_path());
    study::JournalWriter journal(studyElsewhere(m_document), m_owner);
    for (; m_elsewhere < m_away.size(); ++m_elsewhere)
        journal.append(m_away[m_elsewhere]);
}

void RecordKeeper::keepElsewhere(const std::vector<study::Run>& runs, const std::string& reason)
{
    m_reason = reason;
    m_away.insert(m_away.end(), runs.begin(), runs.end());
    std::string place = "results are kept in " + journalElsewhere(m_document).string();
    try {
        writeElsewhere();
    } catch (const std::exception& error) {
        place = std::string("results are only in memory (") + error.what() + ")";
    }
    m_problem = reason + "; " + place + ", and the experiment goes on when the study can be written again";
}

bool RecordKeeper::restoreRecords()
{
    try {
        if (!isSafe())
            rewrite();
        else
            m_journal->append(m_away);
    } catch (const study::DocumentError&) {
        return false;
    }
    if (m_away.empty())
        return true;
    m_away.clear();
    m_elsewhere = 0;
    std::error_code ignored;
    std::filesystem::remove(journalElsewhere(m_document), ignored);
    return true;
}

std::string RecordKeeper::notes() const
{
    std::string text;
    for (const std::string& note : m_notes)
        text += (text.empty() ? "" : ". ") + note;
    return text;
}

std::vector<study::KnownRun> RecordKeeper::known() const
{
    std::vector<study::KnownRun> known;
    for (const std::vector<study::Run>* runs : {&m_study.runs, &m_study.baselines}) {
        for (const study::Run& run : *runs) {
            const auto before = m_before.find(run.id);
            const bool isRecorded = m_recorded.contains(run.id);
            if (isRecorded || isEnded(run))
                known.push_back({&run, before == m_before.end() ? nullptr : &before->second, isRecorded});
        }
    }
    return known;
}

std::filesystem::path RecordKeeper::findJournal() const
{
    if (!m_journal || !m_journal->isIntact())
        return {};
    return m_journal->isInPlace() ? study::journalPath(m_document) : m_journal->findPlace();
}

void RecordKeeper::removeJournal(bool isWhole)
{
    const std::filesystem::path journal = findJournal();
    if (journal.empty())
        return;
    if (!isWhole)
        m_notes.insert("The document would become too large: details that workers have reported are in " +
                       study::setAside(journal, ".details").string());
    else if (!std::filesystem::remove(journal))
        throw study::DocumentError(journal.string() + ": cannot be removed");
    study::syncFolderOf(journal);
}

FoldOutcome foldRecords(RecordKeeper& keeper, const study::Study& study)
{
    return Fold(keeper, study).run();
}

} // namespace quadric::run
