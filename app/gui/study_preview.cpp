// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/study_preview.h"

#include "core/study/document/document.h"
#include "widgets/gallery/study_picture.h"

#include <QCoreApplication>
#include <QFile>

namespace quadric::app {

namespace {

QString wordsOf(const study::Study& study)
{
    const int done = study::countRuns(study, study::RunStatus::Done);
    const QString runs =
        QCoreApplication::translate("start", "%1 of %2 runs done").arg(done).arg(study.runs.size());
    return study::hasSimulatedResults(study)
               ? QCoreApplication::translate("start", "%1 · simulated").arg(runs)
               : runs;
}

study::Study readStudy(const QString& path)
{
    if (!path.startsWith(QLatin1Char(':')))
        return study::loadStudy(path.toStdU16String()).study;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        throw study::DocumentError(path.toStdString() + ": cannot be read");
    return study::parseStudy(file.readAll().toStdString(), path.toStdString()).study;
}

} // namespace

std::optional<StudyPreview> previewOf(const QString& path, const QSize& size, qreal devicePixelRatio,
                                      const QPalette& palette)
{
    try {
        const study::Study study = readStudy(path);
        return StudyPreview{QString::fromStdString(study.name), wordsOf(study),
                            widgets::studyPicture(study, size, devicePixelRatio, palette)};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace quadric::app
