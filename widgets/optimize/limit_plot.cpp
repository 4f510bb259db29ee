// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/limit_plot.h"

#include "widgets/optimize/limit_regions.h"
#include "widgets/optimize/plane_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kStrokeEvery = 9.0; ///< pixels along a limit
constexpr double kStroke = 6.0;      ///< pixels into the forbidden side
constexpr double kKeyStep = 0.05;    ///< of an axis; a fifth of it with Shift

QColor colorOf(std::size_t layer, const PlotStyle& style)
{
    const QColor color = categoryColor(static_cast<int>(layer));
    return style.colors.background.lightness() < 128 ? color.lighter(130) : color;
}

void paintLine(QPainter& painter, const LimitLine& line, const QColor& color)
{
    painter.setPen(QPen(color, 2.0));
    painter.drawLines(QList<QLineF>(line.pieces.begin(), line.pieces.end()));
    painter.setPen(QPen(color, 1.0));
    double walked = 0.0;
    for (const QLineF& piece : line.pieces) {
        walked += piece.length();
        if (walked < kStrokeEvery || piece.isNull())
            continue;
        walked = 0.0;
        const QLineF normal = piece.normalVector().unitVector();
        const QPointF inside = normal.p2() - normal.p1();
        painter.drawLine(piece.center(), piece.center() - kStroke * inside);
    }
}

/// The name of a limit stands on its line, each at another place along it.
void paintName(QPainter& painter, const LimitLine& line, const optimize::LimitMap& map,
               const PlaneFrame& frame, const PlotStyle& style, const QColor& color)
{
    if (line.pieces.empty())
        return;
    const optimize::LimitLayer& layer = map.layers[line.layer];
    const QString text = QString::fromStdString(layer.response) +
                         (line.isLow ? QStringLiteral(" ≥ ") : QStringLiteral(" ≤ ")) +
                         formatNumber(line.limit);
    const double share = std::fmod(0.35 + 0.31 * static_cast<double>(line.layer), 0.9);
    const double wanted = frame.area.left() + share * frame.area.width();
    const auto nearest = std::ranges::min_element(
        line.pieces, {}, [&](const QLineF& piece) { return std::abs(piece.center().x() - wanted); });
    const QFontMetricsF metrics(style.small);
    QRectF box(0, 0, metrics.horizontalAdvance(text) + 8.0, metrics.height() + 2.0);
    box.moveCenter(nearest->center());
    box.moveLeft(std::clamp(box.left(), frame.area.left() + 2.0,
                            std::max(frame.area.left() + 2.0, frame.area.right() - box.width() - 2.0)));
    box.moveTop(std::clamp(box.top(), frame.area.top() + 2.0, frame.area.bottom() - box.height() - 2.0));
    painter.setPen(QPen(color, 1.0));
    painter.setBrush(style.colors.background);
    painter.drawRoundedRect(box, 3.0, 3.0);
    drawLine(painter, box, Qt::AlignCenter, style.small, style.colors.text, text);
}

void paintRegions(QPainter& painter, const LimitRegions& regions, const PlotStyle& style)
{
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(style.colors.good, style.colors.background, 0.3));
    for (const QPolygonF& part : regions.feasible)
        painter.drawPolygon(part);
    for (const QRectF& cell : regions.barred) {
        painter.fillRect(cell, blend(style.colors.axis, style.colors.background, 0.25));
        drawHatch(painter, cell, style.colors.grid);
    }
    painter.setRenderHint(QPainter::Antialiasing);
}

void paintShown(QPainter& painter, const PlaneFrame& frame, QPointF shown, const PlotStyle& style)
{
    const QPointF mark = frame.place(shown);
    painter.setPen(QPen(style.colors.error, 1.0, Qt::DotLine));
    painter.drawLine(QPointF(mark.x(), frame.area.top()), QPointF(mark.x(), frame.area.bottom()));
    painter.drawLine(QPointF(frame.area.left(), mark.y()), QPointF(frame.area.right(), mark.y()));
    drawDot(painter, mark, 5.0, style.colors.error, style.colors.background);
}

} // namespace

LimitPlot::LimitPlot(QWidget* parent)
    : Plot(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Overlay plot (sweet spot)"));
}

void LimitPlot::setMap(const optimize::LimitMap& map, QPointF shown)
{
    m_map = map;
    m_shown = shown;
    m_reason.clear();
    update();
}

void LimitPlot::clear(const QString& reason)
{
    m_map = {};
    m_reason = reason;
    update();
}

PlaneFrame LimitPlot::frameOn(const QRectF& area, const PlotStyle& style) const
{
    return planeFrame(area, style, {m_map.x.front(), m_map.x.back(), m_map.xIsLog2},
                      {m_map.y.front(), m_map.y.back(), m_map.yIsLog2});
}

PlaneFrame LimitPlot::frameOnScreen() const
{
    const PlotStyle style = plotStyle(*this, false);
    return frameOn(areaBelowHeader(rect(), style, isSimulated()), style);
}

void LimitPlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    const QRectF area = drawHeader(painter, target, style, {}, isSimulated());
    if (m_map.isEmpty()) {
        drawReason(painter, area, style, m_reason);
        return;
    }
    painter.save();
    const PlaneFrame frame = frameOn(area, style);
    const LimitRegions regions = limitRegions(m_map, frame);
    paintRegions(painter, regions, style);
    drawAxes(painter, frame, style, withUnit(m_map.xName, m_map.xUnit), withUnit(m_map.yName, m_map.yUnit));
    painter.save();
    painter.setClipRect(frame.area, Qt::IntersectClip);
    for (const LimitLine& line : regions.lines)
        paintLine(painter, line, colorOf(line.layer, style));
    paintShown(painter, frame, m_shown, style);
    painter.restore();
    for (const LimitLine& line : regions.lines)
        paintName(painter, line, m_map, frame, style, colorOf(line.layer, style));
    painter.restore();
}

void LimitPlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        mouseMoveEvent(event);
    else
        Plot::mousePressEvent(event);
}

void LimitPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (!(event->buttons() & Qt::LeftButton) || m_map.isEmpty())
        return;
    const QPointF value = frameOnScreen().valueAt(event->position());
    emit placeRequested(value.x(), value.y());
}

void LimitPlot::keyPressEvent(QKeyEvent* event)
{
    const double step = kKeyStep * (event->modifiers() & Qt::ShiftModifier ? 0.2 : 1.0);
    const double x = event->key() == Qt::Key_Right ? step : event->key() == Qt::Key_Left ? -step : 0.0;
    const double y = event->key() == Qt::Key_Up ? step : event->key() == Qt::Key_Down ? -step : 0.0;
    if (m_map.isEmpty() || (x == 0.0 && y == 0.0))
        return Plot::keyPressEvent(event);
    emit stepRequested(x, y);
}

} // namespace quadric::widgets
