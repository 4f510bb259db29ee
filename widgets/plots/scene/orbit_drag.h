// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/scene/projection.h"

#include <QPointF>

#include <optional>

namespace quadric::widgets {

/// The left button on a box that can be turned: while the pointer stays near the place of the press it is a
/// click, after that a drag.
class OrbitDrag {
public:
    void press(QPointF at);
    bool isPressed() const { return m_lastAt.has_value(); }
    /// The pressed pointer has moved. Turns `orbit`, true; or it is still a click, false.
    bool moveTo(QPointF at, Orbit& orbit);
    /// The button is up. True: it was a click.
    bool release();

private:
    std::optional<QPointF> m_lastAt; ///< while the button is down
    QPointF m_pressedAt;
    bool m_isDragging = false;
};

} // namespace quadric::widgets
