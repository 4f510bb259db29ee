// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/record_fold.h"

#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/files/study_identity.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"

#include <chrono>
#include <thread>

namespace quadric::run {

namespace {

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
            study::putBaseline(study, run);
        else
            study.runs.push_back(run);
    }
    study::settleRunning(study);
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
            leaveBeside(m_keeper.document().string() + " was moved or removed while it was measured");
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
    bool leaveBeside(const std::string& reason)
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
            leaveBeside(error.what());
            return;
        }
        if (study::computeIdentity(loaded.study) != m_keeper.owner().identity) {
            const bool isSaved =
                leaveBeside(m_place.string() + " is another study by now, \"" + loaded.study.name + '"');
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
                leaveBeside(error.what());
            return;
        } catch (const study::DocumentError& error) {
            const std::filesystem::path journal = m_keeper.findJournal();
            if (journal == study::journalPath(m_place))
                m_outcome.problem = std::string(error.what()) + ". All results are in " + journal.string() +
                                    ", which is read together with the study";
            else
                leaveBeside(error.what());
            return;
        }
        const bool isAllSaved =
            left.empty() ||
            leaveBeside(m_place.string() + " has other settings, or results of somebody else, for " +
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

FoldOutcome foldRecords(RecordKeeper& keeper, const study::Study& study)
{
    return Fold(keeper, study).run();
}

} // namespace quadric::run
