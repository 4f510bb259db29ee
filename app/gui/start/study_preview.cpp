// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/start/study_preview.h"

#include "core/run/follow/runner_news.h"
#include "core/study/document/document.h"
#include "core/study/files/journal.h"
#include "widgets/base/theme.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <QFile>
#include <QPainter>

namespace quadric::app {

namespace {

using widgets::tr;

QString progressOf(const study::Study& study)
{
    const int done = study::countRuns(study, study::RunStatus::Done);
    const QString runs = tr("%1 of %2 runs done").arg(done).arg(study.runs.size());
    return study::hasSimulatedResults(study) ? tr("%1 · simulated").arg(runs) : runs;
}

QString timeLeftOf(const QString& path)
{
    const auto left = run::readRunnerNews(path.toStdU16String()).remaining;
    return left ? widgets::remainingText(left->seconds) : QString();
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

void drawVerdict(QPainter& painter, const QPointF& at, double mark, bool agrees, const QPalette& palette)
{
    const widgets::PlotColors colors = widgets::plotColors(palette);
    painter.setPen(QPen(agrees ? colors.good : colors.error, 2.5, Qt::SolidLine, Qt::RoundCap));
    if (agrees)
        return painter.drawPolyline(QPolygonF{at + QPointF(-mark, 0), at + QPointF(-mark * 0.2, mark * 0.8),
                                              at + QPointF(mark, -mark * 0.8)});
    painter.drawLine(at + QPointF(-mark, -mark), at + QPointF(mark, mark));
    painter.drawLine(at + QPointF(-mark, mark), at + QPointF(mark, -mark));
}

} // namespace

bool isBeingRun(const QString& path)
{
    return !path.startsWith(QLatin1Char(':')) && study::lockOwner(path.toStdU16String()).has_value();
}

std::optional<StudyPreview> readPreview(const QString& path)
{
    try {
        const bool isRunning = isBeingRun(path);
        study::Study study = readStudy(path);
        const QString progress = progressOf(study);
        return StudyPreview{std::move(study), isRunning ? tr("running · %1").arg(progress) : progress,
                            isRunning, isRunning ? timeLeftOf(path) : QString()};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

QPixmap drawClaims(const QSize& size, qreal devicePixelRatio, const QPalette& palette)
{
    constexpr int kLines = 3;
    QPixmap pixmap(size * devicePixelRatio);
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF page(size.width() * 0.16, size.height() * 0.08, size.width() * 0.68, size.height() * 0.84);
    painter.setPen(QPen(palette.color(QPalette::Mid), 1));
    painter.drawRoundedRect(page, 4, 4);
    const double step = page.height() / kLines;
    for (int i = 0; i < kLines; ++i) {
        const QPointF at(page.left() + step * 0.5, page.top() + step * (i + 0.5));
        drawVerdict(painter, at, step * 0.22, i != 1, palette);
        painter.setPen(QPen(palette.color(QPalette::Mid), 4, Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(at + QPointF(step * 0.55, 0),
                         QPointF(page.right() - step * (0.3 + 0.25 * (i % 2)), at.y()));
    }
    return pixmap;
}

} // namespace quadric::app
