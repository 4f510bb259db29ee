// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/small_surfaces.h"

#include "widgets/plots/scene/orbit_box.h"
#include "widgets/plots/scene/surface_mesh.h"
#include "widgets/plots/scene/surface_scene.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr Orbit kSmallHome{35.0, 28.0, 1.0};
constexpr double kSmallGap = 4.0;

bool isSameSurface(const model::MarkedSurface& a, const model::MarkedSurface& b)
{
    const auto isSame = [](const auto& one, const auto& other) {
        return one.rows() == other.rows() && one.cols() == other.cols() && one == other;
    };
    return a.response == b.response && a.responseUnit == b.responseUnit && a.xName == b.xName &&
           a.yName == b.yName && a.x == b.x && a.y == b.y && isSame(a.z, b.z) &&
           isSame(a.isExtrapolation, b.isExtrapolation) && isSame(a.feasible.value, b.feasible.value) &&
           isSame(a.running.value, b.running.value);
}

} // namespace

struct SmallSurfaces::Scenes {
    struct Surface {
        SurfaceScene scene;
        QPixmap picture = {}; ///< as it was last painted on the screen; none: to be painted
        qint64 palette = 0;   ///< that it was painted with
    };
    std::vector<Surface> surfaces;
    QPointF setting;
    Orbit orbit = kSmallHome;
    OrbitDrag drag;

    Projection projectionIn(const QRectF& cell, const PlotStyle& style) const
    {
        return Projection(orbit, SurfaceScales::kHeight,
                          cell.adjusted(0.0, style.smallHeight() + 2.0, 0.0, 0.0));
    }
    void paintSurface(QPainter& painter, const SurfaceScene& scene, const QRectF& cell,
                      const PlotStyle& style, Finish finish) const;
    void refreshPicture(Surface& surface, const QSizeF& size, const SmallSurfaces& widget) const;
};

void SmallSurfaces::Scenes::paintSurface(QPainter& painter, const SurfaceScene& scene, const QRectF& cell,
                                         const PlotStyle& style, Finish finish) const
{
    drawLine(painter, {cell.topLeft(), QSizeF(cell.width(), style.smallHeight())}, Qt::AlignCenter,
             style.small, style.colors.text, nameWithUnit(scene.grid().response, scene.grid().responseUnit));
    scene.paint(painter, projectionIn(cell, style), style, -1, false, finish);
}

void SmallSurfaces::Scenes::refreshPicture(Surface& surface, const QSizeF& size,
                                           const SmallSurfaces& widget) const
{
    const double ratio = widget.devicePixelRatioF();
    const QSize pixels = (size * ratio).toSize();
    if (surface.picture.size() == pixels && surface.palette == widget.palette().cacheKey())
        return;
    surface.picture = QPixmap(pixels);
    surface.picture.setDevicePixelRatio(ratio);
    surface.picture.fill(Qt::transparent);
    surface.palette = widget.palette().cacheKey();
    QPainter painter(&surface.picture);
    paintSurface(painter, surface.scene, {{}, size}, plotStyle(widget, false), Finish::Quick);
}

SmallSurfaces::SmallSurfaces(QWidget* parent)
    : Plot(parent)
    , m_scenes(std::make_unique<Scenes>())
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Surfaces of all responses"));
}

SmallSurfaces::~SmallSurfaces() = default;

void SmallSurfaces::setSurfaces(const std::vector<model::MarkedSurface>& grids)
{
    std::vector<Scenes::Surface> before = std::move(m_scenes->surfaces);
    m_scenes->surfaces.clear();
    for (const model::MarkedSurface& grid : grids) {
        const auto same = std::ranges::find_if(before, [&grid](const Scenes::Surface& surface) {
            return isSameSurface(surface.scene.grid(), grid);
        });
        if (same != before.end())
            m_scenes->surfaces.push_back(std::move(*same));
        else if (isUsable(grid))
            m_scenes->surfaces.push_back({SurfaceScene(grid, false)});
    }
    update();
}

void SmallSurfaces::setSetting(QPointF setting)
{
    m_scenes->setting = setting;
    update();
}

std::size_t SmallSurfaces::count() const
{
    return m_scenes->surfaces.size();
}

std::vector<QRectF> SmallSurfaces::cellsIn(const QRectF& area) const
{
    std::vector<QRectF> cells = gridCells(area, count());
    for (QRectF& cell : cells)
        cell.adjust(kSmallGap, 0.0, -kSmallGap, -kSmallGap);
    return cells;
}

void SmallSurfaces::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const std::vector<QRectF> cells = cellsIn(paintHeader(painter, target, style, {}));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const SurfaceScene& scene = m_scenes->surfaces[i].scene;
        m_scenes->paintSurface(painter, scene, cells[i], style, Finish::Smooth);
        scene.paintSetting(painter, m_scenes->projectionIn(cells[i], style), style, m_scenes->setting);
    }
    painter.restore();
}

void SmallSurfaces::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = plotStyle(*this, false);
    const std::vector<QRectF> cells =
        cellsIn(drawHeader(painter, rect(), style, {.isSimulated = isSimulated()}));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        Scenes::Surface& surface = m_scenes->surfaces[i];
        m_scenes->refreshPicture(surface, cells[i].size(), *this);
        painter.drawPixmap(cells[i].topLeft(), surface.picture);
        surface.scene.paintSetting(painter, m_scenes->projectionIn(cells[i], style), style,
                                   m_scenes->setting);
    }
    if (hasFocus())
        drawFocusFrame(painter, rect(), style);
}

void SmallSurfaces::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return Plot::mousePressEvent(event);
    m_scenes->drag.press(event->position());
}

void SmallSurfaces::mouseMoveEvent(QMouseEvent* event)
{
    if (m_scenes->drag.isPressed() && m_scenes->drag.moveTo(event->position(), m_scenes->orbit))
        turned();
}

void SmallSurfaces::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_scenes->drag.release())
        return;
    const PlotStyle style = plotStyle(*this, false);
    const std::vector<QRectF> cells = cellsIn(areaBelowHeader(rect(), style, isSimulated()));
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].contains(event->position()))
            emit chosen(static_cast<int>(i));
}

void SmallSurfaces::keyPressEvent(QKeyEvent* event)
{
    if (!m_scenes->orbit.handleKey(*event, kSmallHome))
        return Plot::keyPressEvent(event);
    turned();
}

void SmallSurfaces::turned()
{
    for (Scenes::Surface& surface : m_scenes->surfaces)
        surface.picture = {};
    update();
}

} // namespace quadric::widgets
