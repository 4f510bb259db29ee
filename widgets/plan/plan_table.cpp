// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/plan_table.h"

#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr int kEmptyRows = 2;

} // namespace

void fitHeight(QTableView& table, int mostRows)
{
    const int rows = table.model()->rowCount();
    const int shown = rows == 0 ? kEmptyRows : std::min(rows, mostRows);
    const int row = rows == 0 ? table.verticalHeader()->defaultSectionSize() : table.rowHeight(0);
    const bool scrolls = table.horizontalHeader()->length() > table.viewport()->width() && rows > 0;
    table.setFixedHeight(table.horizontalHeader()->sizeHint().height() + shown * row +
                         2 * table.frameWidth() +
                         (scrolls ? table.horizontalScrollBar()->sizeHint().height() : 0));
}

} // namespace quadric::widgets
