// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/dot_labels.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kFromDot = 8.0; ///< pixels between the middle of a dot and its name

QRectF placeOf(const PanelFrame& frame, QPointF at, const QString& text, const PlotStyle& style)
{
    const double whole = QFontMetricsF(style.small).horizontalAdvance(text) + 2.0;
    const double atRight = frame.inner.right() - at.x() - kFromDot;
    const bool isLeft = whole > atRight;
    const double width = std::min(whole, isLeft ? at.x() - kFromDot - frame.inner.left() : atRight);
    return {isLeft ? at.x() - kFromDot - width : at.x() + kFromDot, at.y() - style.smallHeight() / 2.0, width,
            style.smallHeight()};
}

} // namespace

std::vector<DotLabel> dotLabels(const PanelFrame& frame, const std::vector<PanelDot>& dots,
                                const PlotStyle& style)
{
    std::vector<DotLabel> labels;
    for (auto dot = dots.rbegin(); dot != dots.rend(); ++dot) {
        const QPointF at = frame.at(dot->x, dot->y);
        if (dot->label.isEmpty() || !std::isfinite(at.x()) || !std::isfinite(at.y()))
            continue;
        const QRectF place = placeOf(frame, at, dot->label, style);
        if (std::ranges::none_of(labels, [&](const DotLabel& each) { return each.place.intersects(place); }))
            labels.push_back({place, dot->label});
    }
    return labels;
}

} // namespace quadric::widgets
