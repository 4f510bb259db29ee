// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/bar_rows.h"

#include "widgets/plots/panel/panel_parts.h"

#include <algorithm>

namespace quadric::widgets {

void BarRows::setRows(const std::vector<BarRow>& rows, const AxisScale& scale,
                      std::optional<double> reference, const QString& axisTitle)
{
    Panel panel;
    panel.grid = PanelGrid::Vertical;
    panel.x = {axisTitle, scale};
    for (const BarRow& row : rows) {
        addRow(panel, row.name,
               {.left = std::min(row.from, row.to),
                .right = std::max(row.from, row.to),
                .role = BarRole::Range,
                .isHatched = row.isFalling,
                .text = row.text});
        const double place = panel.y.ticks.back().value;
        if (row.mark)
            panel.lines.push_back(
                straightLine(*row.mark, place - 0.42, *row.mark, place + 0.42, LineRole::Limit));
    }
    if (reference)
        panel.lines.push_back(
            straightLine(*reference, panel.y.scale.low, *reference, panel.y.scale.high, LineRole::Reference));
    PanelBoard board;
    if (!rows.empty())
        board.panels.push_back(std::move(panel));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
