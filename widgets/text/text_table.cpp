// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/text/text_table.h"

#include "core/report/table_text.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

namespace quadric::widgets {

TextTable typeset(const report::Table& table)
{
    const auto translated = [](const std::string& text) {
        return text.empty() ? QString() : tr(text.c_str());
    };
    TextTable set;
    set.caption = translated(table.caption);
    set.note = translated(table.note);
    for (const report::Column& column : table.columns)
        set.columns.push_back({nameWithUnit(translated(column.title).toStdString(), column.unit),
                               translated(column.tooltip), column.kind == report::ColumnKind::Number});
    for (const std::vector<report::Cell>& row : table.rows) {
        QStringList& cells = set.rows.emplace_back();
        for (const report::Cell& cell : row)
            cells << QString::fromStdString(formatCell(cell, text::Typography::Typeset));
    }
    return set;
}

} // namespace quadric::widgets
