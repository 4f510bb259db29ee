// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/fds_plot.h"

#include "widgets/plots/axis_scale.h"
#include "widgets/plots/plot_style.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kPlotMargin = 8.0;
constexpr double kHeadroom = 1.08;
constexpr std::array kLines = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};

QColor colorOf(size_t curve, const PlotStyle& style)
{
    return curve == 0 ? style.colors.accent : style.colors.observed;
}

QPen penOf(size_t curve, const PlotStyle& style)
{
    return QPen(colorOf(curve, style), 2.0, kLines[curve % kLines.size()], Qt::FlatCap, Qt::RoundJoin);
}

/// Between the points, straight.
double seAt(const FdsCurve& curve, double fraction)
{
    const auto above = std::ranges::lower_bound(curve.points, fraction, {}, &design::FdsPoint::fraction);
    if (above == curve.points.end())
        return curve.points.back().se;
    if (above == curve.points.begin())
        return above->se;
    const auto below = std::prev(above);
    const double step = above->fraction - below->fraction;
    return step > 0.0 ? below->se + (above->se - below->se) * (fraction - below->fraction) / step : above->se;
}

QString seText(double se)
{
    return QString::number(se, 'f', 2) + QStringLiteral(" σ");
}

} // namespace

struct FdsPlot::Parts {
    std::vector<FdsCurve> curves;
    QString reason;

    struct Geometry {
        PlotStyle style;
        QRectF area;
        double highest = 1.0;
        double left = 0.0; ///< where titles begin
        QPointF at(double fraction, double se) const
        {
            return {area.left() + fraction * area.width(), area.bottom() - se / highest * area.height()};
        }
    };
    Geometry geometryIn(const QRectF& target, const PlotStyle& style) const;
    void paintAxes(QPainter& painter, const Geometry& geometry) const;
    void paintCurves(QPainter& painter, const Geometry& geometry) const;
    void paintNames(QPainter& painter, const Geometry& geometry) const;
    bool hasNames() const { return curves.size() > 1; }
};

FdsPlot::Parts::Geometry FdsPlot::Parts::geometryIn(const QRectF& target, const PlotStyle& style) const
{
    Geometry geometry{style, {}, 0.0, target.left() + kPlotMargin};
    for (const FdsCurve& curve : curves)
        for (const design::FdsPoint& point : curve.points)
            geometry.highest = std::max(geometry.highest, point.se * kHeadroom);
    geometry.highest = std::max(geometry.highest, 1e-6);
    const double numbers = QFontMetricsF(style.small).horizontalAdvance(QStringLiteral("0.00")) + 8.0;
    const double top = style.lineHeight() * (hasNames() ? 1.0 + double(curves.size()) : 1.0) + 12.0;
    geometry.area = target.adjusted(kPlotMargin + numbers, top, -3.0 * kPlotMargin,
                                    -style.smallHeight() - style.lineHeight() - 14.0);
    return geometry;
}

void FdsPlot::Parts::paintAxes(QPainter& painter, const Geometry& geometry) const
{
    const PlotStyle& style = geometry.style;
    const QRectF& area = geometry.area;
    const QFontMetricsF small(style.small);
    for (const Tick& tick : verticalTicks({0.0, geometry.highest, false}, area.height(), small)) {
        const double y = geometry.at(0.0, tick.value).y();
        painter.setPen(QPen(style.colors.grid, 1.0));
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
        drawLine(painter, {area.left() - 70.0, y - small.height() / 2.0, 64.0, small.height()},
                 Qt::AlignRight | Qt::AlignVCenter, style.small, style.colors.mutedText, tick.label);
    }
    for (const int percent : {0, 25, 50, 75, 100}) {
        const double x = geometry.at(percent / 100.0, 0.0).x();
        painter.setPen(QPen(style.colors.grid, 1.0));
        painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
        drawLine(painter, {x - 30.0, area.bottom() + 4.0, 60.0, small.height()}, Qt::AlignCenter, style.small,
                 style.colors.mutedText, QStringLiteral("%1 %").arg(percent));
    }
    painter.setPen(QPen(style.colors.axis, 1.0));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    const double line = style.lineHeight();
    drawLine(painter, {area.left(), area.bottom() + small.height() + 8.0, area.width(), line},
             Qt::AlignRight | Qt::AlignVCenter, style.font, style.colors.text,
             QStringLiteral("of the region predicted at least this well"));
    drawLine(painter, {geometry.left, area.top() - line - 4.0, area.right() - geometry.left, line},
             Qt::AlignLeft | Qt::AlignVCenter, style.font, style.colors.text,
             QStringLiteral("standard error of a prediction (σ)"));
}

void FdsPlot::Parts::paintCurves(QPainter& painter, const Geometry& geometry) const
{
    painter.setBrush(Qt::NoBrush);
    for (size_t i = curves.size(); i-- > 0;) {
        QPolygonF line;
        for (const design::FdsPoint& point : curves[i].points)
            line << geometry.at(point.fraction, point.se);
        painter.setPen(penOf(i, geometry.style));
        painter.drawPolyline(line);
    }
}

void FdsPlot::Parts::paintNames(QPainter& painter, const Geometry& geometry) const
{
    const PlotStyle& style = geometry.style;
    double top = geometry.area.top() - style.lineHeight() * (1.0 + double(curves.size())) - 4.0;
    for (size_t i = 0; i < curves.size(); ++i, top += style.lineHeight()) {
        const double middle = top + style.lineHeight() / 2.0;
        const double left = geometry.left;
        painter.setPen(penOf(i, style));
        painter.drawLine(QPointF(left, middle), QPointF(left + 28.0, middle));
        drawLine(painter, {left + 36.0, top, geometry.area.right() - left - 36.0, style.lineHeight()},
                 Qt::AlignLeft | Qt::AlignVCenter, style.small, style.colors.text, curves[i].name);
    }
}

FdsPlot::FdsPlot(QWidget* parent)
    : Plot(parent)
    , m_parts(std::make_unique<Parts>())
{
    setObjectName(QStringLiteral("fdsPlot"));
    setAccessibleName(tr("Prediction variance (FDS)"));
    setMouseTracking(true);
}

FdsPlot::~FdsPlot() = default;

void FdsPlot::setCurves(std::vector<FdsCurve> curves)
{
    std::erase_if(curves, [](const FdsCurve& curve) { return curve.points.size() < 2; });
    m_parts->curves = std::move(curves);
    m_parts->reason =
        m_parts->curves.empty() ? tr("The prediction error of this design is not known.") : QString();
    setAccessibleDescription(words());
    update();
}

void FdsPlot::clear(const QString& reason)
{
    m_parts->curves.clear();
    m_parts->reason = reason;
    update();
}

QString FdsPlot::words() const
{
    QStringList sentences;
    for (const FdsCurve& curve : m_parts->curves) {
        const QString said =
            tr("half of the region is predicted within %1, nine tenths within %2, all of it within %3")
                .arg(seText(seAt(curve, 0.5)), seText(seAt(curve, 0.9)), seText(seAt(curve, 1.0)));
        sentences << (curve.name.isEmpty() ? said : curve.name + QStringLiteral(": ") + said);
    }
    return sentences.join(QStringLiteral("; "));
}

void FdsPlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    painter.fillRect(target, style.colors.background);
    if (m_parts->curves.empty()) {
        drawReason(painter, target, style, m_parts->reason);
    } else {
        const auto geometry = m_parts->geometryIn(target, style);
        painter.setRenderHint(QPainter::Antialiasing);
        m_parts->paintAxes(painter, geometry);
        m_parts->paintCurves(painter, geometry);
        if (m_parts->hasNames())
            m_parts->paintNames(painter, geometry);
    }
    painter.restore();
}

void FdsPlot::mouseMoveEvent(QMouseEvent* event)
{
    if (m_parts->curves.empty())
        return;
    const auto geometry = m_parts->geometryIn(rect(), plotStyle(*this, false));
    const double fraction = (event->position().x() - geometry.area.left()) / geometry.area.width();
    QStringList lines;
    for (const FdsCurve& curve : m_parts->curves) {
        const QString said = tr("%1 % of the region: standard error at most %2")
                                 .arg(std::lround(100.0 * fraction))
                                 .arg(seText(seAt(curve, fraction)));
        lines << (curve.name.isEmpty() ? said : curve.name + QStringLiteral(": ") + said);
    }
    const bool isInside = fraction >= 0.0 && fraction <= 1.0;
    QToolTip::showText(event->globalPosition().toPoint(),
                       isInside ? lines.join(QLatin1Char('\n')) : QString(), this);
}

} // namespace quadric::widgets
