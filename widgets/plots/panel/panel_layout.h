// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/plot_style.h"
#include "widgets/plots/panel/panel.h"

#include <QPointF>
#include <QRectF>

#include <optional>

namespace quadric::widgets {

/// The part of a panel that is looked at, in shares of its axes: 0…1 on both is all of it.
struct PanelView {
    double left = 0.0, right = 1.0, low = 0.0, high = 1.0;
    bool operator==(const PanelView&) const = default;
};

/// The part of a scale between two shares of it.
AxisScale visiblePart(const AxisScale& scale, double from, double to);

/// `factor` times as near (below 1: farther); what stands at `at` stays there. Places here and below are
/// shares of what is seen, from the lower left corner. Never more than the whole panel, nor less than a
/// thousandth of it.
PanelView zoomed(const PanelView& view, double factor, QPointF at);

/// What stands at the origin moves to `by`, as far as the panel reaches.
PanelView moved(const PanelView& view, QPointF by);

/// Only the part between two places.
PanelView zoomedInto(const PanelView& view, QPointF from, QPointF to);

/// What is looked at of each panel; none: what has room of all of it.
using PanelViews = std::vector<std::optional<PanelView>>;

/// Where one panel is, and what its axes show there.
struct PanelFrame {
    QRectF inner;      ///< between the axes, on whole pixels
    double left = 0.0; ///< room beside it for labels and title
    PanelView view;    ///< the part of the panel that is seen
    AxisScale xScale, yScale;
    std::vector<Tick> xTicks, yTicks;
    bool hasYLabels = true;
    double rowHeight = 0.0; ///< of a category axis, pixels

    QPointF at(double x, double y) const;
    double xOf(double x) const { return inner.left() + xScale.fractionOf(x) * inner.width(); }
    double yOf(double y) const { return inner.bottom() - yScale.fractionOf(y) * inner.height(); }
    /// The share of both axes at which a pixel lies, from the lower left corner.
    QPointF shareAt(QPointF pixel) const;
    /// Whether a place lies on what is seen.
    bool shows(QPointF pixel) const { return inner.adjusted(-1.0, -1.0, 1.0, 1.0).contains(pixel); }
};

/// Geometry of a board: the legend on top, panels in rows below it.
class PanelLayout {
public:
    PanelLayout(const PanelBoard& board, const QRectF& area, const PlotStyle& style,
                const PanelViews& views = {});

    const std::vector<PanelFrame>& frames() const { return m_frames; }
    QRectF legend() const { return m_legend; }
    bool sharesY() const { return m_sharesY; }

    /// The panel between whose axes a pixel lies.
    std::optional<std::size_t> panelAt(QPointF pixel) const;

private:
    double leftRoom(const PanelBoard& board, const QRectF& area) const;
    void chooseColumns(const PanelBoard& board, const QSizeF& size, double around);
    PanelFrame layOutFrame(const PanelBoard& board, std::size_t index, const QRectF& inner,
                           const PanelViews& views) const;

    PlotStyle m_style;
    int m_columns = 1, m_rows = 1;
    bool m_sharesY = false;
    double m_left = 0.0; ///< room beside a panel
    QRectF m_legend;
    std::vector<PanelFrame> m_frames;
};

} // namespace quadric::widgets
