// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/picked_runs.h"
#include "widgets/plots/panel/panel_layout.h"

#include <optional>

class QMouseEvent;

namespace quadric::widgets {

/// Choosing several runs of a board on the screen, the same in every plot: a rectangle dragged with Shift
/// picks the runs in it, with Ctrl beside those that are picked; a click with Ctrl on a dot adds its run or
/// takes it away.
class PanelBrush {
public:
    /// Whether the event begins a choice.
    bool press(const PanelLayout& layout, const QMouseEvent& event);
    /// Whether one is under way.
    bool move(const QMouseEvent& event);
    /// What is picked from now on; empty: nothing was chosen.
    std::optional<PickedRuns> release(const PanelBoard& board, const PanelLayout& layout,
                                      const QMouseEvent& event, const PickedRuns& before);
    /// The rectangle that is being dragged.
    std::optional<QRectF> rectangle() const;

private:
    std::vector<int> runsInside(const PanelBoard& board, const PanelLayout& layout) const;

    std::optional<std::size_t> m_panel; ///< that is dragged in
    QPointF m_from, m_to;
};

} // namespace quadric::widgets
