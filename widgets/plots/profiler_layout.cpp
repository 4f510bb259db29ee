// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler_layout.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kColumnGap = 10.0;
constexpr double kRowGap = 8.0;
constexpr double kMostRowText = 0.25; ///< of the width

/// The last row is the overall desirability: always the whole of 0 to 1.
AxisScale rowScaleOf(const std::vector<ProfilerCell>& row, bool isLast)
{
    std::vector<double> values;
    for (const ProfilerCell& cell : row)
        for (const auto* part : {&cell.curve.mean, &cell.curve.low, &cell.curve.high})
            values.insert(values.end(), part->begin(), part->end());
    const AxisScale scale = scaleOver(values, false);
    constexpr double kRounding = 1e-9;
    if (isLast && scale.low >= -kRounding && scale.high <= 1.0 + kRounding)
        return {-0.04, 1.04, false};
    return scaleOver(values, false, 0.06);
}

double widestTick(const std::vector<AxisScale>& scales, double height, const QFontMetricsF& metrics)
{
    double width = 0.0;
    for (const AxisScale& scale : scales)
        for (const Tick& tick : verticalTicks(scale, height, metrics))
            width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width;
}

/// In coarse steps, so that the columns stand still while readings change.
double widestRowText(const ProfilerData& data, const PlotStyle& style)
{
    constexpr double kStep = 12.0;
    double width = 0.0;
    for (const auto& row : data.cells) {
        const QString name = QString::fromStdString(row.front().curve.response);
        width = std::max({width, QFontMetricsF(style.font).horizontalAdvance(name),
                          QFontMetricsF(style.title).horizontalAdvance(readingText(row.front()))});
    }
    return std::ceil((width + 6.0) / kStep) * kStep;
}

std::optional<double> lerpAt(const std::vector<double>& values, std::size_t below, double t)
{
    if (below + 1 >= values.size())
        return below < values.size() ? std::optional(values[below]) : std::nullopt;
    return std::lerp(values[below], values[below + 1], t);
}

} // namespace

AxisScale profilerScale(const model::EffectCurve& curve)
{
    if (!curve.categories.empty())
        return {-0.5, static_cast<double>(curve.categories.size()) - 0.5, false};
    return scaleOver(curve.actual, curve.isLog2);
}

CurveReading readCurve(const model::EffectCurve& curve, double actual)
{
    const auto upper = std::ranges::upper_bound(curve.actual, actual);
    const auto above = static_cast<std::size_t>(upper - curve.actual.begin());
    const std::size_t below = std::min(above > 0 ? above - 1 : 0, curve.actual.size() - 1);
    double t = 0.0;
    if (below + 1 < curve.actual.size()) {
        const AxisScale step{curve.actual[below], curve.actual[below + 1], curve.isLog2};
        t = std::clamp(step.fractionOf(actual), 0.0, 1.0);
    }
    return {*lerpAt(curve.mean, below, t), lerpAt(curve.low, below, t), lerpAt(curve.high, below, t)};
}

QString readingText(const ProfilerCell& cell)
{
    const CurveReading reading = readCurve(cell.curve, cell.current);
    if (!reading.low || !reading.high || !(*reading.high > *reading.low))
        return formatNumber(reading.mean);
    return formatInterval(reading.mean, *reading.low, *reading.high);
}

ProfilerLayout::ProfilerLayout(const ProfilerData& data, const QRectF& area, const PlotStyle& style)
    : m_area(area)
{
    const QFontMetricsF small(style.small);
    for (std::size_t row = 0; row < data.cells.size(); ++row)
        m_rowScales.push_back(rowScaleOf(data.cells[row], row > 0 && row + 1 == data.cells.size()));
    for (const ProfilerCell& cell : data.cells.front())
        m_columnScales.push_back(profilerScale(cell.curve));
    const double rowCount = static_cast<double>(rows());
    const double columnCount = static_cast<double>(columns());
    m_bottom = small.height() + 2.0 * style.lineHeight() + 10.0;
    m_cell.setHeight(std::max(10.0, (area.height() - m_bottom - 4.0 + kRowGap) / rowCount - kRowGap));
    m_textWidth = std::min(widestRowText(data, style), kMostRowText * area.width());
    m_left = m_textWidth + widestTick(m_rowScales, m_cell.height(), small) + 14.0;
    m_cell.setWidth(std::max(10.0, (area.width() - m_left - 2.0 + kColumnGap) / columnCount - kColumnGap));
}

QRectF ProfilerLayout::cell(std::size_t row, std::size_t column) const
{
    const double x = m_area.left() + m_left + static_cast<double>(column) * (m_cell.width() + kColumnGap);
    const double y = m_area.top() + 4.0 + static_cast<double>(row) * (m_cell.height() + kRowGap);
    return {QPointF(x, y), m_cell};
}

QRectF ProfilerLayout::rowText(std::size_t row) const
{
    return {m_area.left(), cell(row, 0).top(), m_textWidth, m_cell.height()};
}

int ProfilerLayout::columnAt(QPointF position) const
{
    for (std::size_t column = 0; column < columns(); ++column) {
        QRectF strip = cell(0, column).adjusted(-kColumnGap / 2.0, 0.0, kColumnGap / 2.0, 0.0);
        strip.setBottom(m_area.bottom());
        if (strip.contains(position))
            return static_cast<int>(column);
    }
    return -1;
}

double ProfilerLayout::xOf(std::size_t column, double actual) const
{
    const QRectF area = cell(0, column);
    return area.left() + std::clamp(m_columnScales[column].fractionOf(actual), 0.0, 1.0) * area.width();
}

double ProfilerLayout::valueAt(const ProfilerData& data, std::size_t column, double x) const
{
    const QRectF area = cell(0, column);
    const double fraction = std::clamp((x - area.left()) / area.width(), 0.0, 1.0);
    const double actual = m_columnScales[column].actualAt(fraction);
    const auto& categories = data.cells.front()[column].curve.categories;
    if (categories.empty())
        return actual;
    return std::clamp(std::round(actual), 0.0, static_cast<double>(categories.size()) - 1.0);
}

} // namespace quadric::widgets
