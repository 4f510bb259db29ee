// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/profiler/profiler_layout.h"

#include <QPainterPath>

namespace quadric::widgets {

/// Paints one profiler in two layers: what stays while it moves, and what moves. `focused` is the column that
/// the arrow keys move (−1: none shown).
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

    /// Grids, ticks, names.
    void paintStanding();
    /// Curves, bands, lines, readings.
    void paintMoving();

private:
    std::size_t columnsOf(std::size_t row) const;
    QPointF at(std::size_t row, std::size_t column, double actual, double value) const;
    void paintGrid(std::size_t row, std::size_t column);
    void paintRowAxis(std::size_t row);
    void paintRowName(std::size_t row);
    void paintColumnTicks(std::size_t column);
    void paintColumnName(std::size_t column);

    void paintCell(std::size_t row, std::size_t column);
    void paintShades(std::size_t row, std::size_t column);
    void paintBand(std::size_t row, std::size_t column, const std::vector<double>& x);
    void paintDesirability(std::size_t row, std::size_t column, const std::vector<double>& x);
    void paintCurve(std::size_t row, std::size_t column, const std::vector<double>& x);
    void paintLegalValues(std::size_t row, std::size_t column);
    void paintLevels(std::size_t row, std::size_t column);
    void paintCurrent(std::size_t row, std::size_t column);
    QPainterPath stretch(std::size_t row, std::size_t column, const ProfilerRange& range) const;
    void paintFailing(std::size_t row, std::size_t column);
    void paintInfeasible(std::size_t row, std::size_t column);
    void paintFadedCurve(std::size_t row, std::size_t column, const ProfilerRange& range);
    void paintReading(std::size_t row);
    void paintValue(std::size_t column);
    double rowTextTop(std::size_t row) const;
    bool hasUnitLine(std::size_t row) const;

    QPainter& m_painter;
    const ProfilerData& m_data;
    const ProfilerLayout& m_layout;
    const PlotStyle& m_style;
    int m_focused;
};

} // namespace quadric::widgets
