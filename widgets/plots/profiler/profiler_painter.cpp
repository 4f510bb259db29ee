// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler/profiler_painter.h"

#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/panel/panel_look.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kDesirabilityHeight = 0.24; ///< of a cell, for d = 1
constexpr double kHalfCell = 0.3;            ///< of the room of a level
constexpr double kLegalRadius = 2.4;         ///< of the dot of a value that can be run
constexpr double kLegalApart = 8.0;          ///< dots that would stand closer are left out

void drawPadlock(QPainter& painter, const QRectF& area, const QColor& color, bool isClosed)
{
    const double unit = std::min(area.width(), area.height()) / 16.0;
    const QPointF middle = area.center();
    const QRectF body(middle.x() - 4.5 * unit, middle.y() - 0.5 * unit, 9.0 * unit, 6.5 * unit);
    const QRectF shackle(middle.x() - 2.8 * unit, middle.y() - 5.5 * unit, 5.6 * unit, 8.0 * unit);
    painter.setPen(QPen(color, 1.5 * unit));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(isClosed ? shackle : shackle.translated(4.6 * unit, 0.0), 0, 180 * 16);
    painter.drawLine(QPointF(shackle.left(), shackle.center().y()) +
                         QPointF(isClosed ? 0.0 : 4.6 * unit, 0.0),
                     QPointF(shackle.left(), body.top()) + QPointF(isClosed ? 0.0 : 4.6 * unit, 0.0));
    if (isClosed)
        painter.drawLine(QPointF(shackle.right(), shackle.center().y()),
                         QPointF(shackle.right(), body.top()));
    painter.setPen(QPen(color, 1.2 * unit));
    painter.setBrush(isClosed ? QBrush(color) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(body, unit, unit);
}

} // namespace

std::size_t ProfilerPainter::columnsOf(std::size_t row) const
{
    return std::min(m_layout.columns(), m_data.cells[row].size());
}

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

/// Where the unit does not fit behind the name.
bool ProfilerPainter::hasUnitLine(std::size_t row) const
{
    const model::EffectCurve& curve = m_data.cells[row].front().curve;
    const double width =
        QFontMetricsF(m_style.font).horizontalAdvance(withUnit(curve.response, curve.responseUnit));
    return !curve.responseUnit.empty() && width > m_layout.rowText(row).width() &&
           m_layout.rowText(row).height() >= 3.0 * m_style.lineHeight();
}

double ProfilerPainter::rowTextTop(std::size_t row) const
{
    return m_layout.rowText(row).center().y() - (hasUnitLine(row) ? 1.5 : 1.0) * m_style.lineHeight();
}

void ProfilerPainter::paintRowName(std::size_t row)
{
    const ProfilerCell& cell = m_data.cells[row].front();
    const QRectF area = m_layout.rowText(row);
    const double height = m_style.lineHeight();
    drawLine(m_painter, {area.left(), rowTextTop(row), area.width(), height},
             Qt::AlignLeft | Qt::AlignVCenter, m_style.font, m_style.colors.text,
             withUnit(cell.curve.response, hasUnitLine(row) ? std::string() : cell.curve.responseUnit));
    if (hasUnitLine(row))
        drawLine(m_painter, {area.left(), rowTextTop(row) + 2.0 * height, area.width(), height},
                 Qt::AlignLeft | Qt::AlignVCenter, m_style.small, m_style.colors.mutedText,
                 QString::fromStdString(cell.curve.responseUnit));
}

void ProfilerPainter::paintReading(std::size_t row)
{
    const QRectF area = m_layout.rowText(row);
    const double height = m_style.lineHeight();
    drawLine(m_painter, {area.left(), rowTextTop(row) + height, area.width(), height},
             Qt::AlignLeft | Qt::AlignVCenter, m_style.title, m_style.colors.error,
             readingText(m_data.cells[row].front()));
}

void ProfilerPainter::paintColumnTicks(std::size_t column)
{
    const QRectF cell = m_layout.cell(m_layout.rows() - 1, column);
    const QFontMetricsF metrics(m_style.small);
    const model::EffectCurve& curve = m_data.cells.front()[column].curve;
    const AxisScale& scale = m_layout.columnScale(column);
    std::vector<Tick> ticks;
    if (column < m_data.factors.size() && m_data.factors[column].type == study::FactorType::Integer)
        ticks = wholeTicks(scale);
    if (curve.categories.empty() && ticks.empty())
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

void ProfilerPainter::paintColumnName(std::size_t column)
{
    const model::EffectCurve& curve = m_data.cells.front()[column].curve;
    const bool isFocused = m_focused == static_cast<int>(column);
    drawLine(m_painter, m_layout.nameLine(column), Qt::AlignCenter, isFocused ? m_style.title : m_style.font,
             isFocused ? m_style.colors.accent : m_style.colors.text, withUnit(curve.factor, curve.unit));
}

/// The value stands under the middle of its column, or beside the padlock where there is no room for that;
/// its unit, which the column's name has too, gives way first.
void ProfilerPainter::paintValue(std::size_t column)
{
    QString text =
        column < m_data.currentTexts.size() ? QString::fromStdString(m_data.currentTexts[column]) : QString();
    QRectF line = m_layout.valueLine(column);
    const QFontMetricsF metrics(m_style.title);
    if (column < m_data.isLocked.size()) {
        const bool isLocked = m_data.isLocked[column];
        const QRectF padlock = m_layout.padlock(column);
        drawPadlock(m_painter, padlock, isLocked ? m_style.colors.accent : m_style.colors.axis, isLocked);
        const double beside = padlock.width() + 4.0;
        const bool hasRoom = metrics.horizontalAdvance(text) <= line.width() - 2.0 * beside;
        line.adjust(beside, 0.0, hasRoom ? -beside : 0.0, 0.0);
    }
    if (metrics.horizontalAdvance(text) > line.width())
        text = text.section(QChar::Nbsp, 0, 0);
    drawLine(m_painter, line, Qt::AlignCenter, m_style.title, m_style.colors.error, text);
}

void ProfilerPainter::paintShades(std::size_t row, std::size_t column)
{
    if (column >= m_data.shaded.size())
        return;
    const QRectF area = m_layout.cell(row, column);
    const AxisScale& scale = m_layout.columnScale(column);
    for (const ProfilerRange& range : m_data.shaded[column]) {
        const double left = area.left() + scale.fractionOf(range.low) * area.width();
        const double right = area.left() + scale.fractionOf(range.high) * area.width();
        m_painter.fillRect(QRectF(left - 1.0, area.top(), right - left + 2.0, area.height()),
                           shadeColor(m_style));
    }
}

void ProfilerPainter::paintBand(std::size_t row, std::size_t column, const std::vector<double>& x)
{
    const model::EffectCurve& curve = m_data.cells[row][column].curve;
    if (curve.low.size() != curve.mean.size() || curve.high.size() != curve.mean.size())
        return;
    const QRectF cell = m_layout.cell(row, column);
    const AxisScale& scale = m_layout.rowScale(row);
    const auto heightOf = [&](double value) {
        return std::clamp(cell.bottom() - scale.fractionOf(value) * cell.height(), cell.top(), cell.bottom());
    };
    QPolygonF band;
    band.reserve(2 * static_cast<qsizetype>(x.size()));
    for (std::size_t i = 0; i < x.size(); ++i)
        band << QPointF(x[i], heightOf(curve.high[i]));
    for (std::size_t i = x.size(); i-- > 0;)
        band << QPointF(x[i], heightOf(curve.low[i]));
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_style.colors.band);
    m_painter.drawPolygon(band);
}

/// A small hill at the foot of the cell: as high as the response is desirable there.
void ProfilerPainter::paintDesirability(std::size_t row, std::size_t column, const std::vector<double>& x)
{
    const std::vector<double>& desirability = m_data.cells[row][column].desirability;
    if (desirability.size() != x.size() || std::ranges::all_of(desirability, [](double d) { return d <= 0; }))
        return;
    const QRectF cell = m_layout.cell(row, column);
    QPolygonF hill;
    hill.reserve(static_cast<qsizetype>(x.size()) + 2);
    hill << QPointF(x.front(), cell.bottom());
    for (std::size_t i = 0; i < x.size(); ++i)
        hill << QPointF(x[i], cell.bottom() - desirability[i] * kDesirabilityHeight * cell.height());
    hill << QPointF(x.back(), cell.bottom());
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(hillColor(m_style));
    m_painter.drawPolygon(hill);
}

/// Solid where runs support the model, broken and gray where it is extrapolated.
void ProfilerPainter::paintCurve(std::size_t row, std::size_t column, const std::vector<double>& x)
{
    const model::EffectCurve& curve = m_data.cells[row][column].curve;
    QPolygonF solid;
    QList<QLineF> broken;
    const QPen pen(m_style.colors.accent, 1.8);
    const auto drawSolid = [&] {
        m_painter.setPen(pen);
        if (solid.size() > 1)
            m_painter.drawPolyline(solid);
        solid.clear();
    };
    const QRectF cell = m_layout.cell(row, column);
    const AxisScale& scale = m_layout.rowScale(row);
    QPointF last;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double y = cell.bottom() - scale.fractionOf(curve.mean[i]) * cell.height();
        const QPointF point(x[i], std::clamp(y, cell.top() - 1e4, cell.bottom() + 1e4));
        const bool isGuess = i > 0 && i < curve.isExtrapolation.size() &&
                             (curve.isExtrapolation[i] || curve.isExtrapolation[i - 1]);
        if (isGuess) {
            drawSolid();
            if (i % 2 == 1)
                broken << QLineF(last, point);
        }
        solid << point;
        last = point;
    }
    drawSolid();
    if (!broken.isEmpty()) {
        m_painter.setPen(QPen(m_style.colors.mutedText, 1.2));
        m_painter.drawLines(broken);
    }
}

/// A dot on the curve where the factor can be set to, if such values can be told apart: a peak between them
/// cannot be run.
void ProfilerPainter::paintLegalValues(std::size_t row, std::size_t column)
{
    const std::vector<double>& legal = m_data.cells.front()[column].legal;
    for (std::size_t i = 1; i < legal.size(); ++i) {
        if (m_layout.xOf(column, legal[i]) - m_layout.xOf(column, legal[i - 1]) < kLegalApart)
            return;
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(m_style.colors.accent);
    for (const double value : legal) {
        const double mean = readCurve(m_data.cells[row][column].curve, value).mean;
        m_painter.drawEllipse(at(row, column, value, mean), kLegalRadius, kLegalRadius);
    }
}

void ProfilerPainter::paintLevels(std::size_t row, std::size_t column)
{
    const ProfilerCell& cell = m_data.cells[row][column];
    const model::EffectCurve& curve = cell.curve;
    const QRectF area = m_layout.cell(row, column);
    for (std::size_t i = 0; i < curve.mean.size(); ++i) {
        const double level = curve.actual[i];
        if (i < curve.low.size() && i < curve.high.size())
            m_painter.fillRect(QRectF(at(row, column, level - kHalfCell, curve.high[i]),
                                      at(row, column, level + kHalfCell, curve.low[i])),
                               m_style.colors.band);
        if (i < cell.desirability.size()) {
            const double height = cell.desirability[i] * kDesirabilityHeight * area.height();
            const double left = at(row, column, level - kHalfCell, curve.mean[i]).x();
            const double right = at(row, column, level + kHalfCell, curve.mean[i]).x();
            m_painter.fillRect(QRectF(left, area.bottom() - height, right - left, height),
                               hillColor(m_style));
        }
        m_painter.setPen(QPen(m_style.colors.accent, 1.8, Qt::SolidLine, Qt::FlatCap));
        m_painter.drawLine(at(row, column, level - kHalfCell, curve.mean[i]),
                           at(row, column, level + kHalfCell, curve.mean[i]));
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
    const QRectF area = m_layout.cell(row, column);
    m_painter.save();
    m_painter.setClipRect(area, Qt::IntersectClip);
    paintShades(row, column);
    if (cell.curve.categories.empty()) {
        std::vector<double> x;
        x.reserve(cell.curve.actual.size());
        for (const double actual : cell.curve.actual)
            x.push_back(area.left() + m_layout.columnScale(column).fractionOf(actual) * area.width());
        paintBand(row, column, x);
        paintDesirability(row, column, x);
        paintFailing(row, column);
        paintCurve(row, column, x);
        paintLegalValues(row, column);
    } else {
        paintFailing(row, column);
        paintLevels(row, column);
    }
    paintInfeasible(row, column);
    m_painter.restore();
    paintCurrent(row, column);
}

void ProfilerPainter::paintStanding()
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t row = 0; row < m_layout.rows(); ++row) {
        for (std::size_t column = 0; column < columnsOf(row); ++column)
            paintGrid(row, column);
        paintRowAxis(row);
        paintRowName(row);
    }
    for (std::size_t column = 0; column < m_layout.columns(); ++column) {
        paintColumnTicks(column);
        paintColumnName(column);
    }
}

void ProfilerPainter::paintMoving()
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t row = 0; row < m_layout.rows(); ++row) {
        for (std::size_t column = 0; column < columnsOf(row); ++column)
            paintCell(row, column);
        paintReading(row);
    }
    for (std::size_t column = 0; column < m_layout.columns(); ++column)
        paintValue(column);
}

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
