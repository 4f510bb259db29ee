// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"

#include <QString>

class QTextDocument;

namespace quadric::widgets {

/// Which sections the report has and how it is printed.
struct ReportOptions {
    bool summary = true, matrix = true, models = true, plots = true, optimum = true, provenance = true;
    bool letterPaper = false;
};

/// Writes the report of a study as PDF: vector plots, real text, page numbers, mark where data are simulated.
/// Returns an empty string, or the reason in words why it could not be written.
QString writeReport(const StudyContext& context, const ReportOptions& options, const QString& path);

} // namespace quadric::widgets
