// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/orbit_box.h"

#include <QKeyEvent>
#include <QLineF>
#include <QMarginsF>
#include <QPainter>

#include <algorithm>
#include <array>
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

constexpr double kClickReach = 4.0; ///< pixels that a click may wander

constexpr double kTickLength = 4.0;
constexpr double kLabelGap = 4.0;
constexpr double kBetweenLabels = 3.0; ///< pixels at each side of a label; nearer numbers read as one
constexpr double kLevel = 0.5;         ///< degrees: letters turned by less stand unevenly
constexpr double kTitleReach = 1.35;   ///< of the axis, how long its title may be
constexpr double kShortestAxis = 36.0; ///< pixels; a shorter one is seen end on and carries its name alone

/// Signs of the faces that look away from the eye (the walls) and towards it.
struct Sides {
    double farX, farY;
    explicit Sides(const Point3& eye)
        : farX(eye.x >= 0.0 ? -1.0 : 1.0)
        , farY(eye.y >= 0.0 ? -1.0 : 1.0)
    {
    }
};

double widest(const BoxAxis& axis, const QFontMetricsF& metrics)
{
    double width = 0.0;
    for (const BoxTick& tick : axis.ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width;
}

/// One painting of the box: keeps the rectangles that are taken by labels.
class BoxPainter {
public:
    BoxPainter(QPainter& painter, const Projection& projection, const PlotStyle& style)
        : m_painter(painter)
        , m_projection(projection)
        , m_style(style)
        , m_sides(projection.eye())
        , m_height(projection.height())
    {
    }

    void paintWalls(const BoxAxes& axes);
    void paintAxes(const BoxAxes& axes);

private:
    struct Edge {
        Point3 from, to;
        QPointF outward; ///< unit vector on the screen, away from the box
    };

    QPointF at(const Point3& point) const { return m_projection.toScreen(point); }
    void paintFace(const std::array<Point3, 4>& corners);
    void paintGridLine(const Point3& from, const Point3& to) { m_painter.drawLine(at(from), at(to)); }
    Edge floorEdge(const Point3& from, const Point3& to) const;
    Edge uprightEdge() const;
    double overhang(const Edge& edge) const;
    void paintEdge(const BoxAxis& axis, const Edge& edge, double distance);
    bool paintLabel(QPointF anchor, QPointF outward, const QString& text);
    void paintTitle(const QString& title, const Edge& edge, double distance);
    void paintEndOnTitle(const QString& title, const Edge& edge, double distance);

    QPainter& m_painter;
    const Projection& m_projection;
    const PlotStyle& m_style;
    Sides m_sides;
    double m_height;
    std::vector<QRectF> m_taken;
};

void BoxPainter::paintFace(const std::array<Point3, 4>& corners)
{
    QPolygonF face;
    for (const Point3& corner : corners)
        face << at(corner);
    m_painter.setBrush(blend(m_style.colors.text, m_style.colors.background, 0.03));
    m_painter.setPen(QPen(blend(m_style.colors.axis, m_style.colors.background, 0.6), 1.0));
    m_painter.drawPolygon(face);
}

void BoxPainter::paintWalls(const BoxAxes& axes)
{
    const double wx = m_sides.farX;
    const double wy = m_sides.farY;
    const double h = m_height;
    paintFace({Point3{-1, -1, -h}, Point3{1, -1, -h}, Point3{1, 1, -h}, Point3{-1, 1, -h}});
    paintFace({Point3{wx, -1, -h}, Point3{wx, 1, -h}, Point3{wx, 1, h}, Point3{wx, -1, h}});
    paintFace({Point3{-1, wy, -h}, Point3{1, wy, -h}, Point3{1, wy, h}, Point3{-1, wy, h}});
    m_painter.setPen(QPen(m_style.colors.grid, 1.0));
    for (const BoxTick& tick : axes.x.ticks) {
        paintGridLine({tick.at, -1, -h}, {tick.at, 1, -h});
        paintGridLine({tick.at, wy, -h}, {tick.at, wy, h});
    }
    for (const BoxTick& tick : axes.y.ticks) {
        paintGridLine({-1, tick.at, -h}, {1, tick.at, -h});
        paintGridLine({wx, tick.at, -h}, {wx, tick.at, h});
    }
    for (const BoxTick& tick : axes.z.ticks) {
        paintGridLine({wx, -1, tick.at * h}, {wx, 1, tick.at * h});
        paintGridLine({-1, wy, tick.at * h}, {1, wy, tick.at * h});
    }
}

/// The edge of the floor, with the direction away from the middle of the floor, square to the edge.
BoxPainter::Edge BoxPainter::floorEdge(const Point3& from, const Point3& to) const
{
    const QPointF start = at(from);
    const QPointF end = at(to);
    const QPointF along = end - start;
    const double length = std::max(1e-9, std::hypot(along.x(), along.y()));
    QPointF outward(-along.y() / length, along.x() / length);
    const QPointF away = (start + end) / 2.0 - at({0.0, 0.0, -m_height});
    if (QPointF::dotProduct(outward, away) < 0.0 || (std::abs(away.y()) < 1e-6 && outward.y() < 0.0))
        outward = -outward;
    return {from, to, outward};
}

/// The upright edge at the left of the outline; the one at the right where the floor's edge below the left
/// one is seen almost end on, so that their labels would meet.
BoxPainter::Edge BoxPainter::uprightEdge() const
{
    constexpr double kEndOn = 0.3;
    const auto foot = [this](double x, double y) { return Point3{x, y, -m_height}; };
    const Point3 corner = foot(-m_sides.farX, -m_sides.farY);
    Point3 left = foot(m_sides.farX, -m_sides.farY);
    Point3 right = foot(-m_sides.farX, m_sides.farY);
    if (at(left).x() > at(right).x())
        std::swap(left, right);
    const double leftExtent = at(corner).x() - at(left).x();
    const double rightExtent = at(right).x() - at(corner).x();
    if (leftExtent >= kEndOn * rightExtent)
        return {left, {left.x, left.y, m_height}, {-1.0, 0.0}};
    return {right, {right.x, right.y, m_height}, {1.0, 0.0}};
}

bool BoxPainter::paintLabel(QPointF anchor, QPointF outward, const QString& text)
{
    const QFontMetricsF metrics(m_style.small);
    const QSizeF size(metrics.horizontalAdvance(text), metrics.height() * 0.72);
    const double reach =
        std::abs(outward.x()) * size.width() / 2.0 + std::abs(outward.y()) * size.height() / 2.0;
    const QPointF center = anchor + outward * (kLabelGap + reach);
    const QRectF box(center - QPointF(size.width() / 2.0, size.height() / 2.0), size);
    const QRectF guarded = box.adjusted(-kBetweenLabels, 0.0, kBetweenLabels, 0.0);
    if (std::ranges::any_of(m_taken, [&](const QRectF& other) { return other.intersects(guarded); }))
        return false;
    m_taken.push_back(guarded);
    m_painter.setFont(m_style.small);
    m_painter.setPen(m_style.colors.mutedText);
    m_painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine | Qt::TextDontClip, text);
    return true;
}

void BoxPainter::paintTitle(const QString& title, const Edge& edge, double distance)
{
    const QPointF start = at(edge.from);
    const QPointF end = at(edge.to);
    const QPointF center = (start + end) / 2.0 + edge.outward * (distance + m_style.lineHeight() / 2.0);
    double degrees = std::atan2(end.y() - start.y(), end.x() - start.x()) * 180.0 / std::numbers::pi;
    constexpr double kUpright = 85.0; // reads upwards rather than downwards
    degrees = degrees > kUpright ? degrees - 180.0 : degrees <= kUpright - 180.0 ? degrees + 180.0 : degrees;
    if (std::abs(degrees - std::round(degrees / 90.0) * 90.0) < kLevel)
        degrees = std::round(degrees / 90.0) * 90.0;
    const double width = std::max(60.0, QLineF(start, end).length() * kTitleReach);
    m_painter.save();
    m_painter.translate(center);
    m_painter.rotate(degrees);
    const QRectF box(-width / 2.0, -m_style.lineHeight() / 2.0, width, m_style.lineHeight());
    drawLine(m_painter, box, Qt::AlignCenter, m_style.font, m_style.colors.text, title);
    m_painter.restore();
}

/// The name of an axis that is seen end on: level, outside the box.
void BoxPainter::paintEndOnTitle(const QString& title, const Edge& edge, double distance)
{
    const QPointF center = (at(edge.from) + at(edge.to)) / 2.0 +
                           edge.outward * (distance + kTickLength + kLabelGap + m_style.lineHeight() / 2.0);
    const double width = QFontMetricsF(m_style.font).horizontalAdvance(title) + 2.0;
    const double left = edge.outward.x() > 0.5 ? 0.0 : edge.outward.x() < -0.5 ? -width : -width / 2.0;
    drawLine(m_painter,
             {center.x() + left, center.y() - m_style.lineHeight() / 2.0, width, m_style.lineHeight()},
             Qt::AlignCenter, m_style.font, m_style.colors.text, title);
}

/// How far the box reaches beyond an edge of its floor: labels go outside of that.
double BoxPainter::overhang(const Edge& edge) const
{
    constexpr double kMost = 48.0;
    double reach = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
        const Point3 point{corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0,
                           corner & 4 ? m_height : -m_height};
        reach = std::max(reach, QPointF::dotProduct(at(point) - at(edge.from), edge.outward));
    }
    return std::min(reach, kMost);
}

void BoxPainter::paintEdge(const BoxAxis& axis, const Edge& edge, double distance)
{
    const QPointF start = at(edge.from);
    const QPointF end = at(edge.to);
    m_painter.setPen(QPen(m_style.colors.axis, 1.2));
    m_painter.drawLine(start, end);
    if (QLineF(start, end).length() < kShortestAxis) {
        if (!axis.title.isEmpty())
            paintEndOnTitle(axis.title, edge, distance);
        return;
    }
    for (const BoxTick& tick : axis.ticks) {
        const double t = (tick.at + 1.0) / 2.0;
        const QPointF foot = at({std::lerp(edge.from.x, edge.to.x, t), std::lerp(edge.from.y, edge.to.y, t),
                                 std::lerp(edge.from.z, edge.to.z, t)});
        const QPointF tip = foot + edge.outward * (kTickLength + distance);
        if (!paintLabel(tip, edge.outward, tick.label))
            continue;
        m_painter.setPen(QPen(m_style.colors.grid, 1.0));
        m_painter.drawLine(foot, tip);
        m_painter.setPen(QPen(m_style.colors.axis, 1.0));
        m_painter.drawLine(foot, foot + edge.outward * kTickLength);
    }
    const QFontMetricsF metrics(m_style.small);
    const double reach =
        std::abs(edge.outward.x()) * widest(axis, metrics) + std::abs(edge.outward.y()) * metrics.height();
    if (!axis.title.isEmpty())
        paintTitle(axis.title, edge, distance + kTickLength + kLabelGap + reach + 1.0);
}

void BoxPainter::paintAxes(const BoxAxes& axes)
{
    const double nearX = -m_sides.farX;
    const double nearY = -m_sides.farY;
    const Edge xEdge = floorEdge({-1, nearY, -m_height}, {1, nearY, -m_height});
    const Edge yEdge = floorEdge({nearX, -1, -m_height}, {nearX, 1, -m_height});
    paintEdge(axes.z, uprightEdge(), 0.0);
    paintEdge(axes.x, xEdge, overhang(xEdge));
    paintEdge(axes.y, yEdge, overhang(yEdge));
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

std::vector<QRectF> gridCells(const QRectF& area, std::size_t count)
{
    std::size_t columns = 1;
    double most = 0.0;
    for (std::size_t tried = 1; tried <= count; ++tried) {
        const std::size_t rows = (count + tried - 1) / tried;
        const double room =
            std::min(area.width() / static_cast<double>(tried), area.height() / static_cast<double>(rows));
        if (room > most) {
            most = room;
            columns = tried;
        }
    }
    const std::size_t rows = (count + columns - 1) / columns;
    const QSizeF size(area.width() / static_cast<double>(columns), area.height() / static_cast<double>(rows));
    std::vector<QRectF> cells;
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = i / columns, column = i % columns;
        cells.emplace_back(area.topLeft() + QPointF(static_cast<double>(column) * size.width(),
                                                    static_cast<double>(row) * size.height()),
                           size);
    }
    return cells;
}

BoxAxis boxAxis(const QString& title, const AxisScale& scale, int most)
{
    BoxAxis axis{title, {}};
    for (const Tick& tick : chooseTicks(scale, most))
        axis.ticks.push_back({2.0 * scale.fractionOf(tick.value) - 1.0, tick.label});
    return axis;
}

QMarginsF BoxAxes::margins(const PlotStyle& style) const
{
    const QFontMetricsF metrics(style.small);
    const double labels = std::max({widest(x, metrics), widest(y, metrics), widest(z, metrics)});
    const double title = z.title.isEmpty() ? 0.0 : style.lineHeight();
    const double side = labels + kTickLength + 2.0 * kLabelGap + title;
    return {side, 2.0, side, kTickLength + 2.0 * kLabelGap + metrics.height() + style.lineHeight()};
}

void BoxAxes::paint(QPainter& painter, const Projection& projection, const PlotStyle& style) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    BoxPainter box(painter, projection, style);
    box.paintWalls(*this);
    box.paintAxes(*this);
}

} // namespace quadric::widgets
