// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/text_table.h"

#include "core/report/table_text.h"

namespace quadric::widgets {

TextTable typeset(const report::Table& table)
{
    TextTable set;
    set.caption = QString::fromStdString(table.caption);
    set.note = QString::fromStdString(table.note);
    for (const report::Column& column : table.columns)
        set.columns.push_back({QString::fromStdString(formatHeading(column)),
                               QString::fromStdString(column.tooltip),
                               column.kind == report::ColumnKind::Number});
    for (const std::vector<report::Cell>& row : table.rows) {
        QStringList& cells = set.rows.emplace_back();
        for (const report::Cell& cell : row)
            cells << QString::fromStdString(formatCell(cell, text::Typography::Typeset));
    }
    return set;
}

} // namespace quadric::widgets
