// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/study_document.h"

#include "app/gui/session/study_editor.h"
#include "core/study/files/journal.h"
#include "core/study/new_records.h"
#include "core/study/run_records.h"
#include "core/study/shown_study.h"

#include <algorithm>
#include <map>

namespace quadric::app {

namespace {

constexpr int kLookMs = 500;
/// Another program may remove a file before it writes it anew, or write it piece by piece.
constexpr int kPatientReads = 4;
constexpr int kSaveAttempts = 3;

QString asText(const std::filesystem::path& path)
{
    return QString::fromStdU16String(path.u16string());
}

/// What the runs of `now` say that `before` does not know: a first result, or a later measurement, or that a
/// run was begun.
std::vector<study::Run> findNewRecords(const study::Study& before, const study::Study& now)
{
    std::map<int, study::Run> known;
    for (study::Run& run : study::allRuns(before))
        known.emplace(run.id, std::move(run));
    std::vector<study::Run> records;
    for (study::Run& run : study::allRuns(now)) {
        const auto old = known.find(run.id);
        const bool isNews = old == known.end() || old->second.results.empty() ||
                            run.provenance.started > old->second.provenance.started;
        if (isNews && (old == known.end() || old->second != run))
            records.push_back(std::move(run));
    }
    return records;
}

constexpr int kDelayMs = 300;
constexpr int kRetryMs = 1000;

} // namespace

StudyDocument::StudyDocument(StudyEditor& editor, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
{
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &StudyDocument::look);
    connect(&editor, &StudyEditor::recorded, this,
            [this](const study::Run& run) { study::takeRecords(m_saved, {run}); });
}

void StudyDocument::attach(study::Study saved, const study::DocumentState& state)
{
    m_saved = std::move(saved);
    m_state = state;
    m_seen = state.identity;
    m_failedReads = 0;
    m_theirs.reset();
    setTrouble({});
    m_timer.start();
    emit savedVersionChanged();
}

void StudyDocument::detach()
{
    m_timer.stop();
    m_theirs.reset();
    setTrouble({});
}

std::filesystem::path StudyDocument::path() const
{
    return m_editor.isOpen() ? m_editor.context()->path : std::filesystem::path();
}

QString StudyDocument::fileName() const
{
    return asText(path().filename());
}

bool StudyDocument::holdsStudy() const
{
    const bool isGone = m_trouble && (m_trouble->kind == DocumentTrouble::Kind::Missing ||
                                      m_trouble->kind == DocumentTrouble::Kind::Unreadable);
    return !isGone && m_editor.isOpen() && m_editor.context()->study == m_saved;
}

void StudyDocument::setTrouble(std::optional<DocumentTrouble> trouble)
{
    if (trouble == m_trouble)
        return;
    m_trouble = std::move(trouble);
    emit troubleChanged();
    emit savedVersionChanged();
}

void StudyDocument::look()
{
    if (path().empty() || (study::identityOf(path()) == m_seen && study::isFileThere(path())))
        return;
    if (std::optional<Theirs> theirs = read())
        take(std::move(*theirs));
}

/// Nothing while the file cannot be read.
std::optional<StudyDocument::Theirs> StudyDocument::read()
{
    const study::FileIdentity identity = study::identityOf(path());
    try {
        study::LoadedStudy loaded = study::loadStudy(path());
        if (!study::lockOwner(path()))
            study::resetRunningRuns(loaded.study);
        m_seen = loaded.state.identity;
        m_failedReads = 0;
        return Theirs{std::move(loaded.study), loaded.state};
    } catch (const study::DocumentError& error) {
        handleUnreadable(identity, QString::fromStdString(error.what()));
        return std::nullopt;
    }
}

void StudyDocument::handleUnreadable(const study::FileIdentity& identity, const QString& reason)
{
    m_seen.reset();
    m_theirs.reset();
    if (++m_failedReads < kPatientReads)
        return;
    m_seen = identity; // until it changes once more
    if (identity == study::FileIdentity{})
        setTrouble(
            {{DocumentTrouble::Kind::Missing,
              tr("Another program moved or deleted %1. The study stays open here and is no longer saved.")
                  .arg(fileName())}});
    else
        setTrouble({{DocumentTrouble::Kind::Unreadable,
                     tr("Another program changed %1, which cannot be read any more: %2. The study stays open "
                        "here as it was.")
                         .arg(fileName(), reason)}});
}

void StudyDocument::take(Theirs theirs)
{
    m_theirs.reset();
    if (takeRecords(theirs)) {
        m_saved = std::move(theirs.study);
        m_state = theirs.state;
        setTrouble({});
        emit savedVersionChanged();
    } else if (isHarmless(theirs.study)) {
        adopt(theirs);
    } else {
        m_theirs = std::move(theirs);
        setTrouble({{DocumentTrouble::Kind::Changed,
                     tr("Another program changed %1, and this window has what is not in it. Nothing is saved "
                        "until you choose.")
                         .arg(fileName())}});
    }
}

/// True where nothing but records is new in the file, which the open study has by now. How pages are arranged
/// is nothing: this window's way counts.
bool StudyDocument::takeRecords(const Theirs& theirs)
{
    const std::vector<study::Run> records = findNewRecords(m_saved, theirs.study);
    study::Study known = m_saved;
    study::takeRecords(known, records);
    const bool hasOwnView = m_editor.context()->study.view != m_saved.view;
    if (hasOwnView)
        known.view = theirs.study.view;
    if (known != theirs.study)
        return false;
    for (const study::Run& record : records)
        m_editor.takeRun(record);
    return std::ranges::all_of(records, [this](const study::Run& record) {
        const std::vector<study::Run> runs = study::allRuns(m_editor.context()->study);
        const auto run = std::ranges::find(runs, record.id, &study::Run::id);
        return run != runs.end() && run->settings == record.settings;
    });
}

/// The same study, and neither an edit nor a result of this window is lost where it is taken.
bool StudyDocument::isHarmless(const study::Study& theirs) const
{
    if (m_editor.context()->study != m_saved || theirs.id != m_saved.id)
        return false;
    const std::vector<study::Run> runs = study::allRuns(theirs);
    return std::ranges::all_of(study::allRuns(m_saved), [&](const study::Run& mine) {
        const auto run = std::ranges::find(runs, mine.id, &study::Run::id);
        return mine.results.empty() ||
               (run != runs.end() && std::ranges::includes(run->results, mine.results));
    });
}

void StudyDocument::adopt(const Theirs& theirs)
{
    const bool isShown = !study::differInViewOnly(m_editor.context()->study, theirs.study);
    m_saved = theirs.study;
    m_state = theirs.state;
    m_theirs.reset();
    m_editor.applyExternalChange(theirs.study, tr("Changed on disk"));
    setTrouble({});
    emit savedVersionChanged();
    if (isShown)
        emit message(tr("%1 was changed by another program and has been read again.").arg(fileName()));
}

bool StudyDocument::save()
{
    for (int attempt = 0; attempt < kSaveAttempts; ++attempt) {
        look();
        const bool isRetry = m_trouble && m_trouble->kind == DocumentTrouble::Kind::Unwritable;
        if ((m_trouble && !isRetry) || m_failedReads > 0)
            return false;
        if (holdsStudy()) {
            setTrouble({});
            return true;
        }
        try {
            const study::Study& study = m_editor.context()->study;
            m_state = study::saveStudy(study, path(), m_state);
            m_saved = study;
            m_seen = m_state.identity;
            setTrouble({});
            return true;
        } catch (const study::DocumentChanged&) {
            m_seen.reset(); // whatever it looks like from outside
        } catch (const study::DocumentError& error) {
            setTrouble(
                {{DocumentTrouble::Kind::Unwritable, tr("Not saved: %1. It is tried again every second.")
                                                         .arg(QString::fromStdString(error.what()))}});
            return false;
        }
    }
    return false;
}

void StudyDocument::reload()
{
    if (const std::optional<Theirs> theirs = m_theirs)
        adopt(*theirs);
}

void StudyDocument::keepBesideAndReload()
{
    try {
        const QString kept = keepBeside(m_editor.context()->study);
        reload();
        emit message(tr("The version of this window is in %1.").arg(kept));
    } catch (const study::DocumentError& error) {
        emit failed(QString::fromStdString(error.what()));
    }
}

QString StudyDocument::keepBeside(const study::Study& version)
{
    return asText(study::keepBeside(path(), study::writeStudy(version)).filename());
}

bool StudyDocument::keepOpenStudyBeside()
{
    try {
        keepBeside(m_editor.context()->study);
        return true;
    } catch (const study::DocumentError& error) {
        emit failed(QString::fromStdString(error.what()));
        return false;
    }
}

void StudyDocument::saveHereAgain()
{
    if (!m_trouble || m_trouble->kind == DocumentTrouble::Kind::Changed)
        return;
    try {
        std::filesystem::create_directories(study::folderOf(path()));
        const std::optional<std::string> text = study::readDocumentIfThere(path());
        const study::DocumentState state =
            text ? study::makeState(study::identityOf(path()), *text) : study::DocumentState{};
        const QString kept = text ? asText(study::keepBeside(path(), *text).filename()) : QString();
        const study::Study study = m_editor.context()->study;
        attach(study, study::saveStudy(study, path(), state));
        if (text)
            emit message(tr("Saved. What could not be read is in %1.").arg(kept));
    } catch (const std::exception& error) {
        emit failed(QString::fromStdString(error.what()));
    }
}

Autosave::Autosave(StudyEditor& editor, StudyDocument& document, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
    , m_document(document)
{
    m_timer.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::saveNow);
    connect(&editor, &StudyEditor::edited, this, &Autosave::compare);
    connect(&document, &StudyDocument::savedVersionChanged, this, &Autosave::compare);
}

/// What the file holds already is not written: two windows would answer each other without end.
void Autosave::compare()
{
    setDirty(m_editor.isOpen() && !m_document.holdsStudy());
    if (m_isDirty)
        m_timer.start(kDelayMs);
}

bool Autosave::saveNow()
{
    m_timer.stop();
    if (!m_editor.isOpen() || m_editor.context()->path.empty())
        return !m_isDirty;
    if (!m_isDirty) {
        m_document.look();
        return !m_isDirty && !m_document.trouble();
    }
    if (!m_document.save()) {
        const auto& trouble = m_document.trouble();
        if (!trouble || trouble->kind == DocumentTrouble::Kind::Unwritable)
            m_timer.start(kRetryMs);
        return false;
    }
    setDirty(false);
    return true;
}

void Autosave::setDirty(bool isDirty)
{
    if (!isDirty)
        m_timer.stop();
    if (isDirty == m_isDirty)
        return;
    m_isDirty = isDirty;
    emit dirtyChanged(isDirty);
}

} // namespace quadric::app
