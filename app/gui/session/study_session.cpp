// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/study_session.h"

#include "app/gui/session/study_files.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/files/journal.h"
#include "core/study/files/study_identity.h"
#include "core/study/run_records.h"

#include <QDir>
#include <QFileInfo>
#include <QStringList>

#include <unistd.h>

namespace quadric::app {

namespace {

bool mayWriteBeside(const std::filesystem::path& path)
{
    return ::access(study::folderOf(study::resolved(path)).c_str(), W_OK) == 0;
}

/// Empty, or why the journal stays beside the document (it is of another study, or the disk is full): no
/// reason not to show the study.
std::string foldOrSayWhyNot(const std::filesystem::path& path)
{
    try {
        study::foldJournal(path);
        return {};
    } catch (const study::DocumentError& error) {
        return error.what();
    }
}

/// Without a living runner nothing is running: what a killed one had begun waits again.
study::LoadedStudy load(const std::filesystem::path& path)
{
    const bool isOwned = study::lockOwner(path).has_value();
    const bool isWritable = mayWriteBeside(path);
    const std::string whyNotFolded = !isOwned && isWritable ? foldOrSayWhyNot(path) : std::string();
    study::LoadedStudy loaded = study::loadStudy(path);
    if (!isWritable)
        loaded.warnings.push_back(
            study::folderOf(path).string() +
            " cannot be written: the study is shown as it is and cannot be changed here. "
            "Save it in another folder to work on it");
    if (!whyNotFolded.empty() && loaded.refusedJournal.empty())
        loaded.warnings.push_back(whyNotFolded);
    if (!isOwned)
        study::settleRunning(loaded.study);
    return loaded;
}

QStringList asTexts(const std::vector<std::string>& lines)
{
    QStringList texts;
    for (const auto& line : lines)
        texts << QString::fromStdString(line);
    return texts;
}

QString pathText(const std::filesystem::path& path)
{
    return QString::fromStdU16String(path.u16string());
}

} // namespace

StudySession::StudySession(QObject* parent)
    : QObject(parent)
    , m_document(m_editor)
    , m_autosave(m_editor, m_document)
    , m_experiment(m_editor, m_autosave)
{
}

QString StudySession::open(const std::filesystem::path& path)
{
    const std::filesystem::path absolute = QFileInfo(pathText(path)).absoluteFilePath().toStdU16String();
    m_autosave.saveNow();
    try {
        study::LoadedStudy loaded = load(absolute);
        if (!close())
            return tr("The open study could not be saved, so it stays open.");
        m_editor.open(loaded.study, absolute);
        m_document.attach(std::move(loaded.study), loaded.state);
        m_experiment.attach();
        emit opened(pathText(absolute));
        emit warned(asTexts(loaded.warnings));
    } catch (const std::exception& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

QString StudySession::create(study::Study study)
{
    const auto path = newStudyPath(QString::fromStdString(study.name));
    QDir().mkpath(studiesFolder());
    study.id = study::makeStudyId();
    try {
        study::saveStudy(study, path, study::DocumentState{});
    } catch (const std::exception& error) {
        return QString::fromStdString(error.what());
    }
    return open(path);
}

QString StudySession::saveAs(const std::filesystem::path& path)
{
    if (m_editor.context()->isRunning)
        return tr(
            "The experiment is running into the present file. Save under another name when it has ended.");
    study::DocumentState state;
    try {
        state = study::saveStudy(m_editor.context()->study, path);
    } catch (const std::exception& error) {
        return QString::fromStdString(error.what());
    }
    m_editor.setPath(path);
    m_document.attach(m_editor.context()->study, state);
    m_experiment.attach();
    emit opened(pathText(path));
    return {};
}

bool StudySession::close()
{
    if (!m_editor.isOpen())
        return true;
    if (!m_autosave.saveNow() && !m_editor.context()->isRunning && !keepUnsaved())
        return false;
    discard();
    return true;
}

/// What another program has put in the place of the file leaves no room for the open study.
bool StudySession::keepUnsaved()
{
    const auto& trouble = m_document.trouble();
    return trouble && trouble->kind != DocumentTrouble::Kind::Missing && m_document.keepOpenStudyBeside();
}

void StudySession::discard()
{
    m_experiment.detach();
    m_editor.close();
    m_document.detach();
    m_autosave.setDirty(false);
}

} // namespace quadric::app
