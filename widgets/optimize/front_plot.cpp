// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/front_plot.h"

#include "widgets/optimize/plane_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::widgets {

namespace {

constexpr double kMargin = 0.06; ///< of the range, left free around the points
constexpr double kDotRadius = 4.0;
constexpr double kPickRadius = 24.0;

double valueOf(const optimize::FrontPoint& point, const std::string& response)
{
    for (const auto& [name, value] : point.responses)
        if (name == response)
            return value;
    return std::numeric_limits<double>::quiet_NaN();
}

AxisScale scaleOf(const std::vector<QPointF>& points, const std::optional<QPointF>& shown, bool isX)
{
    std::vector<double> values;
    values.reserve(points.size());
    for (const QPointF& point : points)
        values.push_back(isX ? point.x() : point.y());
    if (shown)
        values.push_back(isX ? shown->x() : shown->y());
    return scaleOver(values, false, kMargin);
}

PlaneFrame frameFor(const QRectF& target, const PlotStyle& style, const std::vector<QPointF>& points,
                    const std::optional<QPointF>& shown)
{
    return planeFrame(target, style, scaleOf(points, shown, true), scaleOf(points, shown, false));
}

} // namespace

FrontPlot::FrontPlot(QWidget* parent)
    : Plot(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Pareto front"));
}

void FrontPlot::setFront(const std::vector<optimize::FrontPoint>& front, const FrontAxis& x,
                         const FrontAxis& y)
{
    m_x = x;
    m_y = y;
    m_reason.clear();
    m_picked = -1;
    m_points.clear();
    for (const optimize::FrontPoint& point : front)
        m_points.emplace_back(valueOf(point, x.response), valueOf(point, y.response));
    update();
}

void FrontPlot::setShown(std::optional<QPointF> shown)
{
    m_shown = shown;
    update();
}

void FrontPlot::clear(const QString& reason)
{
    m_points.clear();
    m_reason = reason;
    update();
}

void FrontPlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    const QRectF area = drawHeader(painter, target, style, {}, isSimulated());
    if (m_points.empty()) {
        drawReason(painter, area, style, m_reason);
        return;
    }
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const PlaneFrame frame = frameFor(area, style, m_points, m_shown);
    drawAxes(painter, frame, style, m_x.title, m_y.title);
    painter.setPen(Qt::NoPen);
    painter.setBrush(style.colors.accent);
    for (const QPointF& point : m_points)
        painter.drawEllipse(frame.place(point), kDotRadius, kDotRadius);
    if (m_shown) {
        painter.setPen(QPen(style.colors.text, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(frame.place(*m_shown), 2 * kDotRadius, 2 * kDotRadius);
    }
    painter.restore();
}

void FrontPlot::mousePressEvent(QMouseEvent* event)
{
    pickNear(event->position());
}

void FrontPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons() & Qt::LeftButton)
        pickNear(event->position());
}

void FrontPlot::pickNear(const QPointF& position)
{
    const PlotStyle style = plotStyle(*this, false);
    const PlaneFrame frame =
        frameFor(areaBelowHeader(rect(), style, isSimulated()), style, m_points, m_shown);
    double nearest = kPickRadius;
    int picked = -1;
    for (std::size_t i = 0; i < m_points.size(); ++i) {
        const QPointF away = frame.place(m_points[i]) - position;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < nearest) {
            nearest = distance;
            picked = static_cast<int>(i);
        }
    }
    if (picked < 0 || picked == m_picked)
        return;
    m_picked = picked;
    emit pointPicked(picked);
}

void FrontPlot::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_points.empty()) {
        Plot::keyPressEvent(event);
        return;
    }
    m_picked = std::clamp(indexOfShown() + step, 0, static_cast<int>(m_points.size()) - 1);
    emit pointPicked(m_picked);
}

/// The point that is shown, or the one nearest to it on the screen.
int FrontPlot::indexOfShown() const
{
    const PlotStyle style = plotStyle(*this, false);
    const PlaneFrame frame =
        frameFor(areaBelowHeader(rect(), style, isSimulated()), style, m_points, m_shown);
    const QPointF shown = frame.place(m_shown.value_or(m_points.front()));
    const auto nearest = std::ranges::min_element(m_points, {}, [&](const QPointF& point) {
        const QPointF away = frame.place(point) - shown;
        return std::hypot(away.x(), away.y());
    });
    return static_cast<int>(nearest - m_points.begin());
}

} // namespace quadric::widgets
