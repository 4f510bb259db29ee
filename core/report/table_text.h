// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/table.h"
#include "core/text/numbers.h"

namespace quadric::report {

/// What stands in a cell; "–" for what is not known.
std::string formatCell(const Cell& cell, text::Typography typography = text::Typography::Plain);

/// "throughput (img/s)".
std::string formatHeading(const Column& column);

/// The table for a terminal: headings, rows and note with aligned columns, numbers to the right, each line
/// ended.
std::string renderTerminal(const Table& table);

} // namespace quadric::report
