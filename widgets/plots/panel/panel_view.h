// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"

#include <QPointF>
#include <QRectF>

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

} // namespace quadric::widgets
