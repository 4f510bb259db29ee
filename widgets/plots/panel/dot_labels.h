// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_layout.h"

namespace quadric::widgets {

/// The name of a dot and where it is written.
struct DotLabel {
    QRectF place;
    QString text;
};

/// Names of dots beside them, to the right where there is room, else to the left, else a line higher or
/// lower. Where names would overlap all the same, those of dots later in the list are kept.
std::vector<DotLabel> dotLabels(const PanelFrame& frame, const std::vector<PanelDot>& dots,
                                const PlotStyle& style);

} // namespace quadric::widgets
