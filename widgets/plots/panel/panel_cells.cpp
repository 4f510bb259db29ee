// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_cells.h"

#include "widgets/plots/panel/panel_look.h"

#include <QPainter>

#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kLeastNumbered = 30.0; ///< pixels of a cell from which its words fit into it

/// Text that can be read on this ground.
QColor inkOn(const QColor& ground, const PlotStyle& style)
{
    const auto difference = [&](const QColor& ink) {
        return std::abs(ink.lightnessF() - ground.lightnessF());
    };
    return difference(style.colors.text) >= difference(style.colors.background) ? style.colors.text
                                                                                : style.colors.background;
}

} // namespace

QRectF cellArea(const PanelFrame& frame, const PanelCell& cell)
{
    return QRectF(frame.at(cell.x - 0.5, cell.y + 0.5), frame.at(cell.x + 0.5, cell.y - 0.5))
        .adjusted(0.0, 0.0, -1.0, -1.0);
}

void paintCellMarks(QPainter& painter, const PanelFrame& frame, const Panel& panel, const PlotStyle& style)
{
    painter.save();
    painter.setClipRect(frame.inner, Qt::IntersectClip);
    for (const PanelCell& cell : panel.cells) {
        const QRectF area = cellArea(frame, cell);
        if (area.width() >= kLeastNumbered && frame.shows(area.center()))
            drawLine(painter, area, Qt::AlignCenter, style.small, inkOn(cellColor(cell.level, style), style),
                     cell.text);
        if (!cell.isPicked)
            continue;
        painter.setPen(QPen(style.colors.text, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area);
    }
    painter.restore();
}

} // namespace quadric::widgets
