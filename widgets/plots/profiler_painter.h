// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/profiler_layout.h"

namespace quadric::widgets {

/// Paints one profiler; `focused` is the column that the arrow keys move (−1: none shown).
class ProfilerPainter {
public:
    ProfilerPainter(QPainter& painter, const ProfilerData& data, const ProfilerLayout& layout,
                    const PlotStyle& style, int focused)
        : m_painter(painter)
        , m_data(data)
        , m_layout(layout)
        , m_style(style)
        , m_focused(focused)
    {
    }

    void paint();

private:
    QPointF at(std::size_t row, std::size_t column, double actual, double value) const;
    void paintCell(std::size_t row, std::size_t column);
    void paintGrid(std::size_t row, std::size_t column);
    void paintCurve(std::size_t row, std::size_t column);
    void paintLevels(std::size_t row, std::size_t column);
    void paintCurrent(std::size_t row, std::size_t column);
    void paintRowAxis(std::size_t row);
    void paintRowText(std::size_t row);
    void paintColumnText(std::size_t column);
    void paintColumnTicks(std::size_t column, const QRectF& cell);

    QPainter& m_painter;
    const ProfilerData& m_data;
    const ProfilerLayout& m_layout;
    const PlotStyle& m_style;
    int m_focused;
};

} // namespace quadric::widgets
