// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/document/report_content.h"

#include <QByteArray>

namespace quadric::widgets {

/// The report as one HTML file that loads nothing and runs nothing but the script of the profiler: plots as
/// inline SVG, every text of the study escaped, readable on a narrow screen and on paper.
QByteArray htmlOf(const ReportContent& content);

} // namespace quadric::widgets
