// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/curve_reading.h"
#include "widgets/plots/base/plot_annotations.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/profiler/profiler.h"

#include <optional>

namespace quadric::widgets {

/// Actual value of a factor along a curve's axis: categorical ones have half a level of room at both ends.
AxisScale profilerScale(const model::EffectCurve& curve);

/// "27 300 ± 900": the curve at the current value, with half its interval where there is one.
QString readingText(const ProfilerCell& cell);

/// What stays as it is while a profiler moves: the axes of the rows and the room for their texts.
struct ProfilerFrame {
    std::vector<AxisScale> rowScales;
    double textWidth = 0.0;
};

/// A frame that holds the data; `previous` is kept as far as it does.
ProfilerFrame profilerFrame(const ProfilerData& data, const PlotStyle& style,
                            const ProfilerFrame& previous = {});

/// Where the cells of a profiler stand, and the scales of their axes.
class ProfilerLayout {
public:
    ProfilerLayout(const ProfilerData& data, const QRectF& area, const PlotStyle& style);
    ProfilerLayout(const ProfilerData& data, const ProfilerFrame& frame, const QRectF& area,
                   const PlotStyle& style);

    std::size_t rows() const { return m_rowScales.size(); }
    std::size_t columns() const { return m_columnScales.size(); }
    QRectF cell(std::size_t row, std::size_t column) const;
    /// Name and reading of a row, left of its axis.
    QRectF rowText(std::size_t row) const;
    /// Name and current value of a factor, under its column.
    QRectF nameLine(std::size_t column) const;
    QRectF valueLine(std::size_t column) const { return nameLine(column).translated(0.0, m_lineHeight); }
    QRectF padlock(std::size_t column) const;
    const AxisScale& rowScale(std::size_t row) const { return m_rowScales[row]; }
    const AxisScale& columnScale(std::size_t column) const { return m_columnScales[column]; }

    /// The column under a position, its texts included; −1: none.
    int columnAt(QPointF position) const;
    /// Between the axes, above ticks, names and values.
    bool isOnCurves(QPointF position) const { return position.y() <= cell(rows() - 1, 0).bottom(); }
    /// The actual value under a position in this column, taken to the ends of the range and to the nearest
    /// level.
    double valueAt(const ProfilerData& data, std::size_t column, double x) const;
    double xOf(std::size_t column, double actual) const;

private:
    std::vector<AxisScale> m_rowScales, m_columnScales;
    QRectF m_area;
    QSizeF m_cell;
    double m_left = 0.0, m_textWidth = 0.0, m_bottom = 0.0;
    double m_tickHeight = 0.0, m_lineHeight = 0.0;
};

/// What a profiler draws, in numbers: the predictions at the setting that is shown, and along each factor
/// with the others held there. Low and high are the ends of the 95 % confidence interval of the mean.
TextTable profilerTable(const ProfilerData& data);

/// "throughput 27 300 ± 900 img/s, Overall D 79 %": every row at the setting that is shown.
QString profilerReading(const ProfilerData& data);

/// The look of what a profiler shows, the same in a cell and in its legend.
QColor hillColor(const PlotStyle& style);  ///< desirability at the foot of a cell
QColor shadeColor(const PlotStyle& style); ///< settings that may be the best

/// What the encodings of a profiler mean: those that appear.
std::vector<LegendItem> profilerLegend(const ProfilerData& data);

} // namespace quadric::widgets
