// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_dots.h"

#include "core/text/numbers.h"
#include "widgets/text/translate.h"

#include <algorithm>
#include <set>

namespace quadric::widgets {

namespace {

/// The leftmost, rightmost, lowest and highest dot.
std::set<const PanelDot*> extremesOf(const std::vector<PanelDot>& dots)
{
    const auto [left, right] = std::ranges::minmax_element(dots, {}, &PanelDot::x);
    const auto [low, high] = std::ranges::minmax_element(dots, {}, &PanelDot::y);
    return {&*left, &*right, &*low, &*high};
}

bool isOrdinary(const PanelDot& dot)
{
    return dot.role != DotRole::Outstanding && dot.role != DotRole::Choice && dot.label.isEmpty() &&
           !dot.isHandle;
}

} // namespace

std::size_t strideOf(std::size_t dots)
{
    return std::max<std::size_t>(1, (dots + kMostDots - 1) / kMostDots);
}

void thinDots(Panel& panel)
{
    const std::size_t all = panel.dots.size();
    const std::size_t stride = strideOf(all);
    if (stride == 1)
        return;
    const std::set<const PanelDot*> extremes = extremesOf(panel.dots);
    std::vector<PanelDot> kept;
    std::size_t special = 0;
    for (std::size_t i = 0; i < all; ++i) {
        const PanelDot& dot = panel.dots[i];
        const bool isSpecial = !isOrdinary(dot) && ++special <= kMostDots;
        if (i % stride == 0 || isSpecial || extremes.contains(&dot))
            kept.push_back(dot);
    }
    panel.dots = std::move(kept);
    const auto count = [](std::size_t dots) {
        return QString::fromStdString(text::formatDecimals(static_cast<double>(dots), 0));
    };
    const QString said = tr("%1 of %2 points are drawn").arg(count(panel.dots.size()), count(all));
    panel.note += (panel.note.isEmpty() ? QString() : QStringLiteral("; ")) + said;
}

} // namespace quadric::widgets
