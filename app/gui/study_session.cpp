// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/study_session.h"

#include "app/gui/study_files.h"
#include "core/study/document.h"
#include "core/study/journal.h"
#include "core/study/run_records.h"

#include <QDir>
#include <QFileInfo>
#include <QStringList>

namespace quadric::app {

namespace {

/// Without a living runner nothing is running: what a killed one had begun waits again.
study::LoadedStudy load(const std::filesystem::path& path)
{
    const bool isOwned = study::lockOwner(path).has_value();
    if (!isOwned)
        study::foldJournal(path);
    study::LoadedStudy loaded = study::loadStudy(path);
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
    , m_autosave(m_editor)
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
        m_editor.open(std::move(loaded.study), absolute);
        m_experiment.attach();
        emit opened(pathText(absolute));
        emit warned(asTexts(loaded.warnings));
    } catch (const std::exception& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

QString StudySession::create(const study::Study& study)
{
    const auto path = newStudyPath(QString::fromStdString(study.name));
    QDir().mkpath(studiesFolder());
    try {
        study::saveStudy(study, path);
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
    try {
        study::saveStudy(m_editor.context()->study, path);
    } catch (const std::exception& error) {
        return QString::fromStdString(error.what());
    }
    m_autosave.setDirty(false);
    m_editor.setPath(path);
    m_experiment.attach();
    emit opened(pathText(path));
    return {};
}

bool StudySession::close()
{
    if (!m_editor.isOpen())
        return true;
    if (!m_autosave.saveNow() && !m_editor.context()->isRunning)
        return false;
    m_experiment.detach();
    m_autosave.setDirty(false);
    m_editor.close();
    return true;
}

} // namespace quadric::app
