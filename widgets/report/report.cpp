// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/report/report.h"

#include "widgets/report/html_report.h"
#include "widgets/report/pdf_report.h"

#include <QCoreApplication>
#include <QSaveFile>

#include <stdexcept>

namespace quadric::widgets {

namespace {

QString couldNotWrite(const QString& path, const QString& reason)
{
    return QCoreApplication::translate("Report", "%1 could not be written: %2").arg(path, reason);
}

} // namespace

QString writeReport(const ContextPointer& context, const ReportOptions& options, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return couldNotWrite(path, file.errorString());
    try {
        ReportContent content = reportContent(context, options);
        const bool isHtml = path.endsWith(QStringLiteral(".html"), Qt::CaseInsensitive);
        file.write(isHtml ? htmlOf(content) : pdfOf(std::move(content), options));
    } catch (const std::exception& error) {
        return couldNotWrite(path, QString::fromUtf8(error.what()));
    }
    if (!file.commit())
        return couldNotWrite(path, file.errorString());
    return {};
}

} // namespace quadric::widgets
