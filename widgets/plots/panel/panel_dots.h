// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel.h"

namespace quadric::widgets {

/// Dots that a panel draws at most: more lie on each other, and a picture of them would be a hundred times as
/// large.
inline constexpr std::size_t kMostDots = 2000;

/// Which of so many dots are drawn: all up to kMostDots, otherwise every nth.
std::size_t strideOf(std::size_t dots);

/// Leaves every nth dot of a panel that has too many, those that stand out, have a name or are at an end of
/// an axis among them, and says so above the panel. The board's table has them all.
void thinDots(Panel& panel);

} // namespace quadric::widgets
