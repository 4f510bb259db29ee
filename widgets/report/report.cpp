// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report.h"

#include "widgets/report/printed_report.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>

namespace quadric::widgets {

namespace {

QString couldNotWrite(const QString& path, const QString& reason)
{
    return QCoreApplication::translate("Report", "%1 could not be written: %2").arg(path, reason);
}

bool paintPages(const PrintedReport& report, const ReportOptions& options, QIODevice& device)
{
    constexpr int kDpi = 96; // fonts and pens of the plots are made for this resolution
    QPdfWriter writer(&device);
    writer.setResolution(kDpi);
    writer.setPageSize(paperOf(options));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(report.title());
    writer.setCreator(QStringLiteral("Quadric " QUADRIC_VERSION));
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    painter.setRenderHint(QPainter::LosslessImageRendering);
    for (int page = 0; page < report.pageCount(); ++page) {
        if (page > 0 && !writer.newPage())
            return false;
        report.paint(painter, page);
    }
    return painter.end();
}

} // namespace

QString writeReport(const StudyContext& context, const ReportOptions& options, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return couldNotWrite(path, file.errorString());
    const PrintedReport report(context, options);
    if (!paintPages(report, options, file))
        return couldNotWrite(path, QCoreApplication::translate("Report", "a page could not be drawn"));
    if (!file.commit())
        return couldNotWrite(path, file.errorString());
    return {};
}

} // namespace quadric::widgets
