// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/plots/base/axis_scale.h"
#include "widgets/plots/base/plot_style.h"

#include <QPointF>
#include <QRectF>

#include <optional>
#include <vector>

class QKeyEvent;

namespace quadric::widgets {

/// A point of the drawn box, which reaches from −1 to +1 in x and y and from −height to +height in z.
struct Point3 {
    double x = 0.0, y = 0.0, z = 0.0;
};

/// From where a box is looked at. Azimuth 0 looks along +y, growing azimuth turns the box clockwise as seen
/// from above; elevation 0 looks from the side, 90 from above. Degrees.
struct Orbit {
    double azimuth = 35.0, elevation = 28.0, zoom = 1.0;

    void set(double newAzimuth, double newElevation);
    /// A drag by this many pixels.
    void drag(QPointF pixels);
    void zoomBy(double factor);
    /// Arrow keys turn, + and − zoom, Home resets to `home`. False for other keys.
    bool handleKey(const QKeyEvent& event, const Orbit& home);
};

/// Perspective view of a box, scaled so that the box stays inside `area` at every azimuth.
class Projection {
public:
    Projection(const Orbit& orbit, double height, const QRectF& area);

    QPointF toScreen(const Point3& point) const { return m_origin + m_scale * flat(point); }
    /// Distance from the eye along the line of sight: larger is farther.
    double depthOf(const Point3& point) const;
    /// Where the eye is.
    Point3 eye() const;
    double height() const { return m_height; }
    /// Pixels per unit of the box at its center.
    double scale() const { return m_scale; }
    double elevation() const { return m_elevation; }

private:
    QPointF flat(const Point3& point) const;
    QRectF flatBounds() const;

    double m_sinAzimuth, m_cosAzimuth, m_sinElevation, m_cosElevation, m_elevation;
    double m_height;
    double m_scale = 1.0;
    QPointF m_origin;
};

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

/// Cells of one size for `count` pictures, row by row, in the arrangement that gives them most room.
std::vector<QRectF> gridCells(const QRectF& area, std::size_t count);

/// A tick of a box axis: `at` from −1 to +1.
struct BoxTick {
    double at = 0.0;
    QString label;
};

struct BoxAxis {
    QString title;
    std::vector<BoxTick> ticks;
};

/// Ticks of a scale, placed on a box axis.
BoxAxis boxAxis(const QString& title, const AxisScale& scale, int most);

/// The box around a 3D plot: floor and the two walls at the back with grid lines, ticks, labels and titles
/// outside its outline. Labels that would overlap are left out.
class BoxAxes {
public:
    BoxAxis x, y, z;

    /// Room in pixels that labels and titles need around the box.
    QMarginsF margins(const PlotStyle& style) const;
    void paint(QPainter& painter, const Projection& projection, const PlotStyle& style) const;
};

} // namespace quadric::widgets
