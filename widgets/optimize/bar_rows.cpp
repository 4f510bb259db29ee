// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/bar_rows.h"

#include "widgets/plots/fitted_title.h"
#include "widgets/plots/plot_style.h"

#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kMostName = 0.32; ///< of the width, also for the texts at the right
constexpr double kMostRowHeight = 30.0;

double widest(const std::vector<BarRow>& rows, const QFont& font, QString BarRow::*text)
{
    double width = 0.0;
    for (const BarRow& row : rows)
        width = std::max(width, QFontMetricsF(font).horizontalAdvance(row.*text));
    return width + 8.0;
}

void paintScale(QPainter& painter, const QRectF& area, const QRectF& bars, const AxisScale& scale,
                const PlotStyle& style, const QString& title)
{
    const QFontMetricsF metrics(style.small);
    for (const Tick& tick : horizontalTicks(scale, bars.width(), metrics)) {
        const double x = bars.left() + scale.fractionOf(tick.value) * bars.width();
        painter.setPen(QPen(style.colors.grid, 1));
        painter.drawLine(QPointF(x, bars.top()), QPointF(x, bars.bottom()));
        drawLine(painter, {x - 60, bars.bottom() + 2, 120, metrics.height()}, Qt::AlignHCenter, style.small,
                 style.colors.mutedText, tick.label);
    }
    const QRectF room(area.left(), bars.bottom() + metrics.height() + 2, area.width(), metrics.height());
    drawFittedTitle(painter, bars.center().x(), room, style.small, style.colors.text, title);
}

void paintBar(QPainter& painter, const QRectF& line, const QRectF& bars, const BarRow& row,
              const AxisScale& scale, const PlotStyle& style)
{
    const auto xOf = [&](double value) {
        return bars.left() + std::clamp(scale.fractionOf(value), 0.0, 1.0) * bars.width();
    };
    const double left = std::min(xOf(row.from), xOf(row.to));
    const double right = std::max(xOf(row.from), xOf(row.to));
    const double height = 0.56 * line.height();
    const QRectF bar(left, line.center().y() - height / 2.0, std::max(1.0, right - left), height);
    if (row.isFalling) {
        painter.fillRect(bar, blend(style.colors.accent, style.colors.background, 0.2));
        drawHatch(painter, bar, style.colors.accent);
    } else {
        painter.fillRect(bar, blend(style.colors.accent, style.colors.background, 0.6));
    }
    if (!row.mark)
        return;
    painter.setPen(QPen(style.colors.error, 2.0));
    painter.drawLine(QPointF(xOf(*row.mark), line.top() + 3.0), QPointF(xOf(*row.mark), line.bottom() - 3.0));
}

} // namespace

BarRows::BarRows(QWidget* parent)
    : Plot(parent)
{
}

void BarRows::setRows(std::vector<BarRow> rows, const AxisScale& scale, std::optional<double> reference,
                      const QString& axisTitle)
{
    m_rows = std::move(rows);
    m_scale = scale;
    m_reference = reference;
    m_axisTitle = axisTitle;
    update();
}

void BarRows::clear(const QString& reason)
{
    m_rows.clear();
    m_reason = reason;
    update();
}

void BarRows::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    const QRectF area = drawHeader(painter, target, style, {}, isSimulated());
    if (m_rows.empty()) {
        drawReason(painter, area, style, m_reason);
        return;
    }
    painter.save();
    const double most = kMostName * area.width();
    const double names = std::min(most, widest(m_rows, style.font, &BarRow::name));
    const double texts = std::min(most, widest(m_rows, style.font, &BarRow::text));
    QRectF bars = area.adjusted(names + 4.0, 2.0, -texts - 4.0, -2.0 * style.smallHeight() - 6.0);
    const double height = std::min(kMostRowHeight, bars.height() / static_cast<double>(m_rows.size()));
    bars.setHeight(height * static_cast<double>(m_rows.size()));
    paintScale(painter, area, bars, m_scale, style, m_axisTitle);
    QRectF line(area.left(), bars.top(), area.width(), height);
    for (const BarRow& row : m_rows) {
        drawLine(painter, {line.left(), line.top(), names, height}, Qt::AlignLeft | Qt::AlignVCenter,
                 style.font, style.colors.text, row.name);
        drawLine(painter, {line.right() - texts, line.top(), texts, height},
                 Qt::AlignRight | Qt::AlignVCenter, style.font, style.colors.text, row.text);
        paintBar(painter, line, bars, row, m_scale, style);
        line.translate(0.0, height);
    }
    if (m_reference) {
        const double x = bars.left() + std::clamp(m_scale.fractionOf(*m_reference), 0.0, 1.0) * bars.width();
        painter.setPen(QPen(style.colors.text, 1.2));
        painter.drawLine(QPointF(x, bars.top()), QPointF(x, bars.bottom()));
    }
    painter.restore();
}

} // namespace quadric::widgets
