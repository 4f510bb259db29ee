// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/text/text_table.h"

class QWidget;

namespace quadric::widgets {

/// The table as lines of cells separated by tabs, as spreadsheets take it: with its header, numbers without
/// thousands separators and with a plain minus.
QString tabSeparated(const TextTable& table);

/// Opens the table beside the window, without blocking it, with a button that copies it.
void showTable(QWidget* parent, const TextTable& table);

} // namespace quadric::widgets
