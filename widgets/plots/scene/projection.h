// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>

#include <optional>

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

    QPointF toScreen(const Point3& point) const;
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

} // namespace quadric::widgets
