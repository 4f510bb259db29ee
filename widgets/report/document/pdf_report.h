// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/report_content.h"

#include <QByteArray>

namespace quadric::widgets {

/// The report as a PDF document with bookmarks. Throws std::runtime_error when a page cannot be drawn.
QByteArray pdfOf(ReportContent content, const ReportOptions& options);

} // namespace quadric::widgets
