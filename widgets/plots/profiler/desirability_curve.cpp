// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/profiler/desirability_handles.h"
#include "widgets/plots/profiler/profiler.h"

#include <QInputDialog>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kHandleRadius = 4.5;
constexpr int kCurvePoints = 96;
constexpr double kLimitKeyStep = 0.02; ///< of the axis; a tenth of it with Shift
constexpr double kShapeKeyStep = 0.1;

bool hasSameLimits(const optimize::Desirability& a, const optimize::Desirability& b)
{
    return a.goal == b.goal && a.low == b.low && a.target == b.target && a.high == b.high;
}

bool holds(const AxisScale& scale, const std::optional<CurveMark>& mark)
{
    return !mark || !std::isfinite(mark->value) || (scale.low < mark->value && mark->value < scale.high);
}

} // namespace

struct DesirabilityCurve::Parts {
    optimize::Desirability desirability;
    std::optional<CurveMark> predicted;
    AxisScale scale; ///< stands still while a handle is dragged and while the prediction moves inside it
    std::optional<CurveHandle> dragged;
    std::size_t focused = 0;
    QPixmap standing; ///< axis and curve, as painted for `standingKey`
    std::vector<double> standingKey;

    static QRectF curveArea(const QRectF& plot, const PlotStyle& style)
    {
        return plot.adjusted(2.0, kHandleRadius + 2.0, -2.0, -style.smallHeight() - 8.0);
    }
    QRectF areaOn(const DesirabilityCurve& curve, const PlotStyle& style) const
    {
        return curveArea(areaBelowHeader(curve.rect(), style, false), style);
    }
    std::vector<double> keyFor(const DesirabilityCurve& curve) const;
    void paintAxis(QPainter& painter, const QRectF& area, const PlotStyle& style) const;
    void paintCurve(QPainter& painter, const QRectF& area, const PlotStyle& style) const;
    void paintHandles(QPainter& painter, const QRectF& area, const PlotStyle& style, bool hasFocus) const;
    void paintHandleText(QPainter& painter, const QRectF& area, const PlotStyle& style,
                         CurveHandle handle) const;
    void paintPrediction(QPainter& painter, const QRectF& area, const PlotStyle& style) const;
};

std::vector<double> DesirabilityCurve::Parts::keyFor(const DesirabilityCurve& curve) const
{
    return {static_cast<double>(curve.width()),
            static_cast<double>(curve.height()),
            curve.devicePixelRatioF(),
            static_cast<double>(curve.palette().cacheKey()),
            static_cast<double>(desirability.goal),
            desirability.low,
            desirability.target,
            desirability.high,
            desirability.shapeBelow,
            desirability.shapeAbove,
            scale.low,
            scale.high};
}

void DesirabilityCurve::Parts::paintAxis(QPainter& painter, const QRectF& area, const PlotStyle& style) const
{
    painter.setPen(QPen(style.colors.grid, 1.0));
    painter.drawLine(area.topLeft(), area.topRight());
    painter.setPen(QPen(style.colors.axis, 1.0));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    const QFontMetricsF metrics(style.small);
    for (const Tick& tick : horizontalTicks(scale, area.width(), metrics)) {
        const double x = area.left() + scale.fractionOf(tick.value) * area.width();
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
        line << pointOnDesirability(desirability, scale, area,
                                    scale.actualAt(static_cast<double>(i) / kCurvePoints));
    QPolygonF under = line;
    under << area.bottomRight() << area.bottomLeft();
    painter.setPen(Qt::NoPen);
    painter.setBrush(blend(style.colors.accent, style.colors.background, 0.1));
    painter.drawPolygon(under);
    painter.setPen(QPen(style.colors.accent, 2.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

/// Limits and target are round, exponents are diamonds.
void DesirabilityCurve::Parts::paintHandles(QPainter& painter, const QRectF& area, const PlotStyle& style,
                                            bool hasFocus) const
{
    const std::vector<CurveHandle> handles = listCurveHandles(desirability.goal);
    for (std::size_t i = 0; i < handles.size(); ++i) {
        const QPointF place = pointOnDesirability(desirability, scale, area, handles[i]);
        const bool isLit = dragged ? *dragged == handles[i] : hasFocus && i == focused;
        painter.setPen(QPen(style.colors.accent, isShape(handles[i]) ? 1.4 : 2.0));
        painter.setBrush(isLit ? style.colors.accent : style.colors.background);
        if (isShape(handles[i])) {
            const double r = kHandleRadius;
            painter.drawPolygon(QPolygonF({place + QPointF(0, -r), place + QPointF(r, 0),
                                           place + QPointF(0, r), place + QPointF(-r, 0)}));
        } else {
            painter.drawEllipse(place, kHandleRadius, kHandleRadius);
        }
    }
    for (std::size_t i = 0; i < handles.size(); ++i)
        if (dragged ? *dragged == handles[i] : hasFocus && i == focused)
            paintHandleText(painter, area, style, handles[i]);
}

void DesirabilityCurve::Parts::paintHandleText(QPainter& painter, const QRectF& area, const PlotStyle& style,
                                               CurveHandle handle) const
{
    const QFontMetricsF metrics(style.small);
    const QString text =
        nameOf(handle) + QLatin1Char(' ') + formatNumber(widgets::valueOf(desirability, handle));
    const QPointF place = pointOnDesirability(desirability, scale, area, handle);
    const QSizeF size(metrics.horizontalAdvance(text) + 8.0, metrics.height() + 2.0);
    const double x =
        place.x() + 10.0 + size.width() <= area.right() ? place.x() + 10.0 : place.x() - 10.0 - size.width();
    const double y = std::clamp(place.y() - size.height() / 2.0, area.top(), area.bottom() - size.height());
    const QRectF box(QPointF(std::max(area.left(), x), y), size);
    painter.setPen(QPen(style.colors.grid, 1.0));
    painter.setBrush(style.colors.background);
    painter.drawRoundedRect(box, 3.0, 3.0);
    drawLine(painter, box, Qt::AlignCenter, style.small, style.colors.text, text);
}

void DesirabilityCurve::Parts::paintPrediction(QPainter& painter, const QRectF& area,
                                               const PlotStyle& style) const
{
    if (!predicted || !std::isfinite(predicted->value))
        return;
    const auto xOf = [&](double value) {
        return area.left() + std::clamp(scale.fractionOf(value), 0.0, 1.0) * area.width();
    };
    if (predicted->interval) {
        QColor shade = style.colors.error;
        shade.setAlphaF(0.14f);
        const double left = xOf(predicted->interval->low);
        painter.fillRect(QRectF(left, area.top(), xOf(predicted->interval->high) - left, area.height()),
                         shade);
    }
    const QPointF mark = pointOnDesirability(desirability, scale, area, predicted->value);
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
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Desirability"));
}

DesirabilityCurve::~DesirabilityCurve() = default;

void DesirabilityCurve::setDesirability(const optimize::Desirability& desirability,
                                        std::optional<CurveMark> predicted)
{
    const bool isSame = hasSameLimits(m_parts->desirability, desirability);
    if (!m_parts->dragged && (!isSame || !holds(m_parts->scale, predicted)))
        m_parts->scale = curveScale(desirability, predicted ? std::optional(predicted->value) : std::nullopt);
    m_parts->desirability = desirability;
    m_parts->predicted = predicted;
    const std::size_t count = listCurveHandles(desirability.goal).size();
    m_parts->focused = std::min(m_parts->focused, count > 0 ? count - 1 : 0);
    announceHandle(*this, false);
    update();
}

std::vector<PlotHandle> DesirabilityCurve::handles() const
{
    std::vector<PlotHandle> handles;
    const QRectF area = m_parts->areaOn(*this, plotStyle(*this, false));
    for (const CurveHandle each : listCurveHandles(m_parts->desirability.goal)) {
        const double value = widgets::valueOf(m_parts->desirability, each);
        const AxisScale& scale = m_parts->scale;
        const double range = scale.high - scale.low;
        const QRectF place = QRectF(-kHandleRadius, -kHandleRadius, 2 * kHandleRadius, 2 * kHandleRadius)
                                 .translated(pointOnDesirability(m_parts->desirability, scale, area, each));
        handles.push_back({nameOf(each),
                           formatNumber(value),
                           {},
                           value,
                           isShape(each) ? kLeastShape : scale.low,
                           isShape(each) ? kMostShape : scale.high,
                           isShape(each) ? kShapeKeyStep : kLimitKeyStep * range,
                           place.toAlignedRect()});
    }
    return handles;
}

int DesirabilityCurve::focusedHandle() const
{
    return listCurveHandles(m_parts->desirability.goal).empty() ? -1 : static_cast<int>(m_parts->focused);
}

void DesirabilityCurve::moveHandle(int handle, double value)
{
    m_parts->focused = static_cast<std::size_t>(handle);
    requestValue(value, true);
}

void DesirabilityCurve::focusInEvent(QFocusEvent* event)
{
    Plot::focusInEvent(event);
    announceHandle(*this, true);
}

QSize DesirabilityCurve::sizeHint() const
{
    return {200, 90};
}

void DesirabilityCurve::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF plot = paintHeader(painter, target, style, {});
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
    if (m_parts->desirability.goal == study::Goal::None)
        return Plot::paintEvent(event);
    const PlotStyle style = plotStyle(*this, false);
    const QRectF area = m_parts->areaOn(*this, style);
    std::vector<double> key = m_parts->keyFor(*this);
    if (key != m_parts->standingKey) {
        m_parts->standing = QPixmap(size() * devicePixelRatioF());
        m_parts->standing.setDevicePixelRatio(devicePixelRatioF());
        QPainter painter(&m_parts->standing);
        paintHeader(painter, rect(), style, {});
        painter.setRenderHint(QPainter::Antialiasing);
        m_parts->paintAxis(painter, area, style);
        m_parts->paintCurve(painter, area, style);
        m_parts->standingKey = std::move(key);
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_parts->standing);
    painter.setRenderHint(QPainter::Antialiasing);
    m_parts->paintPrediction(painter, area, style);
    m_parts->paintHandles(painter, area, style, hasFocus());
    if (hasFocus())
        drawFocusFrame(painter, rect(), style);
}

void DesirabilityCurve::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return Plot::mousePressEvent(event);
    const QRectF area = m_parts->areaOn(*this, plotStyle(*this, false));
    m_parts->dragged = handleNear(m_parts->desirability, m_parts->scale, area, event->position());
    if (!m_parts->dragged)
        return;
    const std::vector<CurveHandle> handles = listCurveHandles(m_parts->desirability.goal);
    m_parts->focused =
        static_cast<std::size_t>(std::ranges::find(handles, *m_parts->dragged) - handles.begin());
    update();
}

void DesirabilityCurve::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_parts->dragged)
        return;
    const QRectF area = m_parts->areaOn(*this, plotStyle(*this, false));
    requestValue(valueUnder(m_parts->scale, area, *m_parts->dragged, event->position()));
}

void DesirabilityCurve::mouseReleaseEvent(QMouseEvent*)
{
    if (!m_parts->dragged)
        return;
    m_parts->dragged.reset();
    const std::optional<CurveMark>& mark = m_parts->predicted;
    m_parts->scale = curveScale(m_parts->desirability, mark ? std::optional(mark->value) : std::nullopt);
    update();
}

void DesirabilityCurve::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event);
    if (!m_parts->dragged)
        return;
    m_parts->dragged.reset();
    askValue();
}

void DesirabilityCurve::keyPressEvent(QKeyEvent* event)
{
    const std::vector<CurveHandle> handles = listCurveHandles(m_parts->desirability.goal);
    if (handles.empty())
        return Plot::keyPressEvent(event);
    const CurveHandle handle = handles[m_parts->focused];
    const double fine = event->modifiers() & Qt::ShiftModifier ? 0.1 : 1.0;
    const double step =
        isShape(handle) ? kShapeKeyStep : kLimitKeyStep * fine * (m_parts->scale.high - m_parts->scale.low);
    const double value = widgets::valueOf(m_parts->desirability, handle);
    switch (event->key()) {
    case Qt::Key_Left:
        requestValue(value - step);
        break;
    case Qt::Key_Right:
        requestValue(value + step);
        break;
    case Qt::Key_Up:
        m_parts->focused = (m_parts->focused + 1) % handles.size();
        announceHandle(*this, true);
        break;
    case Qt::Key_Down:
        m_parts->focused = (m_parts->focused + handles.size() - 1) % handles.size();
        announceHandle(*this, true);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        askValue();
        break;
    default:
        return Plot::keyPressEvent(event);
    }
    update();
}

void DesirabilityCurve::askValue()
{
    const CurveHandle handle = listCurveHandles(m_parts->desirability.goal)[m_parts->focused];
    QString name = nameOf(handle);
    name[0] = name[0].toUpper();
    bool isAccepted = false;
    const double value =
        QInputDialog::getDouble(this, tr("Set value"), name, widgets::valueOf(m_parts->desirability, handle),
                                -1e12, 1e12, 4, &isAccepted);
    if (isAccepted)
        requestValue(value, true);
}

/// Asks for a new value of the focused handle.
void DesirabilityCurve::requestValue(double value, bool isExact)
{
    const CurveHandle handle = listCurveHandles(m_parts->desirability.goal)[m_parts->focused];
    const optimize::Desirability& old = m_parts->desirability;
    const optimize::Desirability moved = withHandleAt(old, handle, value, m_parts->scale, isExact);
    if (widgets::valueOf(moved, handle) == widgets::valueOf(old, handle))
        return;
    if (isShape(handle))
        emit shapesRequested(moved.shapeBelow, moved.shapeAbove);
    else
        emit limitsRequested(moved.low, moved.target, moved.high);
}

} // namespace quadric::widgets
