// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/profiler/profiler_layout.h"

#include "core/text/numbers.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_marks.h"
#include "widgets/text/wording.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kColumnGap = 10.0;
constexpr double kRowGap = 8.0;
constexpr double kMostRowText = 0.25; ///< of the width

constexpr double kRowMargin = 0.06;
constexpr double kWidestBand = 1.0; ///< of a row's own range, shown of a band beyond it

/// The last row is the overall desirability: always the whole of 0 to 1.
bool isShare(const std::vector<double>& values)
{
    constexpr double kRounding = 1e-9;
    const AxisScale scale = scaleOver(values, false);
    return scale.low >= -kRounding && scale.high <= 1.0 + kRounding;
}

/// What the curves of a row need to be seen. A band that is much wider than the row's range leaves the cell,
/// so that the curves do not become flat lines.
std::vector<double> valuesToShow(const ProfilerData& data, std::size_t row)
{
    std::vector<double> values;
    const bool hasRange = row < data.rowRanges.size() && data.rowRanges[row].low < data.rowRanges[row].high;
    const ProfilerRange range = hasRange ? data.rowRanges[row] : ProfilerRange{};
    const double beyond = kWidestBand * (range.high - range.low);
    if (hasRange)
        values = {range.low, range.high};
    for (const ProfilerCell& cell : data.cells[row]) {
        values.insert(values.end(), cell.curve.mean.begin(), cell.curve.mean.end());
        for (const auto* edge : {&cell.curve.low, &cell.curve.high})
            for (const double value : *edge)
                values.push_back(hasRange ? std::clamp(value, range.low - beyond, range.high + beyond)
                                          : value);
    }
    return values;
}

AxisScale rowScaleOf(const ProfilerData& data, std::size_t row, const AxisScale* previous)
{
    std::vector<double> values = valuesToShow(data, row);
    if (row > 0 && row + 1 == data.cells.size() && isShare(values))
        return {-0.04, 1.04, false};
    const AxisScale needed = scaleOver(values, false);
    if (previous == nullptr)
        return scaleOver(values, false, kRowMargin);
    if (previous->low <= needed.low && needed.high <= previous->high)
        return *previous;
    values.push_back(previous->low);
    values.push_back(previous->high);
    return scaleOver(values, false, kRowMargin);
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
        const model::EffectCurve& curve = row.front().curve;
        const QString name = withUnit(curve.response, curve.responseUnit);
        width = std::max({width, QFontMetricsF(style.font).horizontalAdvance(name),
                          QFontMetricsF(style.title).horizontalAdvance(readingText(row.front()))});
    }
    return std::ceil((width + 6.0) / kStep) * kStep;
}

bool hasInterval(const ProfilerCell& cell)
{
    return !cell.curve.low.empty() && cell.curve.low.size() == cell.curve.mean.size() &&
           cell.curve.high.size() == cell.curve.mean.size();
}

QString numberText(const ProfilerCell& cell, const CurveReading& reading, double value)
{
    if (cell.isDesirability)
        return QString::fromStdString(text::formatShare(value, 2, text::Typography::Typeset));
    const bool hasEnds = reading.low && reading.high && *reading.high > *reading.low;
    return formatNumber(value, hasEnds ? std::optional((*reading.high - *reading.low) / 2.0) : std::nullopt);
}

QStringList texts(const ProfilerCell& cell, const CurveReading& reading)
{
    QStringList texts{numberText(cell, reading, reading.mean)};
    if (hasInterval(cell))
        texts << (reading.low ? numberText(cell, reading, *reading.low) : QString())
              << (reading.high ? numberText(cell, reading, *reading.high) : QString());
    return texts;
}

CurveReading readCurvePoint(const model::EffectCurve& curve, std::size_t point)
{
    CurveReading reading{curve.mean[point], {}, {}};
    if (point < curve.low.size() && point < curve.high.size()) {
        reading.low = curve.low[point];
        reading.high = curve.high[point];
    }
    return reading;
}

QString placeText(const model::EffectCurve& curve, std::size_t point)
{
    return curve.categories.empty() ? formatNumber(curve.actual[point])
                                    : QString::fromStdString(curve.categories[point]);
}

std::vector<TextColumn> makeProfilerColumns(const ProfilerData& data)
{
    std::vector<TextColumn> columns{{Profiler::tr("Factor"), {}}, {Profiler::tr("Value"), {}, true}};
    for (const auto& row : data.cells) {
        const ProfilerCell& cell = row.front();
        columns.push_back({withUnit(cell.curve.response, cell.curve.responseUnit), {}, true});
        if (!hasInterval(cell))
            continue;
        columns.push_back({Profiler::tr("Low"), Profiler::tr("Lower end of the 95 % interval."), true});
        columns.push_back({Profiler::tr("High"), Profiler::tr("Upper end of the 95 % interval."), true});
    }
    columns.push_back({Profiler::tr("Support"), Profiler::tr("Whether runs lie near.")});
    return columns;
}

QStringList rowAt(const ProfilerData& data, std::size_t column, std::size_t point)
{
    const model::EffectCurve& first = data.cells.front()[column].curve;
    QStringList row{withUnit(first.factor, first.unit), placeText(first, point)};
    for (const auto& cells : data.cells)
        row << texts(cells[column], readCurvePoint(cells[column].curve, point));
    const bool isGuess = point < first.isExtrapolation.size() && first.isExtrapolation[point];
    return row << (isGuess ? Profiler::tr("extrapolation") : QString());
}

QString settingText(const ProfilerData& data, std::size_t column)
{
    const QString value = QString::fromStdString(data.currentTexts[column]);
    return QStringLiteral("%1 %2").arg(QString::fromStdString(data.cells.front()[column].curve.factor),
                                       value);
}

bool hasCell(const ProfilerData& data, auto isMeant)
{
    return std::ranges::any_of(
        data.cells, [&](const std::vector<ProfilerCell>& row) { return std::ranges::any_of(row, isMeant); });
}

void paintGuess(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    painter.setPen(QPen(style.colors.mutedText, 1.2, Qt::DashLine));
    painter.drawLine(QPointF(sample.left(), sample.center().y()),
                     QPointF(sample.right(), sample.center().y()));
}

void paintShade(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    painter.fillRect(sample, shadeColor(style));
}

void paintHill(QPainter& painter, const QRectF& sample, const PlotStyle& style)
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(hillColor(style));
    painter.drawPolygon(
        QPolygonF({sample.bottomLeft(), QPointF(sample.center().x(), sample.top()), sample.bottomRight()}));
}

} // namespace

AxisScale profilerScale(const model::EffectCurve& curve)
{
    if (!curve.categories.empty())
        return {-0.5, static_cast<double>(curve.categories.size()) - 0.5, false};
    return scaleOver(curve.actual, curve.isLog2);
}

QString readingText(const ProfilerCell& cell)
{
    const CurveReading reading = readCurve(cell.curve, cell.current);
    if (cell.isDesirability)
        return QString::fromStdString(text::formatShare(reading.mean, 2, text::Typography::Typeset));
    if (!reading.low || !reading.high || !(*reading.high > *reading.low))
        return formatNumber(reading.mean);
    return formatInterval(reading.mean, *reading.low, *reading.high);
}

ProfilerFrame profilerFrame(const ProfilerData& data, const PlotStyle& style, const ProfilerFrame& previous)
{
    ProfilerFrame frame;
    const bool isSame = previous.rowScales.size() == data.cells.size();
    for (std::size_t row = 0; row < data.cells.size(); ++row)
        frame.rowScales.push_back(rowScaleOf(data, row, isSame ? &previous.rowScales[row] : nullptr));
    frame.textWidth = std::max(widestRowText(data, style), isSame ? previous.textWidth : 0.0);
    return frame;
}

ProfilerLayout::ProfilerLayout(const ProfilerData& data, const QRectF& area, const PlotStyle& style)
    : ProfilerLayout(data, profilerFrame(data, style), area, style)
{
}

ProfilerLayout::ProfilerLayout(const ProfilerData& data, const ProfilerFrame& frame, const QRectF& area,
                               const PlotStyle& style)
    : m_rowScales(frame.rowScales)
    , m_area(area)
    , m_tickHeight(style.smallHeight())
    , m_lineHeight(style.lineHeight())
{
    const QFontMetricsF small(style.small);
    for (const ProfilerCell& cell : data.cells.front())
        m_columnScales.push_back(profilerScale(cell.curve));
    const double rowCount = static_cast<double>(rows());
    const double columnCount = static_cast<double>(columns());
    m_bottom = small.height() + 2.0 * m_lineHeight + 10.0;
    m_cell.setHeight(std::max(10.0, (area.height() - m_bottom - 4.0 + kRowGap) / rowCount - kRowGap));
    m_textWidth = std::min(frame.textWidth, kMostRowText * area.width());
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

QRectF ProfilerLayout::nameLine(std::size_t column) const
{
    const QRectF last = cell(rows() - 1, column);
    return {last.left() - 3.0, last.bottom() + m_tickHeight + 5.0, last.width() + 6.0, m_lineHeight};
}

QRectF ProfilerLayout::padlock(std::size_t column) const
{
    const QRectF line = valueLine(column);
    return {line.left() + 3.0, line.top(), m_lineHeight, m_lineHeight};
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

TextTable profilerTable(const ProfilerData& data)
{
    TextTable table{Profiler::tr("Prediction profiler"), {}, {}, {}};
    if (data.cells.empty())
        return table;
    table.columns = makeProfilerColumns(data);
    QStringList now{Profiler::tr("shown setting"), {}};
    for (const auto& cells : data.cells)
        now << texts(cells.front(), readCurve(cells.front().curve, cells.front().current));
    table.rows.push_back(now << QString());
    QStringList setting;
    for (std::size_t column = 0; column < data.cells.front().size(); ++column) {
        if (column < data.currentTexts.size())
            setting << settingText(data, column);
        for (std::size_t i = 0; i < data.cells.front()[column].curve.actual.size(); ++i)
            table.rows.push_back(rowAt(data, column, i));
    }
    table.note = Profiler::tr("Shown setting: %1. Along each factor the others are held there.")
                     .arg(setting.join(QStringLiteral(", ")));
    return table;
}

QString profilerReading(const ProfilerData& data)
{
    QStringList words;
    for (const auto& row : data.cells) {
        const ProfilerCell& cell = row.front();
        const QString unit = cell.curve.responseUnit.empty()
                                 ? QString()
                                 : QLatin1Char(' ') + QString::fromStdString(cell.curve.responseUnit);
        words << QString::fromStdString(cell.curve.response) + QLatin1Char(' ') + readingText(cell) + unit;
    }
    return words.join(QStringLiteral(", "));
}

QColor hillColor(const PlotStyle& style)
{
    return blend(style.colors.good, style.colors.background, 0.45);
}

QColor shadeColor(const PlotStyle& style)
{
    constexpr double kShade = 0.16; // of the axes' color, behind everything
    return blend(style.colors.axis, style.colors.background, kShade);
}

std::vector<LegendItem> profilerLegend(const ProfilerData& data)
{
    std::vector<LegendItem> legend;
    if (hasCell(data, [](const ProfilerCell& cell) {
            return std::ranges::find(cell.curve.isExtrapolation, true) != cell.curve.isExtrapolation.end();
        }))
        legend.push_back({tr("extrapolated"), &paintGuess});
    const auto isFilled = [](const std::vector<ProfilerRange>& ranges) { return !ranges.empty(); };
    if (std::ranges::any_of(data.infeasible, isFilled))
        legend.push_back(legendItem(infeasibleEntry()));
    if (std::ranges::any_of(data.failing, isFilled))
        legend.push_back(legendItem(failingEntry()));
    if (std::ranges::any_of(data.shaded, isFilled))
        legend.push_back({tr("may be the best (95 %)"), &paintShade});
    if (hasCell(data, [](const ProfilerCell& cell) {
            return std::ranges::any_of(cell.desirability, [](double d) { return d > 0.0; });
        }))
        legend.push_back({tr("desirability"), &paintHill});
    return legend;
}

} // namespace quadric::widgets
