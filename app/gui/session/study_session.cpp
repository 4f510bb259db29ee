// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/study_session.h"

#include "core/exchange/import/audit.h"
#include "core/study/document/document.h"
#include "core/study/files/document_state.h"
#include "core/study/files/file.h"
#include "core/study/files/journal.h"
#include "core/study/run_records.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QStringList>

#include <unistd.h>

namespace quadric::app {

namespace {

/// The name as a file name: no separators, no control characters, not empty, not hidden.
QString asFileName(const QString& name)
{
    QString file;
    for (const QChar c : name.simplified())
        file += c.isPrint() && !QStringLiteral("/\\:*?\"<>|").contains(c) ? c : QLatin1Char('-');
    while (file.startsWith(QLatin1Char('.')))
        file.remove(0, 1);
    file.truncate(80);
    return file.isEmpty() ? QStringLiteral("Study") : file;
}

std::string textOf(const QString& resource)
{
    QFile file(resource);
    if (!file.open(QIODevice::ReadOnly))
        throw study::DocumentError(resource.toStdString() + ": this example is not part of the program");
    return file.readAll().toStdString();
}

bool mayWriteBeside(const std::filesystem::path& path)
{
    return ::access(study::folderOf(path).c_str(), W_OK) == 0;
}

/// Empty, or why the journal stays beside the document (it is of another study, or the disk is full): no
/// reason not to show the study.
std::string tryFoldJournal(const std::filesystem::path& path)
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
    const std::string whyNotFolded = !isOwned && isWritable ? tryFoldJournal(path) : std::string();
    study::LoadedStudy loaded = study::loadStudy(path);
    if (!isWritable)
        loaded.warnings.push_back(
            study::folderOf(path).string() +
            " cannot be written: the study is shown as it is and cannot be changed here. "
            "Save it in another folder to work on it");
    if (!whyNotFolded.empty() && loaded.refusedJournal.empty())
        loaded.warnings.push_back(whyNotFolded);
    if (!isOwned)
        study::resetRunningRuns(loaded.study);
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

QString studiesFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) + QStringLiteral("/Quadric");
}

std::filesystem::path newStudyPath(const QString& studyName)
{
    const QString base = studiesFolder() + QLatin1Char('/') + asFileName(studyName);
    QString path = base + QStringLiteral(".quadric");
    for (int i = 2; QFile::exists(path); ++i)
        path = QStringLiteral("%1 %2.quadric").arg(base).arg(i);
    return path.toStdU16String();
}

std::vector<Example> examples()
{
    std::vector<Example> found = {
        {QStringLiteral(":/examples/h200-resnet18.quadric"),
         QStringLiteral("Read a finished study"),
         QStringLiteral("ResNet-18 on one H200: fifteen measured runs, what matters, and the best setting."),
         {}},
        {QStringLiteral(":/examples/cpu-ranks.quadric"),
         QStringLiteral("Run a study on this machine"),
         QStringLiteral("Distributed training on CPU ranks: press Start and watch the runs for "
                        "four minutes."),
         {}},
        {QStringLiteral(":/examples/resnet50-scaling.quadric"), QStringLiteral("Check published claims"),
         QStringLiteral("Conclusions of a web page about ResNet-50, compared with its data."),
         QStringLiteral(":/examples/resnet50-scaling-claims.json")},
    };
    std::erase_if(found, [](const auto& example) { return !QFile::exists(example.resource); });
    return found;
}

std::filesystem::path copyExample(const Example& example)
{
    auto loaded = study::parseStudy(textOf(example.resource), example.resource.toStdString());
    if (!example.claims.isEmpty()) // or it could not be told from the study without claims
        loaded.study.name += ", claims checked";
    auto path = newStudyPath(QString::fromStdString(loaded.study.name));
    QDir().mkpath(studiesFolder());
    loaded.study.id = study::makeStudyId();
    study::saveNewStudy(loaded.study, path);
    if (!example.claims.isEmpty())
        study::replaceFile(exchange::claimsBeside(path), textOf(example.claims));
    return path;
}

StudySession::StudySession(QObject* parent)
    : QObject(parent)
    , m_document(m_editor)
    , m_autosave(m_editor, m_document)
    , m_experiment(m_editor, m_autosave)
{
}

QString StudySession::open(const std::filesystem::path& path)
{
    const std::filesystem::path absolute =
        study::resolved(QFileInfo(pathText(path)).absoluteFilePath().toStdU16String());
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
        study::saveNewStudy(study, path);
    } catch (const std::exception& error) {
        return QString::fromStdString(error.what());
    }
    return open(path);
}

QString StudySession::saveAs(const std::filesystem::path& chosen)
{
    const std::filesystem::path path = study::resolved(chosen);
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
    if (!m_autosave.saveNow() && !keepUnsaved())
        return false;
    discard();
    return true;
}

/// What another program has put in the place of the file leaves no room for the open study.
bool StudySession::keepUnsaved()
{
    const auto& trouble = m_document.trouble();
    const bool hasPlace = trouble && (trouble->kind == DocumentTrouble::Kind::Changed ||
                                      trouble->kind == DocumentTrouble::Kind::Unreadable);
    return hasPlace && m_document.keepOpenStudyBeside();
}

void StudySession::discard()
{
    m_experiment.detach();
    m_editor.close();
    m_document.detach();
    m_autosave.setDirty(false);
}

} // namespace quadric::app
