// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr double kNearest = 1e-3; ///< of an axis

/// The stretch as long as allowed, moved to where it lies on the axis.
std::pair<double, double> onAxis(double from, double to)
{
    const double length = std::clamp(to - from, kNearest, 1.0);
    const double start = std::clamp(from + ((to - from) - length) / 2.0, 0.0, 1.0 - length);
    return {start, start + length};
}

PanelView onPanel(double left, double right, double low, double high)
{
    const auto [fromX, toX] = onAxis(left, right);
    const auto [fromY, toY] = onAxis(low, high);
    return {fromX, toX, fromY, toY};
}

} // namespace

AxisScale visiblePart(const AxisScale& scale, double from, double to)
{
    if (from == 0.0 && to == 1.0)
        return scale;
    return {scale.actualAt(from), scale.actualAt(to), scale.isLog2};
}

PanelView zoomed(const PanelView& view, double factor, QPointF at)
{
    const double width = view.right - view.left;
    const double height = view.high - view.low;
    const double x = view.left + at.x() * width;
    const double y = view.low + at.y() * height;
    const double shrink =
        std::clamp(1.0 / factor, kNearest / std::min(width, height), std::max(1.0 / width, 1.0 / height));
    return onPanel(x - at.x() * width * shrink, x + (1.0 - at.x()) * width * shrink,
                   y - at.y() * height * shrink, y + (1.0 - at.y()) * height * shrink);
}

PanelView moved(const PanelView& view, QPointF by)
{
    const double x = by.x() * (view.right - view.left);
    const double y = by.y() * (view.high - view.low);
    return onPanel(view.left - x, view.right - x, view.low - y, view.high - y);
}

PanelView zoomedInto(const PanelView& view, QPointF from, QPointF to)
{
    const auto x = [&view](double share) {
        return std::lerp(view.left, view.right, std::clamp(share, 0.0, 1.0));
    };
    const auto y = [&view](double share) {
        return std::lerp(view.low, view.high, std::clamp(share, 0.0, 1.0));
    };
    return onPanel(x(std::min(from.x(), to.x())), x(std::max(from.x(), to.x())),
                   y(std::min(from.y(), to.y())), y(std::max(from.y(), to.y())));
}

} // namespace quadric::widgets
