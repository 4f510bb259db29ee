// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_lookup.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kDotReach = 9.0; ///< pixels around a dot that belong to it

} // namespace

std::vector<int> runsInOrder(const PanelBoard& board)
{
    for (const Panel& panel : board.panels) {
        std::vector<const PanelDot*> dots;
        for (const PanelDot& dot : panel.dots)
            if (dot.run >= 0)
                dots.push_back(&dot);
        if (dots.empty())
            continue;
        std::ranges::stable_sort(dots, {}, [](const PanelDot* dot) { return std::pair(dot->x, dot->y); });
        std::vector<int> runs;
        runs.reserve(dots.size());
        for (const PanelDot* dot : dots)
            runs.push_back(dot->run);
        return runs;
    }
    return {};
}

const PanelDot* dotAt(const PanelBoard& board, const PanelLayout& layout, QPointF position)
{
    const PanelDot* nearest = nullptr;
    double reach = kDotReach;
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        for (const PanelDot& dot : board.panels[i].dots) {
            const QPointF at = layout.frames()[i].at(dot.x, dot.y);
            const double distance = std::hypot(at.x() - position.x(), at.y() - position.y());
            if (!(distance <= reach) || dot.role == DotRole::Shown || !layout.frames()[i].shows(at))
                continue;
            reach = distance;
            nearest = &dot;
        }
    return nearest;
}

QString tipAt(const PanelBoard& board, const PanelLayout& layout, QPointF position)
{
    if (const PanelDot* dot = dotAt(board, layout, position))
        return dot->tip;
    const std::optional<std::size_t> index = layout.panelAt(position);
    if (!index)
        return {};
    const PanelFrame& frame = layout.frames()[*index];
    const Panel& panel = board.panels[*index];
    const QPointF share = frame.shareAt(position);
    const double x = frame.xScale.actualAt(share.x());
    const double y = frame.yScale.actualAt(share.y());
    for (const PanelBar& bar : panel.bars) // of a row, all of it
        if (y >= bar.low && y <= bar.high && (panel.y.isCategory || (x >= bar.left && x <= bar.right)))
            return bar.tip;
    for (const PanelCell& cell : panel.cells)
        if (std::abs(x - cell.x) <= 0.5 && std::abs(y - cell.y) <= 0.5)
            return cell.tip;
    return panel.reading ? panel.reading(x, y) : QString();
}

} // namespace quadric::widgets
