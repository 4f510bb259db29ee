// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/page.h"
#include "widgets/plots/panel/panel_layout.h"

#include <optional>

class QMouseEvent;
class QKeyEvent;
class QWheelEvent;

namespace quadric::widgets {

/// The nearest dot within reach of a pixel that is seen; none: null.
const PanelDot* dotAt(const PanelBoard& board, const PanelLayout& layout, QPointF position);

/// What is said of the dot, bar or cell under a pixel, or of the place.
QString tipAt(const PanelBoard& board, const PanelLayout& layout, QPointF position);

/// Runs of the first panel that has any, from left to right.
std::vector<int> runsInOrder(const PanelBoard& board);

/// What a pixel means on the axes of a panel: values with as many digits as pixels can tell apart, names on
/// axes of names.
struct AxisReading {
    QString x, y;
};
AxisReading readingAt(const Panel& panel, const PanelFrame& frame, QPointF pixel);

/// Two lines through the pixel and what they mean at the axes.
void paintCrosshair(QPainter& painter, const Panel& panel, const PanelFrame& frame, QPointF pixel,
                    const PlotStyle& style);

/// The part that is about to be zoomed into.
void paintRectangle(QPainter& painter, const QRectF& area, const PlotStyle& style);

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
