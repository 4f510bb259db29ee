// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/projection.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quadric::widgets {

namespace {

constexpr double kDistance = 7.0; ///< of the eye from the middle of the box: a calm perspective
constexpr double kDegreesPerPixel = 0.45;
constexpr double kKeyDegrees = 5.0;

double radians(double degrees)
{
    return degrees * std::numbers::pi / 180.0;
}

} // namespace

void Orbit::set(double newAzimuth, double newElevation)
{
    azimuth = std::remainder(newAzimuth, 360.0);
    elevation = std::clamp(newElevation, 0.0, 90.0);
}

void Orbit::drag(QPointF pixels)
{
    set(azimuth - kDegreesPerPixel * pixels.x(), elevation + kDegreesPerPixel * pixels.y());
}

void Orbit::zoomBy(double factor)
{
    zoom = std::clamp(zoom * factor, 0.5, 5.0);
}

bool Orbit::handleKey(const QKeyEvent& event, const Orbit& home)
{
    switch (event.key()) {
    case Qt::Key_Left:
        set(azimuth + kKeyDegrees, elevation);
        return true;
    case Qt::Key_Right:
        set(azimuth - kKeyDegrees, elevation);
        return true;
    case Qt::Key_Up:
        set(azimuth, elevation + kKeyDegrees);
        return true;
    case Qt::Key_Down:
        set(azimuth, elevation - kKeyDegrees);
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomBy(1.1);
        return true;
    case Qt::Key_Minus:
        zoomBy(1.0 / 1.1);
        return true;
    case Qt::Key_Home:
        *this = home;
        return true;
    default:
        return false;
    }
}

Projection::Projection(const Orbit& orbit, double height, const QRectF& area)
    : m_sinAzimuth(std::sin(radians(orbit.azimuth)))
    , m_cosAzimuth(std::cos(radians(orbit.azimuth)))
    , m_sinElevation(std::sin(radians(orbit.elevation)))
    , m_cosElevation(std::cos(radians(orbit.elevation)))
    , m_elevation(orbit.elevation)
    , m_height(height)
{
    const QRectF bounds = flatBounds();
    m_scale = std::min(area.width() / bounds.width(), area.height() / bounds.height()) * orbit.zoom;
    m_origin = area.center() - bounds.center() * m_scale;
}

Point3 Projection::eye() const
{
    return {kDistance * m_sinAzimuth * m_cosElevation, -kDistance * m_cosAzimuth * m_cosElevation,
            kDistance * m_sinElevation};
}

double Projection::depthOf(const Point3& p) const
{
    const double towardsEye =
        (p.x * m_sinAzimuth - p.y * m_cosAzimuth) * m_cosElevation + p.z * m_sinElevation;
    return kDistance - towardsEye;
}

QPointF Projection::flat(const Point3& p) const
{
    const double right = p.x * m_cosAzimuth + p.y * m_sinAzimuth;
    const double away = -p.x * m_sinAzimuth + p.y * m_cosAzimuth;
    const double up = away * m_sinElevation + p.z * m_cosElevation;
    const double shrink = kDistance / depthOf(p);
    return {right * shrink, -up * shrink};
}

/// What the box covers while it turns once round: the square base repeats itself every 90 degrees.
QRectF Projection::flatBounds() const
{
    Projection turned(*this);
    double left = 0.0, right = 0.0, top = 0.0, bottom = 0.0;
    for (int degrees = 0; degrees < 90; degrees += 15) {
        turned.m_sinAzimuth = std::sin(radians(degrees));
        turned.m_cosAzimuth = std::cos(radians(degrees));
        for (int corner = 0; corner < 8; ++corner) {
            const Point3 point{corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0,
                               corner & 4 ? m_height : -m_height};
            const QPointF at = turned.flat(point);
            left = std::min(left, at.x());
            right = std::max(right, at.x());
            top = std::min(top, at.y());
            bottom = std::max(bottom, at.y());
        }
    }
    return {left, top, right - left, bottom - top};
}

QPointF Projection::toScreen(const Point3& point) const
{
    return m_origin + m_scale * flat(point);
}

} // namespace quadric::widgets
