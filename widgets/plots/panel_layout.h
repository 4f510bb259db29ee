// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel.h"
#include "widgets/plots/plot_style.h"

namespace quadric::widgets {

/// Where one panel is, and what its axes show there.
struct PanelFrame {
    QRectF inner;      ///< between the axes
    double left = 0.0; ///< room beside it for labels and title
    AxisScale xScale, yScale;
    std::vector<Tick> xTicks, yTicks;
    bool hasYLabels = true;

    QPointF at(double x, double y) const;
    double xOf(double x) const { return inner.left() + xScale.fractionOf(x) * inner.width(); }
    double yOf(double y) const { return inner.bottom() - yScale.fractionOf(y) * inner.height(); }
};

constexpr double kLegendSample = 20.0; ///< of a legend's entry, left of its words, in pixels
constexpr double kLegendGap = 12.0;    ///< between two entries

/// The entries of a legend in lines, each with as many as there is room for.
std::vector<std::vector<LegendEntry>> legendLines(const std::vector<LegendEntry>& entries, double width,
                                                  const PlotStyle& style);

/// Height of one of them, in pixels.
double legendLineHeight(const PlotStyle& style);

/// Geometry of a board: the legend on top, panels in rows below it.
class PanelLayout {
public:
    PanelLayout(const PanelBoard& board, const QRectF& area, const PlotStyle& style);

    const std::vector<PanelFrame>& frames() const { return m_frames; }
    QRectF legend() const { return m_legend; }

private:
    double leftRoom(const PanelBoard& board, double height) const;
    void chooseColumns(const PanelBoard& board, const QSizeF& size, double left, double around);
    PanelFrame frameOf(const PanelBoard& board, std::size_t index, const QRectF& inner) const;

    PlotStyle m_style;
    int m_columns = 1, m_rows = 1;
    QRectF m_legend;
    std::vector<PanelFrame> m_frames;
};

} // namespace quadric::widgets
