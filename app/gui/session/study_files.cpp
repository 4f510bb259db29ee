// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/study_files.h"

#include "core/exchange/import/claims.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/files/study_identity.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStandardPaths>

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
    return file.isEmpty() ? QCoreApplication::translate("files", "Study") : file;
}

std::string textOf(const QString& resource)
{
    QFile file(resource);
    if (!file.open(QIODevice::ReadOnly))
        throw study::DocumentError(resource.toStdString() + ": this example is not part of the program");
    return file.readAll().toStdString();
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
        {QStringLiteral(":/examples/resnet50-scaling.quadric"),
         QCoreApplication::translate("files", "Read a finished study"),
         QCoreApplication::translate("files",
                                     "ResNet-50 on 8 to 64 GPUs: what matters, and the best setting."),
         {}},
        {QStringLiteral(":/examples/cpu-ranks.quadric"),
         QCoreApplication::translate("files", "Run a study on this machine"),
         QCoreApplication::translate("files",
                                     "Distributed training on CPU ranks: press Start and watch the runs for "
                                     "four minutes."),
         {}},
        {QStringLiteral(":/examples/resnet50-scaling.quadric"),
         QCoreApplication::translate("files", "Check published claims"),
         QCoreApplication::translate("files",
                                     "Conclusions of a web page about ResNet-50, compared with its data."),
         QStringLiteral(":/examples/resnet50-scaling-claims.json")},
    };
    std::erase_if(found, [](const auto& example) { return !QFile::exists(example.resource); });
    return found;
}

std::filesystem::path copyExample(const Example& example)
{
    auto loaded = study::parseStudy(textOf(example.resource), example.resource.toStdString());
    if (!example.claims.isEmpty()) // or it could not be told from the study without claims
        loaded.study.name += QCoreApplication::translate("files", ", claims checked").toStdString();
    auto path = newStudyPath(QString::fromStdString(loaded.study.name));
    QDir().mkpath(studiesFolder());
    loaded.study.id = study::makeStudyId();
    study::saveStudy(loaded.study, path, study::DocumentState{});
    if (!example.claims.isEmpty())
        study::replaceFile(exchange::claimsBeside(path), textOf(example.claims));
    return path;
}

} // namespace quadric::app
