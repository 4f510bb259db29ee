// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/table.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace quadric::widgets {

struct TextColumn {
    QString title;
    QString tooltip; ///< one plain sentence; empty for what explains itself
    bool isNumber = false;
};

/// A table as people read it, for the screen and for paper.
struct TextTable {
    QString caption;
    std::vector<TextColumn> columns;
    std::vector<QStringList> rows;
    QString note; ///< below the table: what is marked, what is missing
};

/// The table of core/report as a page sets it.
TextTable typeset(const report::Table& table);

} // namespace quadric::widgets
