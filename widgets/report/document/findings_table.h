// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"
#include "widgets/text/text_table.h"

namespace quadric::widgets {

/// OK, check, problem: what was found and what to do.
TextTable findingsTable(const QString& caption, const std::vector<report::Finding>& findings);

} // namespace quadric::widgets
