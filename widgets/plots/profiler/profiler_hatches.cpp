// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_look.h"
#include "widgets/plots/profiler/profiler_painter.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

QPainterPath ProfilerPainter::stretch(std::size_t row, std::size_t column, const ProfilerRange& range) const
{
    const QRectF area = m_layout.cell(row, column);
    const AxisScale& scale = m_layout.columnScale(column);
    const double left = area.left() + scale.fractionOf(range.low) * area.width();
    const double right = area.left() + scale.fractionOf(range.high) * area.width();
    QPainterPath path;
    path.addRect(QRectF(left, area.top(), std::max(1.0, right - left), area.height()));
    return path;
}

/// Over the band and behind the curve, which is a prediction for runs that give a result; lines at an even
/// chance, not in the color of the setting.
void ProfilerPainter::paintFailing(std::size_t row, std::size_t column)
{
    if (column >= m_data.failing.size())
        return;
    const QRectF area = m_layout.cell(row, column);
    for (const ProfilerRange& range : m_data.failing[column]) {
        const QPainterPath path = stretch(row, column, range);
        paintRegion(m_painter, path, {.role = RegionRole::Failing}, m_style);
        m_painter.setPen(QPen(m_style.colors.text, 2.0, Qt::DashLine));
        const QRectF bounds = path.boundingRect();
        for (const double x : {std::round(bounds.left()), std::round(bounds.right())})
            if (x > area.left() + 1.0 && x < area.right() - 1.0)
                m_painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
    }
}

/// The curve ends where a constraint forbids its settings; what the model says beyond is gray on the hatch.
void ProfilerPainter::paintInfeasible(std::size_t row, std::size_t column)
{
    if (column >= m_data.infeasible.size())
        return;
    for (const ProfilerRange& range : m_data.infeasible[column]) {
        const QPainterPath path = stretch(row, column, range);
        m_painter.fillPath(path, m_style.colors.background);
        paintRegion(m_painter, path, {.role = RegionRole::Barred}, m_style);
        paintFadedCurve(row, column, range);
    }
}

void ProfilerPainter::paintFadedCurve(std::size_t row, std::size_t column, const ProfilerRange& range)
{
    const model::EffectCurve& curve = m_data.cells[row][column].curve;
    const auto point = [&](double actual) { return at(row, column, actual, readCurve(curve, actual).mean); };
    QPolygonF faded;
    if (curve.categories.empty()) {
        faded << point(range.low);
        for (const double actual : curve.actual)
            if (actual > range.low && actual < range.high)
                faded << point(actual);
        faded << point(range.high);
    } else {
        const double level = (range.low + range.high) / 2.0, mean = readCurve(curve, level).mean;
        faded << at(row, column, range.low + 0.2, mean) << at(row, column, range.high - 0.2, mean);
    }
    m_painter.setPen(QPen(m_style.colors.mutedText, 1.2));
    m_painter.setBrush(Qt::NoBrush);
    m_painter.drawPolyline(faded);
}

} // namespace quadric::widgets
