// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/pdf_report.h"

#include "widgets/report/document/printed_report.h"
#include "widgets/report/print/pdf_outline.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>

#include <stdexcept>

namespace quadric::widgets {

namespace {

constexpr int kResolution = 96; ///< fonts and pens of the plots are made for this resolution

bool paintPages(const PrintedReport& report, const ReportOptions& options, QIODevice& device)
{
    QPdfWriter writer(&device);
    writer.setResolution(kResolution);
    writer.setPageSize(paperOf(options));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
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

QByteArray pdfOf(ReportContent content, const ReportOptions& options)
{
    PdfDetails details{content.title, content.author, QStringLiteral("Quadric " QUADRIC_VERSION), {}, {}};
    if (content.isSimulated)
        details.subject = QCoreApplication::translate("Report", "Simulated data, not measured");
    const PrintedReport report(std::move(content), options);
    details.outline = report.outline();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (!paintPages(report, options, buffer))
        throw std::runtime_error("a page could not be drawn");
    return withDetails(buffer.data(), details);
}

} // namespace quadric::widgets
