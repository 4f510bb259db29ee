// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/document/report.h"

#include "core/study/files/output_file.h"
#include "widgets/report/document/html_report.h"
#include "widgets/report/document/pdf_report.h"

namespace quadric::widgets {

QString writeReport(const ContextPointer& context, const ReportOptions& options, const QString& path)
{
    try {
        ReportContent content = reportContent(context, options);
        const bool isHtml = path.endsWith(QStringLiteral(".html"), Qt::CaseInsensitive);
        const QByteArray text = isHtml ? htmlOf(content) : pdfOf(std::move(content), options);
        study::writeOutput(path.toStdU16String(), {text.constData(), std::size_t(text.size())});
    } catch (const std::exception& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace quadric::widgets
