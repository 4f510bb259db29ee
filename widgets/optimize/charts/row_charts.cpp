// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/row_charts.h"

#include "widgets/plots/panel/panel_parts.h"

namespace quadric::widgets {

void BarRows::setRows(const std::vector<BarRow>& rows, const AxisScale& scale, const QString& axisTitle)
{
    Panel panel;
    panel.grid = PanelGrid::Vertical;
    panel.x = {axisTitle, scale};
    for (const BarRow& row : rows) {
        addRow(panel, row.name, {.left = 0.0, .right = row.value, .role = BarRole::Range, .text = row.text});
        const double place = panel.y.ticks.back().value;
        if (row.mark)
            panel.lines.push_back(
                straightLine(*row.mark, place - 0.42, *row.mark, place + 0.42, LineRole::Limit));
    }
    PanelBoard board;
    if (!rows.empty())
        board.panels.push_back(std::move(panel));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
