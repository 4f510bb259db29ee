// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_zoom.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kWheelFull = 480.0;    ///< eighths of a degree of a wheel that show half as much
constexpr double kKeyZoom = 1.25;       ///< per key
constexpr double kKeyMove = 0.1;        ///< of what is seen, per key
constexpr double kLeastRectangle = 6.0; ///< pixels; a smaller one is a click

/// The share of a panel that an arrow key moves what is seen by.
std::optional<QPointF> moveByKey(int key)
{
    switch (key) {
    case Qt::Key_Left:
        return QPointF(kKeyMove, 0.0);
    case Qt::Key_Right:
        return QPointF(-kKeyMove, 0.0);
    case Qt::Key_Down:
        return QPointF(0.0, kKeyMove);
    case Qt::Key_Up:
        return QPointF(0.0, -kKeyMove);
    default:
        return {};
    }
}

} // namespace

bool PanelZoom::reset()
{
    const bool wasActive = isActive();
    m_views.clear();
    m_drag = Drag::None;
    return wasActive;
}

/// Panels that share their response axis show the same part of it.
void PanelZoom::set(const PanelLayout& layout, std::size_t panel, const PanelView& view)
{
    m_views.resize(layout.frames().size());
    for (std::size_t i = 0; i < m_views.size(); ++i)
        if (!m_views[i])
            m_views[i] = layout.frames()[i].view;
    m_views[panel] = view;
    for (std::optional<PanelView>& each : m_views)
        if (layout.sharesY()) {
            each->low = view.low;
            each->high = view.high;
        }
    if (std::ranges::all_of(m_views, [](const auto& each) { return each == PanelView{}; }))
        m_views.clear();
}

bool PanelZoom::zoomAll(const PanelLayout& layout, double factor)
{
    const PanelViews before = m_views;
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        set(layout, i, zoomed(layout.frames()[i].view, factor, {0.5, 0.5}));
    return m_views != before;
}

bool PanelZoom::moveAll(const PanelLayout& layout, QPointF by)
{
    const PanelViews before = m_views;
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        set(layout, i, moved(layout.frames()[i].view, by));
    return m_views != before;
}

bool PanelZoom::wheel(const PanelLayout& layout, const QWheelEvent& event)
{
    const std::optional<std::size_t> panel = layout.panelAt(event.position());
    if (!panel || event.angleDelta().y() == 0)
        return false;
    const PanelFrame& frame = layout.frames()[*panel];
    const double factor = std::exp2(event.angleDelta().y() / kWheelFull);
    const PanelViews before = m_views;
    set(layout, *panel, zoomed(frame.view, factor, frame.shareAt(event.position())));
    return m_views != before;
}

bool PanelZoom::press(const PanelLayout& layout, const QMouseEvent& event)
{
    const std::optional<std::size_t> panel = layout.panelAt(event.position());
    const bool isLeft = event.button() == Qt::LeftButton;
    if (!panel || (!isLeft && event.button() != Qt::MiddleButton))
        return false;
    m_drag = isLeft && !(event.modifiers() & Qt::ControlModifier) ? Drag::Rectangle : Drag::Move;
    m_panel = *panel;
    m_from = m_to = event.position();
    m_start = layout.frames()[m_panel].view;
    return true;
}

bool PanelZoom::move(const PanelLayout& layout, const QMouseEvent& event)
{
    if (m_drag == Drag::None || m_panel >= layout.frames().size())
        return false;
    const PanelFrame& frame = layout.frames()[m_panel];
    m_to = event.position();
    if (m_drag == Drag::Move)
        set(layout, m_panel, moved(m_start, frame.shareAt(m_to) - frame.shareAt(m_from)));
    return true;
}

bool PanelZoom::release(const PanelLayout& layout, const QMouseEvent& event)
{
    if (!move(layout, event))
        return false;
    if (const std::optional<QRectF> area = rectangle();
        area && area->width() >= kLeastRectangle && area->height() >= kLeastRectangle) {
        const PanelFrame& frame = layout.frames()[m_panel];
        set(layout, m_panel, zoomedInto(frame.view, frame.shareAt(m_from), frame.shareAt(m_to)));
    }
    m_drag = Drag::None;
    return true;
}

bool PanelZoom::key(const PanelLayout& layout, const QKeyEvent& event)
{
    if (event.key() == Qt::Key_Plus || event.key() == Qt::Key_Equal)
        return zoomAll(layout, kKeyZoom);
    if (event.key() == Qt::Key_Minus)
        return zoomAll(layout, 1.0 / kKeyZoom);
    if (event.key() == Qt::Key_Home)
        return reset();
    const std::optional<QPointF> by = moveByKey(event.key());
    return by && (event.modifiers() & Qt::ControlModifier) && moveAll(layout, *by);
}

bool PanelZoom::isClick() const
{
    return m_drag == Drag::Rectangle && (m_to - m_from).manhattanLength() < kLeastRectangle;
}

std::optional<QRectF> PanelZoom::rectangle() const
{
    if (m_drag != Drag::Rectangle)
        return {};
    return QRectF(m_from, m_to).normalized();
}

} // namespace quadric::widgets
