// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_brush.h"

#include <QMouseEvent>

namespace quadric::widgets {

bool PanelBrush::press(const PanelLayout& layout, const QMouseEvent& event)
{
    if (event.button() != Qt::LeftButton || !(event.modifiers() & Qt::ShiftModifier))
        return false;
    m_panel = layout.panelAt(event.position());
    m_from = m_to = event.position();
    return m_panel.has_value();
}

bool PanelBrush::move(const QMouseEvent& event)
{
    if (m_panel)
        m_to = event.position();
    return m_panel.has_value();
}

std::optional<QRectF> PanelBrush::rectangle() const
{
    return m_panel ? std::optional(QRectF(m_from, m_to).normalized()) : std::nullopt;
}

/// Dots that are seen, and whose middle lies in the rectangle.
std::vector<int> PanelBrush::runsInside(const PanelBoard& board, const PanelLayout& layout) const
{
    std::vector<int> runs;
    const std::optional<QRectF> area = rectangle();
    if (!area || *m_panel >= layout.frames().size())
        return runs;
    const PanelFrame& frame = layout.frames()[*m_panel];
    for (const PanelDot& dot : board.panels[*m_panel].dots) {
        const QPointF at = frame.at(dot.x, dot.y);
        if (dot.run >= 0 && frame.shows(at) && area->contains(at))
            runs.push_back(dot.run);
    }
    return runs;
}

std::optional<PickedRuns> PanelBrush::release(const PanelBoard& board, const PanelLayout& layout,
                                              const QMouseEvent& event, const PickedRuns& before)
{
    if (!move(event))
        return {};
    const std::vector<int> runs = runsInside(board, layout);
    m_panel.reset();
    return event.modifiers() & Qt::ControlModifier ? before.with(runs) : PickedRuns(runs);
}

} // namespace quadric::widgets
