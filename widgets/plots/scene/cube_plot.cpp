// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/cube_plot.h"

#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_look.h"
#include "widgets/plots/panel/panel_marks.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr Orbit kCubeHome{28.0, 22.0, 1.0};
constexpr double kHeight = 0.85;
constexpr double kCornerReach = 40.0; ///< pixels around a corner that belong to its label

QString intervalText(const model::Prediction& prediction)
{
    return prediction.confidence
               ? formatInterval(prediction.mean, prediction.confidence->low, prediction.confidence->high)
               : formatNumber(prediction.mean);
}

double half(const model::Prediction& prediction)
{
    return prediction.confidence ? (prediction.confidence->high - prediction.confidence->low) / 2.0 : 0.0;
}

/// Text that stands out from the ground.
QColor readableTextColor(const QColor& ground)
{
    return qGray(ground.rgb()) < 140 ? QColor(Qt::white) : QColor(0x1d2125);
}

} // namespace

CubePlot::CubePlot(QWidget* parent)
    : Plot(parent)
    , m_reason(tr("No cube yet."))
    , m_orbit(kCubeHome)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAccessibleName(tr("Cube of predictions"));
}

void CubePlot::setCube(const model::CubePlot& cube, const std::vector<study::Factor>& factors)
{
    for (std::size_t axis = 0; axis < m_factors.size(); ++axis) {
        const auto found = std::ranges::find(factors, cube.factors[axis], &study::Factor::name);
        m_factors[axis] = found == factors.end() ? study::Factor{.name = cube.factors[axis]} : *found;
    }
    std::vector<double> means;
    for (const model::CubeCorner& corner : cube.corners)
        means.push_back(corner.prediction.mean);
    const AxisScale scale = scaleOver(means, false);
    m_corners.clear();
    for (std::size_t i = 0; i < cube.corners.size(); ++i) {
        const model::CubeCorner& corner = cube.corners[i];
        QStringList tip;
        for (std::size_t axis = 0; axis < m_factors.size(); ++axis)
            tip << nameText(m_factors[axis].name) + QLatin1Char(' ') + settingText(axis, corner.actual[axis]);
        tip << nameText(cube.response) + QLatin1Char(' ') + intervalText(corner.prediction);
        if (corner.adjusted)
            tip << namedValue(tr("runs here, adjusted:"), *corner.adjusted, cube.responseUnit);
        if (corner.prediction.isExtrapolation)
            tip << tr("extrapolated: outside the region covered by runs");
        if (!corner.violation.empty())
            tip << infeasibleText(corner.violation);
        const QString mark = corner.prediction.isExtrapolation ? QStringLiteral(" ?") : QString();
        const auto side = [i](std::size_t bit) { return i & bit ? 1.0 : -1.0; };
        m_corners.push_back({{side(1), side(2), kHeight * side(4)},
                             formatNumber(corner.prediction.mean, half(corner.prediction)) + mark,
                             tip.join(QLatin1Char('\n')),
                             viridis(scale.fractionOf(corner.prediction.mean)),
                             corner.prediction.isExtrapolation,
                             !corner.violation.empty()});
    }
    m_title = nameWithUnit(cube.response, cube.responseUnit);
    m_table = makeCornerTable(cube);
    update();
}

void CubePlot::clear(const QString& reason)
{
    m_corners.clear();
    m_table = {};
    m_title.clear();
    m_reason = reason;
    update();
}

QString CubePlot::settingText(std::size_t axis, double actual) const
{
    const study::Factor& factor = m_factors[axis];
    if (factor.isNumeric())
        return valueText(factor, actual);
    const auto level = static_cast<std::size_t>(std::max(0.0, actual + 0.5));
    return level < factor.categories.size() ? nameText(factor.categories[level]) : QString();
}

TextTable CubePlot::makeCornerTable(const model::CubePlot& cube) const
{
    TextTable table;
    table.caption = tr("Predictions at the corners");
    for (const study::Factor& factor : m_factors)
        table.columns.push_back({nameWithUnit(factor.name, factor.unit), {}, factor.isNumeric()});
    table.columns.push_back({tr("Predicted"), {}, true});
    table.columns.push_back({tr("95 % low"), tr("Lower end of the 95 % interval of the mean."), true});
    table.columns.push_back({tr("95 % high"), tr("Upper end of the 95 % interval of the mean."), true});
    table.columns.push_back(
        {tr("Adjusted"), tr("Mean of the runs at this corner, adjusted to the other settings of the cube."),
         true});
    for (const model::CubeCorner& corner : cube.corners) {
        QStringList row;
        for (std::size_t axis = 0; axis < m_factors.size(); ++axis)
            row << (m_factors[axis].isNumeric() ? formatNumber(corner.actual[axis])
                                                : settingText(axis, corner.actual[axis]));
        const auto& confidence = corner.prediction.confidence;
        row << formatNumber(corner.prediction.mean)
            << (confidence ? formatNumber(confidence->low) : QString())
            << (confidence ? formatNumber(confidence->high) : QString())
            << (corner.adjusted ? formatNumber(*corner.adjusted) : QString());
        table.rows.push_back(row);
    }
    return table;
}

std::vector<LegendItem> CubePlot::legend() const
{
    std::vector<LegendItem> legend;
    if (std::ranges::any_of(m_corners, &Corner::isGuess))
        legend.push_back(
            {tr("extrapolated"), [](QPainter& painter, const QRectF& sample, const PlotStyle& style) {
                 drawLine(painter, sample.adjusted(0.0, -4.0, 0.0, 4.0), Qt::AlignRight | Qt::AlignVCenter,
                          style.font, style.colors.text, QStringLiteral("?"));
             }});
    if (std::ranges::any_of(m_corners, &Corner::isInfeasible))
        legend.push_back(legendItem(infeasibleEntry()));
    return legend;
}

QRectF CubePlot::legendIn(const QRectF& area, const PlotStyle& style) const
{
    return {area.topLeft(),
            QSizeF(area.width(), legendHeight(listLegendTexts(legend()), area.size(), style))};
}

Projection CubePlot::projectionIn(const QRectF& area, const PlotStyle& style) const
{
    const QFontMetricsF metrics(style.font);
    const double name = metrics.horizontalAdvance(nameText(m_factors[2].name));
    const double left = std::clamp(name + 40.0, 64.0, 0.36 * area.width());
    return Projection(m_orbit, kHeight,
                      area.adjusted(left, 24.0 + legendIn(area, style).height(), -52.0, -56.0));
}

void CubePlot::paintEdges(QPainter& painter, const Projection& projection, const PlotStyle& style) const
{
    painter.setPen(QPen(style.colors.axis, 1.4));
    for (std::size_t i = 0; i < m_corners.size(); ++i)
        for (const std::size_t bit : {1U, 2U, 4U})
            if ((i & bit) == 0)
                painter.drawLine(projection.toScreen(m_corners[i].at),
                                 projection.toScreen(m_corners[i | bit].at));
}

void CubePlot::paintCorner(QPainter& painter, const QPointF& at, const Corner& corner,
                           const PlotStyle& style) const
{
    const double width = QFontMetricsF(style.font).horizontalAdvance(corner.text) + 12.0;
    QRectF box(0.0, 0.0, width, style.lineHeight() + 4.0);
    box.moveCenter(at);
    painter.setPen(QPen(style.colors.background, 1.5));
    painter.setBrush(corner.color);
    QPainterPath plate;
    plate.addRoundedRect(corner.isInfeasible ? box.adjusted(-6.0, -4.0, 6.0, 4.0) : box, 4.0, 4.0);
    if (corner.isInfeasible) { // the prediction in the hatch of what cannot be run
        paintRegion(painter, plate, {.role = RegionRole::Barred}, style);
        painter.fillRect(box, style.colors.background);
        return drawLine(painter, box, Qt::AlignCenter, style.font, style.colors.mutedText, corner.text);
    }
    painter.drawPath(plate);
    drawLine(painter, box, Qt::AlignCenter, style.font, readableTextColor(corner.color), corner.text);
}

/// Each factor along the lower edge that lies nearest to the eye; the third beside the left upright.
void CubePlot::paintAxisNames(QPainter& painter, const Projection& projection, const QRectF& area,
                              const PlotStyle& style) const
{
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t bit = std::size_t{1} << axis;
        double best = -1e9;
        QPointF from, to;
        for (std::size_t i = 0; i < m_corners.size(); ++i) {
            if (i & bit)
                continue;
            const QPointF a = projection.toScreen(m_corners[i].at);
            const QPointF b = projection.toScreen(m_corners[i | bit].at);
            const double outside = axis == 2 ? -(a.x() + b.x()) : a.y() + b.y();
            if (outside <= best)
                continue;
            best = outside;
            from = a;
            to = b;
        }
        const QPointF middle = (from + to) / 2.0;
        const QString low = settingText(axis, m_factors[axis].isNumeric() ? m_factors[axis].low : 0.0);
        const double last = static_cast<double>(m_factors[axis].categories.size()) - 1.0;
        const QString high = settingText(axis, m_factors[axis].isNumeric() ? m_factors[axis].high : last);
        const QString text = nameText(m_factors[axis].name);
        const QString range = low + QStringLiteral(" → ") + high;
        const double width = std::max(QFontMetricsF(style.font).horizontalAdvance(text),
                                      QFontMetricsF(style.small).horizontalAdvance(range)) +
                             4.0;
        // Beside the edge on its outer side, so that the labels of the corners keep free of it.
        const double side = middle.x() < projection.toScreen({}).x() ? -1.0 : 1.0;
        const double shift = std::abs(from.x() - to.x()) > std::abs(from.y() - to.y()) * 4.0
                                 ? 0.0
                                 : side * (width / 2.0 + 12.0);
        QPointF corner = axis == 2 ? middle - QPointF(width + 22.0, style.lineHeight())
                                   : middle + QPointF(shift - width / 2.0, 14.0);
        if (corner.x() + width > area.right()) // no room beside the edge: below the label of its lower corner
            corner = {area.right() - width, std::max(from.y(), to.y()) + style.lineHeight() / 2.0 + 4.0};
        corner.setX(std::max(area.left(), corner.x()));
        drawLine(painter, {corner, QSizeF(width, style.lineHeight())}, Qt::AlignCenter, style.font,
                 style.colors.text, text);
        drawLine(painter, {corner + QPointF(0.0, style.lineHeight()), QSizeF(width, style.smallHeight())},
                 Qt::AlignCenter, style.small, style.colors.mutedText, range);
    }
}

void CubePlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = paintHeader(painter, target, style, m_title);
    if (m_corners.empty()) {
        drawReason(painter, area, style, m_reason);
    } else {
        painter.setRenderHint(QPainter::Antialiasing);
        const Projection projection = projectionIn(area, style);
        paintLegend(painter, legendIn(area, style), legend(), style);
        paintEdges(painter, projection, style);
        paintAxisNames(painter, projection, area, style);
        std::vector<const Corner*> farFirst;
        for (const Corner& corner : m_corners)
            farFirst.push_back(&corner);
        std::ranges::sort(farFirst, std::ranges::greater{},
                          [&projection](const Corner* corner) { return projection.depthOf(corner->at); });
        for (const Corner* corner : farFirst)
            paintCorner(painter, projection.toScreen(corner->at), *corner, style);
    }
    painter.restore();
}

void CubePlot::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return Plot::mousePressEvent(event);
    m_lastAt = event->position();
}

void CubePlot::mouseMoveEvent(QMouseEvent* event)
{
    if (m_lastAt) {
        m_orbit.drag(event->position() - *m_lastAt);
        m_lastAt = event->position();
        return update();
    }
    if (m_corners.empty())
        return;
    const PlotStyle style = plotStyle(*this, false);
    const Projection projection = projectionIn(areaBelowHeader(rect(), style, true), style);
    QString tip;
    double nearest = kCornerReach;
    for (const Corner& corner : m_corners) {
        const QPointF offset = projection.toScreen(corner.at) - event->position();
        if (std::hypot(offset.x(), 2.0 * offset.y()) >= nearest)
            continue;
        nearest = std::hypot(offset.x(), 2.0 * offset.y());
        tip = corner.tip;
    }
    QToolTip::showText(event->globalPosition().toPoint(), tip, this);
}

void CubePlot::mouseReleaseEvent(QMouseEvent*)
{
    m_lastAt.reset();
}

void CubePlot::keyPressEvent(QKeyEvent* event)
{
    if (!m_orbit.handleKey(*event, kCubeHome))
        return Plot::keyPressEvent(event);
    update();
}

} // namespace quadric::widgets
