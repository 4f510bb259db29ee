// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/dot_labels.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kFromDot = 8.0; ///< pixels between the middle of a dot and its name

/// Beside the dot, at the side with more room where the name is longer than either.
QRectF besideOf(const PanelFrame& frame, QPointF at, bool isLeft, const QSizeF& size)
{
    const double room =
        isLeft ? at.x() - kFromDot - frame.inner.left() : frame.inner.right() - at.x() - kFromDot;
    const double width = std::min(size.width(), room);
    return {isLeft ? at.x() - kFromDot - width : at.x() + kFromDot, at.y() - size.height() / 2.0, width,
            size.height()};
}

/// Where a name may stand, the best place first: at the right where it has room, else at the left, then a
/// line higher or lower.
std::vector<QRectF> placesFor(const PanelFrame& frame, QPointF at, const QString& text,
                              const PlotStyle& style)
{
    const QSizeF size(QFontMetricsF(style.small).horizontalAdvance(text) + 2.0, style.smallHeight());
    const bool isLeft = size.width() > frame.inner.right() - at.x() - kFromDot;
    std::vector<QRectF> places{besideOf(frame, at, isLeft, size)};
    for (const double shift : {0.0, -1.0, 1.0})
        for (const bool left : {isLeft, !isLeft}) {
            const QRectF place = besideOf(frame, at, left, size).translated(0.0, shift * size.height());
            if (place.width() >= size.width())
                places.push_back(place);
        }
    return places;
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
        for (const QRectF& place : placesFor(frame, at, dot->label, style)) {
            const auto isTaken = [&](const DotLabel& each) { return each.place.intersects(place); };
            if (std::ranges::any_of(labels, isTaken))
                continue;
            labels.push_back({place, dot->label});
            break;
        }
    }
    return labels;
}

} // namespace quadric::widgets
