// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/orbit_drag.h"

#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kClickReach = 4.0; ///< pixels that a click may wander

} // namespace

void OrbitDrag::press(QPointF at)
{
    m_lastAt = m_pressedAt = at;
    m_isDragging = false;
}

bool OrbitDrag::moveTo(QPointF at, Orbit& orbit)
{
    const QPointF moved = at - m_pressedAt;
    if (!m_isDragging && std::hypot(moved.x(), moved.y()) <= kClickReach)
        return false;
    m_isDragging = true;
    orbit.drag(at - *m_lastAt);
    m_lastAt = at;
    return true;
}

bool OrbitDrag::release()
{
    const bool isClick = isPressed() && !m_isDragging;
    m_lastAt.reset();
    return isClick;
}

} // namespace quadric::widgets
