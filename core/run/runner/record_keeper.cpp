// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/record_keeper.h"

#include "core/study/document.h"
#include "core/study/run_records.h"

#include <algorithm>

namespace quadric::run {

namespace {

void checkSame(const std::vector<study::Run>& records, const study::Study& study,
               const std::filesystem::path& document)
{
    for (const study::Run& record : records) {
        if (record.kind == study::RunKind::Baseline)
            continue; // it is measured for its settings, whatever the study's are
        const study::Run* run = study::findRun(study, record.id);
        if (!run || run->settings != record.settings)
            throw study::DocumentError(journalElsewhere(document).string() + ": results of run " +
                                       std::to_string(record.id) + " were kept here while " +
                                       document.string() +
                                       " could not be written, and that run has other settings now: expected "
                                       "the study as it was, or this file moved away");
    }
}

/// Not where the run is done meanwhile: the file of the records could not be removed then.
bool isNews(const study::Run& record, const study::Study& study)
{
    const std::vector<study::Run> runs = study::allRuns(study);
    const auto known = std::ranges::find(runs, record.id, &study::Run::id);
    return record.status == study::RunStatus::Done || known == runs.end() ||
           known->status != study::RunStatus::Done;
}

} // namespace

void bringRecordsHome(const std::filesystem::path& document)
{
    const std::vector<study::Run> records = recordsElsewhere(document);
    if (records.empty())
        return;
    const study::Study study = study::loadStudy(document).study;
    checkSame(records, study, document);
    study::JournalWriter journal(document);
    for (const study::Run& record : records) {
        if (isNews(record, study))
            journal.append(record);
    }
    std::filesystem::remove(journalElsewhere(document));
}

RecordKeeper::RecordKeeper(const std::filesystem::path& document)
    : m_document(document)
    , m_journal(document)
{
}

void RecordKeeper::append(const study::Run& run)
{
    // Later records come after earlier ones, wherever those are.
    if (!m_away.empty()) {
        keepElsewhere(run, m_reason);
        return;
    }
    try {
        m_journal.append(run);
    } catch (const study::DocumentError& error) {
        keepElsewhere(run, error.what());
    }
}

void RecordKeeper::writeElsewhere()
{
    std::filesystem::create_directories(journalElsewhere(m_document).parent_path());
    study::JournalWriter journal(studyElsewhere(m_document));
    for (; m_elsewhere < m_away.size(); ++m_elsewhere)
        journal.append(m_away[m_elsewhere]);
}

void RecordKeeper::keepElsewhere(const study::Run& run, const std::string& reason)
{
    m_reason = reason;
    m_away.push_back(run);
    std::string place = "results are kept in " + journalElsewhere(m_document).string();
    try {
        writeElsewhere();
    } catch (const std::exception& error) {
        place = std::string("results are only in memory (") + error.what() + ")";
    }
    m_problem = reason + "; " + place + ", and the experiment goes on when the study can be written again";
}

bool RecordKeeper::bringHome()
{
    try {
        for (const study::Run& run : m_away)
            m_journal.append(run);
    } catch (const study::DocumentError&) {
        return false;
    }
    m_away.clear();
    m_elsewhere = 0;
    std::error_code ignored;
    std::filesystem::remove(journalElsewhere(m_document), ignored);
    return true;
}

} // namespace quadric::run
