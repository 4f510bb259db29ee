// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/study_document.h"

#include "app/gui/session/study_editor.h"
#include "core/study/document/merge.h"
#include "core/study/files/journal.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

namespace quadric::app {

namespace {

constexpr int kLookMs = 500;
/// Another program may remove a file before it writes it anew, or write it piece by piece.
constexpr int kPatientReads = 4;
constexpr int kSaveAttempts = 3;
constexpr std::size_t kMostConflictsShown = 4;

QString asText(const std::filesystem::path& path)
{
    return QString::fromStdU16String(path.u16string());
}

QString conflictsInWords(std::vector<std::string> conflicts)
{
    const std::size_t rest = conflicts.size() - std::min(conflicts.size(), kMostConflictsShown);
    if (rest != 0) {
        conflicts.resize(kMostConflictsShown);
        conflicts.push_back(text::formatCount(rest, "further difference"));
    }
    QStringList words;
    for (const std::string& conflict : conflicts)
        words << QString::fromStdString(text::makeVisible(conflict));
    return words.join(QStringLiteral("; "));
}

constexpr int kDelayMs = 300;
constexpr int kOwnedDelayMs = 1000;

} // namespace

StudyDocument::StudyDocument(StudyEditor& editor, QObject* parent)
    : QObject(parent)
    , m_editor(editor)
{
    m_timer.setInterval(kLookMs);
    connect(&m_timer, &QTimer::timeout, this, &StudyDocument::look);
}

void StudyDocument::attach(study::Study saved, const study::DocumentState& state)
{
    m_saved = std::move(saved);
    m_state = state;
    m_seen = state.identity;
    m_failedReads = 0;
    m_conflict.reset();
    setTrouble({});
    m_timer.start();
    emit savedVersionChanged();
}

void StudyDocument::detach()
{
    m_timer.stop();
    m_conflict.reset();
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
    const bool isThere = !m_trouble || m_trouble->kind == DocumentTrouble::Kind::Conflict;
    return isThere && m_editor.isOpen() && m_editor.context()->study == m_saved;
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
    if (path().empty() || m_editor.context()->isRunning || study::identityOf(path()) == m_seen)
        return;
    if (std::optional<Theirs> theirs = read())
        mergeTheirs(std::move(*theirs));
}

/// Nothing while the file cannot be read, or a runner has it.
std::optional<StudyDocument::Theirs> StudyDocument::read()
{
    const study::FileIdentity identity = study::identityOf(path());
    try {
        if (study::lockOwner(path()))
            return std::nullopt;
        study::LoadedStudy loaded = study::loadStudy(path());
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
    m_conflict.reset();
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

void StudyDocument::mergeTheirs(Theirs theirs)
{
    m_conflict.reset();
    const study::Study& mine = m_editor.context()->study;
    study::MergeResult merged = study::merge(m_saved, mine, theirs.study);
    if (merged.conflicts.empty()) {
        try {
            const bool isReplaced = !merged.replacedRuns.empty();
            const QString more = isReplaced
                                     ? tr("The results of %1 were replaced; the version before is in %2.")
                                           .arg(QString::fromStdString(text::formatRuns(merged.replacedRuns)),
                                                keepBeside(mine))
                                     : QString();
            adopt(merged.study, std::move(theirs), more);
            return;
        } catch (const study::DocumentError& error) {
            merged.conflicts.emplace_back(error.what());
        }
    }
    m_conflict = std::move(theirs);
    setTrouble({{DocumentTrouble::Kind::Conflict,
                 tr("Another program changed %1, and so did this window: %2. Nothing is saved until you "
                    "choose a version; the other one is kept beside the file.")
                     .arg(fileName(), conflictsInWords(std::move(merged.conflicts)))}});
}

void StudyDocument::adopt(const study::Study& merged, Theirs theirs, const QString& more)
{
    const std::string changes = study::changesInWords(m_editor.context()->study, merged);
    m_saved = std::move(theirs.study);
    m_state = theirs.state;
    m_conflict.reset();
    m_editor.applyExternalChange(merged, tr("Changed on disk"));
    setTrouble({});
    emit savedVersionChanged();
    QStringList sentences;
    if (!changes.empty())
        sentences
            << tr("%1 was changed by another program: %2.").arg(fileName(), QString::fromStdString(changes));
    if (!more.isEmpty())
        sentences << more;
    if (!sentences.isEmpty())
        emit message(sentences.join(QLatin1Char(' ')));
}

bool StudyDocument::save()
{
    for (int attempt = 0; attempt < kSaveAttempts; ++attempt) {
        look();
        if (m_trouble || m_failedReads > 0)
            return false;
        if (holdsStudy())
            return true;
        try {
            const study::Study& study = m_editor.context()->study;
            m_state = study::saveStudy(study, path(), m_state);
            m_saved = study;
            m_seen = m_state.identity;
            return true;
        } catch (const study::DocumentChanged&) {
            m_seen.reset(); // whatever it looks like from outside
        }
    }
    return false;
}

void StudyDocument::settle(bool isMine)
{
    if (!m_conflict)
        return;
    if (m_editor.context()->isRunning) {
        emit message(tr("The experiment is running. Choose a version when it has ended or was stopped."));
        return;
    }
    Theirs theirs = *m_conflict;
    const study::Study mine = m_editor.context()->study;
    try {
        const QString kept = keepBeside(isMine ? theirs.study : mine);
        const auto prefer = isMine ? study::Prefer::Mine : study::Prefer::Theirs;
        const study::MergeResult merged = study::merge(m_saved, mine, theirs.study, prefer);
        if (isMine && !merged.replacedRuns.empty())
            keepBeside(mine);
        adopt(merged.study, std::move(theirs), tr("The other version is in %1.").arg(kept));
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
    if (!m_trouble || m_trouble->kind == DocumentTrouble::Kind::Conflict)
        return;
    try {
        std::filesystem::create_directories(study::folderOf(path()));
        const std::optional<std::string> text = study::readTextFileIfThere(path());
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
    if (m_editor.context()->isRunning)
        return !m_isDirty;
    try {
        if (!m_isDirty) {
            m_document.look();
            return !m_isDirty && !m_document.trouble();
        }
        if (study::lockOwner(m_editor.context()->path) || !m_document.save()) {
            if (!m_document.trouble())
                m_timer.start(kOwnedDelayMs);
            return false;
        }
    } catch (const std::exception& error) {
        emit failed(QString::fromStdString(error.what()));
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
