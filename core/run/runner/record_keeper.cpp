// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/record_keeper.h"

#include "core/study/derived.h"
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

constexpr std::string_view kJournalEnding = "-journal";
/// Programs that replace a file may remove it first.
constexpr int kLooksForDocument = 10;
constexpr std::chrono::milliseconds kBetweenLooks{50};

/// Where its folder was moved, the journal, which is open, tells where to. Empty: there is no document.
std::filesystem::path findDocument(const RecordKeeper& keeper)
{
    for (int i = 0; i < kLooksForDocument; ++i) {
        if (study::isFileThere(keeper.document()))
            return keeper.document();
        std::this_thread::sleep_for(kBetweenLooks);
    }
    std::string moved = keeper.findJournal().string();
    if (!moved.ends_with(kJournalEnding))
        return {};
    moved.resize(moved.size() - kJournalEnding.size());
    return study::isFileThere(moved) ? std::filesystem::path(moved) : std::filesystem::path();
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
            study::saveStudy(study, path, study::DocumentState{});
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
            m_keeper.removeJournal();
            return {};
        }
        m_place = findDocument(m_keeper);
        if (!m_keeper.writeWaiting())
            saveRecovered(m_keeper.problem());
        else if (m_place.empty())
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

    /// Why the records cannot go into this document; empty: they can.
    std::string findObstacle(const study::Study& document) const
    {
        if (study::computeIdentity(document) != m_keeper.owner().identity)
            return m_place.string() + " is another study by now, \"" + document.name + '"';
        const std::vector<int> displaced = m_keeper.findDisplaced(document);
        return displaced.empty()
                   ? std::string()
                   : m_place.string() + " has other settings, or results of somebody else, for " +
                         text::formatRuns(displaced) + " by now";
    }

    void putInto()
    {
        study::Study document;
        try {
            document = study::loadWithoutJournal(m_place).study;
        } catch (const study::DocumentError& error) {
            saveRecovered(error.what());
            return;
        }
        if (const std::string obstacle = findObstacle(document); !obstacle.empty()) {
            if (saveRecovered(obstacle))
                m_keeper.removeJournal(); // it would stand in the way of that study
            return;
        }
        for (const study::Run& run : m_keeper.findLost(document))
            m_keeper.append(run);
        if (m_keeper.waiting().empty())
            fold();
        else
            saveRecovered(m_keeper.problem());
    }

    void fold()
    {
        try {
            study::saveWithJournal(m_place);
            m_keeper.removeJournal();
        } catch (const study::DocumentError& error) {
            const std::filesystem::path journal = m_keeper.findJournal();
            if (journal != study::journalPath(m_place))
                saveRecovered(error.what());
            else
                m_outcome.problem = std::string(error.what()) + ". All results are in " + journal.string() +
                                    ", which is read together with the study";
        }
    }

    RecordKeeper& m_keeper;
    const study::Study& m_known;
    std::filesystem::path m_place; ///< of the document
    FoldOutcome m_outcome;
};

/// The run of this number in `document` is the same one.
bool isSameRun(const study::Run& run, const study::Run& found)
{
    const bool isBaseline = run.kind == study::RunKind::Baseline;
    return run.kind == found.kind && (isBaseline || run.settings == found.settings);
}

} // namespace

RecordKeeper::RecordKeeper(const std::filesystem::path& document, const study::Study& study,
                           std::optional<study::StudyLock>& lock)
    : m_document(document)
    , m_study(study)
    , m_lock(lock)
    , m_owner(study::makeOwner(study))
{
    const study::JournalContents left = study::readJournal(document);
    if (!left.runs.empty()) {
        const study::Study bare = study::loadWithoutJournal(document).study;
        for (const study::Run& record : left.runs) {
            if (const study::Run* run = findRecord(bare, record.id))
                rememberResult(*run);
            rememberResult(record);
            m_recorded.insert(record.id);
        }
    }
    if (left.brokenLines > 0)
        rewrite();
    else
        m_journal.emplace(document, m_owner);
}

void RecordKeeper::rememberResult(const study::Run& run)
{
    if (!run.results.empty())
        m_results.emplace(run.id, run.results);
}

void RecordKeeper::append(const study::Run& run)
{
    m_recorded.insert(run.id);
    // Later records come after earlier ones.
    if (!m_waiting.empty()) {
        m_waiting.push_back(run);
        return;
    }
    try {
        if (isSafe())
            m_journal->append(run);
        // Also where somebody has written into it at this moment: the record may be glued to that.
        if (!isSafe())
            rewrite();
    } catch (const study::DocumentError& error) {
        keepInMemory(isSafe() ? std::vector{run} : records(), error.what());
    }
}

void RecordKeeper::reserve(std::size_t bytes)
{
    if (m_journal)
        m_journal->reserve(bytes);
}

bool RecordKeeper::isSafe() const
{
    return m_journal && m_journal->isIntact() && (m_journal->isInPlace() || !study::isFileThere(m_document));
}

void RecordKeeper::rewrite()
{
    const std::filesystem::path path = study::journalPath(m_document);
    std::string note =
        path.string() + " was damaged, changed, moved or removed, and has been written again from memory";
    const bool isOwn = m_lock && m_lock->isInPlace();
    if (!isOwn && study::lockOwner(m_document))
        throw study::DocumentError(path.string() + " is that of another runner by now");
    m_journal.reset();
    std::error_code missing;
    if (std::filesystem::file_size(path, missing) > 0 && !missing)
        note += ". What was found there is in " + study::setAside(path).string();
    m_lock.reset();
    m_lock.emplace(m_document);
    m_journal.emplace(m_document, m_owner);
    m_journal->append(records());
    m_notes.insert(note);
}

std::vector<study::Run> RecordKeeper::records() const
{
    std::vector<study::Run> runs;
    for (const study::Run& run : study::allRuns(m_study)) {
        if (m_recorded.contains(run.id))
            runs.push_back(run);
    }
    return runs;
}

void RecordKeeper::keepInMemory(const std::vector<study::Run>& runs, const std::string& reason)
{
    m_waiting = runs;
    m_problem = reason + "; results are only in memory, no further run is started, and the experiment goes "
                         "on when the study can be written again";
}

bool RecordKeeper::writeWaiting()
{
    try {
        if (!isSafe())
            rewrite();
        else
            m_journal->append(m_waiting);
    } catch (const study::DocumentError& error) {
        keepInMemory(m_waiting, error.what());
        return false;
    }
    m_waiting.clear();
    m_problem.clear();
    return true;
}

std::string RecordKeeper::notes() const
{
    std::string text;
    for (const std::string& note : m_notes)
        text += (text.empty() ? "" : ". ") + note;
    return text;
}

/// A result that neither the runner has put there nor was there when it began; what the document computes
/// itself may have another formula by now.
bool RecordKeeper::isByOthers(const study::Run& found, const study::Run& record,
                              const study::Study& document) const
{
    if (found.status != study::RunStatus::Done || found.results.empty())
        return false;
    const auto isSame = [&](const auto& known) {
        return !known.empty() && std::ranges::all_of(found.results, [&](const auto& result) {
            const auto own = known.find(result.first);
            return own == known.end() || own->second == result.second ||
                   study::isComputed(document, result.first);
        });
    };
    const auto [first, last] = m_results.equal_range(found.id);
    return !isSame(record.results) &&
           std::none_of(first, last, [&](const auto& known) { return isSame(known.second); });
}

std::vector<int> RecordKeeper::findDisplaced(const study::Study& document) const
{
    std::vector<int> displaced;
    for (const study::Run& record : records()) {
        const study::Run* found = findRecord(document, record.id);
        if (found && isEnded(record) && (!isSameRun(record, *found) || isByOthers(*found, record, document)))
            displaced.push_back(record.id);
    }
    return displaced;
}

std::vector<study::Run> RecordKeeper::findLost(const study::Study& document) const
{
    std::vector<study::Run> lost;
    for (const study::Run& run : study::allRuns(m_study)) {
        const study::Run* found = findRecord(document, run.id);
        const bool isGone = !found || (isSameRun(run, *found) && !isEnded(*found) &&
                                       found->status != study::RunStatus::Excluded);
        if (isEnded(run) && !m_recorded.contains(run.id) && isGone)
            lost.push_back(run);
    }
    return lost;
}

std::filesystem::path RecordKeeper::findJournal() const
{
    if (!m_journal || !m_journal->isIntact())
        return {};
    return m_journal->isInPlace() ? study::journalPath(m_document) : m_journal->findPlace();
}

void RecordKeeper::removeJournal()
{
    const std::filesystem::path journal = findJournal();
    if (journal.empty())
        return;
    // It is the lock, too: emptied now, it goes with that, after the runner's last words.
    std::error_code error;
    if (m_journal->isInPlace())
        std::filesystem::resize_file(journal, 0, error);
    else
        std::filesystem::remove(journal, error);
    if (error)
        throw study::DocumentError(journal.string() + ": cannot be removed: " + error.message());
}

FoldOutcome foldRecords(RecordKeeper& keeper, const study::Study& study)
{
    return Fold(keeper, study).run();
}

} // namespace quadric::run
