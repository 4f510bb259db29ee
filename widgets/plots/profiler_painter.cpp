// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler_painter.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

QPointF ProfilerPainter::at(std::size_t row, std::size_t column, double actual, double value) const
{
    const QRectF cell = m_layout.cell(row, column);
    const double y = cell.bottom() - m_layout.rowScale(row).fractionOf(value) * cell.height();
    return {cell.left() + m_layout.columnScale(column).fractionOf(actual) * cell.width(),
            std::clamp(y, cell.top() - 1e4, cell.bottom() + 1e4)};
}

void ProfilerPainter::paintGrid(std::size_t row, std::size_t column)
{
    const QRectF cell = m_layout.cell(row, column);
    m_painter.setPen(QPen(m_style.colors.grid, 1.0));
    for (const Tick& tick :
         verticalTicks(m_layout.rowScale(row), cell.height(), QFontMetricsF(m_style.small))) {
        const double y = cell.bottom() - m_layout.rowScale(row).fractionOf(tick.value) * cell.height();
        m_painter.drawLine(QPointF(cell.left(), y), QPointF(cell.right(), y));
    }
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(blend(m_style.colors.axis, m_style.colors.background, 0.55), 1.0));
    m_painter.drawRect(cell);
}

void ProfilerPainter::paintCurve(std::size_t row, std::size_t column)
{
    const model::EffectCurve& curve = m_data.cells[row][column].curve;
    QPolygonF line, band;
    const bool hasBand = curve.low.size() == curve.mean.size() && curve.high.size() == curve.mean.size();
    for (std::size_t i = 0; i < curve.mean.size(); ++i) {
        line << at(row, column, curve.actual[i], curve.mean[i]);
        if (hasBand)
            band << at(row, column, curve.actual[i], curve.high[i]);
    }
    for (std::size_t i = hasBand ? curve.mean.size() : 0; i-- > 0;)
        band << at(row, column, curve.actual[i], curve.low[i]);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_style.colors.band);
    m_painter.drawPolygon(band);
    for (qsizetype i = 0; i + 1 < line.size(); ++i) {
        const auto index = static_cast<std::size_t>(i);
        const bool isGuess = index + 1 < curve.isExtrapolation.size() &&
                             (curve.isExtrapolation[index] || curve.isExtrapolation[index + 1]);
        m_painter.setPen(
            QPen(isGuess ? m_style.colors.mutedText : m_style.colors.accent, isGuess ? 1.2 : 1.8));
        if (!isGuess || i % 2 == 0)
            m_painter.drawLine(line[i], line[i + 1]);
    }
}

void ProfilerPainter::paintLevels(std::size_t row, std::size_t column)
{
    constexpr double kHalfLevel = 0.3;
    const model::EffectCurve& curve = m_data.cells[row][column].curve;
    for (std::size_t i = 0; i < curve.mean.size(); ++i) {
        const double level = curve.actual[i];
        if (i < curve.low.size() && i < curve.high.size())
            m_painter.fillRect(QRectF(at(row, column, level - kHalfLevel, curve.high[i]),
                                      at(row, column, level + kHalfLevel, curve.low[i])),
                               m_style.colors.band);
        m_painter.setPen(QPen(m_style.colors.accent, 1.8, Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLine(at(row, column, level - kHalfLevel, curve.mean[i]),
                           at(row, column, level + kHalfLevel, curve.mean[i]));
    }
}

void ProfilerPainter::paintCurrent(std::size_t row, std::size_t column)
{
    const ProfilerCell& cell = m_data.cells[row][column];
    const QRectF area = m_layout.cell(row, column);
    const double x = m_layout.xOf(column, cell.current);
    const double y = at(row, column, cell.current, readCurve(cell.curve, cell.current).mean).y();
    m_painter.setPen(QPen(blend(m_style.colors.error, m_style.colors.background, 0.55), 1.0, Qt::DotLine));
    if (area.top() <= y && y <= area.bottom())
        m_painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    const bool isFocused = m_focused == static_cast<int>(column);
    m_painter.setPen(QPen(m_style.colors.error, isFocused ? 2.2 : 1.4));
    m_painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
}

void ProfilerPainter::paintCell(std::size_t row, std::size_t column)
{
    const ProfilerCell& cell = m_data.cells[row][column];
    if (cell.curve.mean.empty() || cell.curve.mean.size() != cell.curve.actual.size())
        return;
    paintGrid(row, column);
    m_painter.save();
    m_painter.setClipRect(m_layout.cell(row, column), Qt::IntersectClip);
    if (cell.curve.categories.empty())
        paintCurve(row, column);
    else
        paintLevels(row, column);
    m_painter.restore();
    paintCurrent(row, column);
}

void ProfilerPainter::paintRowAxis(std::size_t row)
{
    const QRectF cell = m_layout.cell(row, 0);
    for (const Tick& tick :
         verticalTicks(m_layout.rowScale(row), cell.height(), QFontMetricsF(m_style.small))) {
        const double y = cell.bottom() - m_layout.rowScale(row).fractionOf(tick.value) * cell.height();
        drawLine(m_painter, {cell.left() - 206.0, y - 8.0, 200.0, 16.0}, Qt::AlignRight | Qt::AlignVCenter,
                 m_style.small, m_style.colors.mutedText, tick.label);
    }
}

void ProfilerPainter::paintRowText(std::size_t row)
{
    const ProfilerCell& cell = m_data.cells[row].front();
    if (cell.curve.mean.empty())
        return;
    const QRectF area = m_layout.rowText(row);
    const double height = m_style.lineHeight();
    const bool hasUnit = !cell.curve.responseUnit.empty() && area.height() >= 3.0 * height;
    double top = area.center().y() - (hasUnit ? 1.5 : 1.0) * height;
    const auto line = [&](const QFont& font, const QColor& color, const QString& text) {
        drawLine(m_painter, {area.left(), top, area.width(), height}, Qt::AlignLeft | Qt::AlignVCenter, font,
                 color, text);
        top += height;
    };
    line(m_style.font, m_style.colors.text, QString::fromStdString(cell.curve.response));
    line(m_style.title, m_style.colors.error, readingText(cell));
    if (hasUnit)
        line(m_style.small, m_style.colors.mutedText, QString::fromStdString(cell.curve.responseUnit));
}

void ProfilerPainter::paintColumnTicks(std::size_t column, const QRectF& cell)
{
    const QFontMetricsF metrics(m_style.small);
    const model::EffectCurve& curve = m_data.cells.front()[column].curve;
    const AxisScale& scale = m_layout.columnScale(column);
    std::vector<Tick> ticks;
    if (curve.categories.empty())
        ticks = horizontalTicks(scale, cell.width(), metrics);
    const double room = cell.width() / std::max(1.0, static_cast<double>(curve.categories.size())) - 1.0;
    for (std::size_t i = 0; i < curve.categories.size(); ++i)
        ticks.push_back(
            {static_cast<double>(i),
             metrics.elidedText(QString::fromStdString(curve.categories[i]), Qt::ElideRight, room)});
    for (const Tick& tick : ticks) {
        const double x = cell.left() + scale.fractionOf(tick.value) * cell.width();
        m_painter.setPen(QPen(m_style.colors.axis, 1.0));
        m_painter.drawLine(QPointF(x, cell.bottom()), QPointF(x, cell.bottom() + 3.0));
        const double width = metrics.horizontalAdvance(tick.label);
        const double left =
            std::clamp(x - width / 2.0, cell.left() - 1.0, std::max(cell.left(), cell.right() + 1.0 - width));
        drawLine(m_painter, {left, cell.bottom() + 4.0, width + 1.0, metrics.height()}, Qt::AlignLeft,
                 m_style.small, m_style.colors.mutedText, tick.label);
    }
}

void ProfilerPainter::paintColumnText(std::size_t column)
{
    const QRectF cell = m_layout.cell(m_layout.rows() - 1, column);
    paintColumnTicks(column, cell);
    const model::EffectCurve& curve = m_data.cells.front()[column].curve;
    QRectF line(cell.left() - 3.0, cell.bottom() + m_style.smallHeight() + 5.0, cell.width() + 6.0,
                m_style.lineHeight());
    const bool isFocused = m_focused == static_cast<int>(column);
    drawLine(m_painter, line, Qt::AlignCenter, isFocused ? m_style.title : m_style.font,
             isFocused ? m_style.colors.accent : m_style.colors.text, withUnit(curve.factor, curve.unit));
    line.translate(0.0, m_style.lineHeight());
    if (column < m_data.currentTexts.size())
        drawLine(m_painter, line, Qt::AlignCenter, m_style.title, m_style.colors.error,
                 QString::fromStdString(m_data.currentTexts[column]));
}

void ProfilerPainter::paint()
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t row = 0; row < m_layout.rows(); ++row) {
        for (std::size_t column = 0; column < std::min(m_layout.columns(), m_data.cells[row].size());
             ++column)
            paintCell(row, column);
        paintRowAxis(row);
        paintRowText(row);
    }
    for (std::size_t column = 0; column < m_layout.columns(); ++column)
        paintColumnText(column);
}

} // namespace quadric::widgets
