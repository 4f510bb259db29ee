// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/panel/panel_layout.h"

#include <optional>

class QKeyEvent;
class QMouseEvent;
class QWheelEvent;

namespace quadric::widgets {

/// Which part of each panel of a board a user looks at, and the gestures that choose it, the same in every
/// plot: the wheel and + and − zoom, a dragged rectangle is zoomed into, the middle button or Ctrl and the
/// left one move, Ctrl and the arrow keys too, a double click and Home show all. Each gesture says whether
/// it was one; the layout is that of the board on the screen.
class PanelZoom {
public:
    const PanelViews& views() const { return m_views; }
    /// Something is zoomed or moved.
    bool isActive() const { return !m_views.empty(); }
    bool reset();

    bool wheel(const PanelLayout& layout, const QWheelEvent& event);
    bool press(const PanelLayout& layout, const QMouseEvent& event);
    bool move(const PanelLayout& layout, const QMouseEvent& event);
    bool release(const PanelLayout& layout, const QMouseEvent& event);
    bool key(const PanelLayout& layout, const QKeyEvent& event);

    /// The button is held where it was pressed.
    bool isClick() const;

    /// The rectangle that is being dragged.
    std::optional<QRectF> rectangle() const;

private:
    enum class Drag { None, Rectangle, Move };
    void set(const PanelLayout& layout, std::size_t panel, const PanelView& view);
    bool zoomAll(const PanelLayout& layout, double factor);
    bool moveAll(const PanelLayout& layout, QPointF by);

    PanelViews m_views; ///< of each panel; empty: all is seen
    Drag m_drag = Drag::None;
    std::size_t m_panel = 0; ///< that is dragged in
    QPointF m_from, m_to;
    PanelView m_start;
};

} // namespace quadric::widgets
