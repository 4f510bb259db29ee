// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/axis_scale.h"
#include "widgets/plots/plot_style.h"
#include "widgets/plots/profiler.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kRoomBeside = 0.22; ///< of the range of the limits, at both ends
constexpr double kHandleRadius = 4.5;
constexpr double kReach = 14.0; ///< pixels around a handle
constexpr int kCurvePoints = 96;
constexpr double kKeyStep = 0.02; ///< of the axis; a tenth of it with Shift

enum class Limit { Low, Target, High };

std::vector<Limit> limitsOf(study::Goal goal)
{
    switch (goal) {
    case study::Goal::None:
        return {};
    case study::Goal::Target:
        return {Limit::Low, Limit::Target, Limit::High};
    default:
        return {Limit::Low, Limit::High};
    }
}

double limitOf(const optimize::Desirability& desirability, Limit limit)
{
    switch (limit) {
    case Limit::Low:
        return desirability.low;
    case Limit::Target:
        return desirability.target;
    default:
        return desirability.high;
    }
}

AxisScale scaleOf(const optimize::Desirability& desirability, std::optional<double> predicted)
{
    std::vector<double> values{desirability.low, desirability.high};
    if (desirability.goal == study::Goal::Target)
        values.push_back(desirability.target);
    AxisScale scale = scaleOver(values, false, kRoomBeside);
    if (predicted && std::isfinite(*predicted)) {
        const double beside = 0.04 * (scale.high - scale.low);
        scale.low = std::min(scale.low, *predicted - beside);
        scale.high = std::max(scale.high, *predicted + beside);
    }
    return scale;
}

/// Rounds to a five-hundredth of the axis, to a figure that reads well.
double rounded(const AxisScale& scale, double value)
{
    const double fine = (scale.high - scale.low) / 500.0;
    const double step = std::pow(10.0, std::floor(std::log10(fine)));
    return std::round(value / step) * step;
}

} // namespace

struct DesirabilityCurve::Parts {
    optimize::Desirability desirability;
    std::optional<double> predicted;
    std::optional<AxisScale> frozen; ///< the axis stands still while a handle is dragged
    std::optional<Limit> dragged;
    std::size_t focused = 0;

    AxisScale scale() const { return frozen.value_or(scaleOf(desirability, predicted)); }
    static QRectF curveArea(const QRectF& plot, const PlotStyle& style)
    {
        return plot.adjusted(2.0, kHandleRadius + 2.0, -2.0, -style.smallHeight() - 8.0);
    }
    QPointF at(const QRectF& area, double value) const
    {
        const double d = optimize::valueOf(desirability, value);
        return {area.left() + scale().fractionOf(value) * area.width(), area.bottom() - d * area.height()};
    }
    std::optional<Limit> limitNear(const QRectF& area, QPointF position) const;
    void paintAxis(QPainter& painter, const QRectF& area, const PlotStyle& style) const;
    void paintCurve(QPainter& painter, const QRectF& area, const PlotStyle& style) const;
    void paintHandles(QPainter& painter, const QRectF& area, const PlotStyle& style, bool hasFocus) const;
    void paintPrediction(QPainter& painter, const QRectF& area, const PlotStyle& style) const;
};

std::optional<Limit> DesirabilityCurve::Parts::limitNear(const QRectF& area, QPointF position) const
{
    std::optional<Limit> nearest;
    double reach = kReach;
    for (const Limit limit : limitsOf(desirability.goal)) {
        const double distance = std::abs(at(area, limitOf(desirability, limit)).x() - position.x());
        if (distance <= reach) {
            reach = distance;
            nearest = limit;
        }
    }
    return nearest;
}

void DesirabilityCurve::Parts::paintAxis(QPainter& painter, const QRectF& area, const PlotStyle& style) const
{
    painter.setPen(QPen(style.colors.grid, 1.0));
    painter.drawLine(area.topLeft(), area.topRight());
    painter.setPen(QPen(style.colors.axis, 1.0));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    const QFontMetricsF metrics(style.small);
    for (const Tick& tick : horizontalTicks(scale(), area.width(), metrics)) {
        const double x = area.left() + scale().fractionOf(tick.value) * area.width();
        painter.setPen(QPen(style.colors.axis, 1.0));
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3.0));
        const double width = metrics.horizontalAdvance(tick.label);
        const double left = std::clamp(x - width / 2.0, area.left() - 2.0, area.right() + 2.0 - width);
        drawLine(painter, {left, area.bottom() + 5.0, width + 1.0, metrics.height()}, Qt::AlignLeft,
                 style.small, style.colors.mutedText, tick.label);
    }
}

void DesirabilityCurve::Parts::paintCurve(QPainter& painter, const QRectF& area, const PlotStyle& style) const
{
    QPolygonF line;
    for (int i = 0; i <= kCurvePoints; ++i)
        line << at(area, scale().actualAt(static_cast<double>(i) / kCurvePoints));
    QPolygonF under = line;
    under << area.bottomRight() << area.bottomLeft();
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(style.colors.accent, style.colors.background, 0.1));
    painter.drawPolygon(under);
    painter.setPen(QPen(style.colors.accent, 2.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

void DesirabilityCurve::Parts::paintHandles(QPainter& painter, const QRectF& area, const PlotStyle& style,
                                            bool hasFocus) const
{
    const std::vector<Limit> limits = limitsOf(desirability.goal);
    for (std::size_t i = 0; i < limits.size(); ++i) {
        const QPointF handle = at(area, limitOf(desirability, limits[i]));
        const bool isLit = dragged ? *dragged == limits[i] : hasFocus && i == focused;
        painter.setPen(QPen(style.colors.accent, 2.0));
        painter.setBrush(isLit ? style.colors.accent : style.colors.background);
        painter.drawEllipse(handle, kHandleRadius, kHandleRadius);
    }
}

void DesirabilityCurve::Parts::paintPrediction(QPainter& painter, const QRectF& area,
                                               const PlotStyle& style) const
{
    if (!predicted || !std::isfinite(*predicted))
        return;
    const QPointF mark = at(area, *predicted);
    painter.setPen(QPen(style.colors.error, 1.4));
    painter.drawLine(QPointF(mark.x(), area.top()), QPointF(mark.x(), area.bottom()));
    drawDot(painter, mark, 3.2, style.colors.error, style.colors.background);
}

DesirabilityCurve::DesirabilityCurve(QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
    setMinimumSize(96, 56);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Desirability"));
}

DesirabilityCurve::~DesirabilityCurve() = default;

void DesirabilityCurve::setDesirability(const optimize::Desirability& desirability,
                                        std::optional<double> predicted)
{
    m_parts->desirability = desirability;
    m_parts->predicted = predicted;
    const std::size_t count = limitsOf(desirability.goal).size();
    m_parts->focused = std::min(m_parts->focused, count > 0 ? count - 1 : 0);
    update();
}

QSize DesirabilityCurve::sizeHint() const
{
    return {200, 90};
}

void DesirabilityCurve::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF plot = drawHeader(painter, target, style, {}, isSimulated());
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = Parts::curveArea(plot, style);
    if (m_parts->desirability.goal == study::Goal::None) {
        drawReason(painter, plot, style, tr("no goal"));
    } else {
        m_parts->paintAxis(painter, area, style);
        m_parts->paintCurve(painter, area, style);
        m_parts->paintPrediction(painter, area, style);
        m_parts->paintHandles(painter, area, style, hasFocus() && !forPrint);
    }
    painter.restore();
}

void DesirabilityCurve::paintEvent(QPaintEvent* event)
{
    Plot::paintEvent(event);
}

void DesirabilityCurve::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return Plot::mousePressEvent(event);
    const PlotStyle style = plotStyle(*this, false);
    const QRectF area = Parts::curveArea(areaBelowHeader(rect(), style, isSimulated()), style);
    m_parts->dragged = m_parts->limitNear(area, event->position());
    if (!m_parts->dragged)
        return;
    m_parts->frozen = m_parts->scale();
    const std::vector<Limit> limits = limitsOf(m_parts->desirability.goal);
    m_parts->focused =
        static_cast<std::size_t>(std::ranges::find(limits, *m_parts->dragged) - limits.begin());
    update();
}

void DesirabilityCurve::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_parts->dragged)
        return;
    const PlotStyle style = plotStyle(*this, false);
    const QRectF area = Parts::curveArea(areaBelowHeader(rect(), style, isSimulated()), style);
    const double fraction = std::clamp((event->position().x() - area.left()) / area.width(), 0.0, 1.0);
    requestLimit(m_parts->scale().actualAt(fraction));
}

void DesirabilityCurve::mouseReleaseEvent(QMouseEvent*)
{
    m_parts->dragged.reset();
    m_parts->frozen.reset();
    update();
}

void DesirabilityCurve::keyPressEvent(QKeyEvent* event)
{
    const std::vector<Limit> limits = limitsOf(m_parts->desirability.goal);
    if (limits.empty())
        return Plot::keyPressEvent(event);
    const AxisScale scale = m_parts->scale();
    const double fine = event->modifiers() & Qt::ShiftModifier ? 0.1 : 1.0;
    const double step = kKeyStep * fine * (scale.high - scale.low);
    const double value = limitOf(m_parts->desirability, limits[m_parts->focused]);
    switch (event->key()) {
    case Qt::Key_Left:
        requestLimit(value - step);
        break;
    case Qt::Key_Right:
        requestLimit(value + step);
        break;
    case Qt::Key_Up:
        m_parts->focused = (m_parts->focused + 1) % limits.size();
        break;
    case Qt::Key_Down:
        m_parts->focused = (m_parts->focused + limits.size() - 1) % limits.size();
        break;
    default:
        return Plot::keyPressEvent(event);
    }
    update();
}

/// Moves the focused limit and keeps low, target and high in order.
void DesirabilityCurve::requestLimit(double value)
{
    const std::vector<Limit> limits = limitsOf(m_parts->desirability.goal);
    const AxisScale scale = m_parts->scale();
    const double gap = (scale.high - scale.low) / 200.0;
    const std::size_t index = m_parts->focused;
    if (index > 0)
        value = std::max(value, limitOf(m_parts->desirability, limits[index - 1]) + gap);
    if (index + 1 < limits.size())
        value = std::min(value, limitOf(m_parts->desirability, limits[index + 1]) - gap);
    optimize::Desirability moved = m_parts->desirability;
    double& limit = limits[index] == Limit::Low    ? moved.low
                    : limits[index] == Limit::High ? moved.high
                                                   : moved.target;
    limit = rounded(scale, value);
    if (limit != limitOf(m_parts->desirability, limits[index]))
        emit limitsRequested(moved.low, moved.target, moved.high);
}

} // namespace quadric::widgets
