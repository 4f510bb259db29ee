// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/scene/small_surfaces.h"

#include "widgets/plots/scene/facet_grid.h"
#include "widgets/plots/scene/grid_lookup.h"
#include "widgets/plots/scene/orbit_drag.h"
#include "widgets/plots/scene/surface_scene.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace quadric::widgets {

namespace {

constexpr Orbit kSmallHome{35.0, 28.0, 1.0};
constexpr double kSmallGap = 4.0;

} // namespace

struct SmallSurfaces::Scenes {
    std::vector<SurfaceScene> surfaces;
    QPointF setting;
    Orbit orbit = kSmallHome;
    OrbitDrag drag;
};

SmallSurfaces::SmallSurfaces(QWidget* parent)
    : Plot(parent)
    , m_scenes(std::make_unique<Scenes>())
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Surfaces of all responses"));
}

SmallSurfaces::~SmallSurfaces() = default;

void SmallSurfaces::setSurfaces(const std::vector<model::SurfaceGrid>& grids)
{
    m_scenes->surfaces.clear();
    for (const model::SurfaceGrid& grid : grids)
        if (isUsable(grid))
            m_scenes->surfaces.emplace_back(grid, false);
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

void SmallSurfaces::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = drawHeader(painter, target, style, {}, isSimulated());
    const std::vector<QRectF> cells = gridCells(area, count());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const SurfaceScene& surface = m_scenes->surfaces[i];
        const QRectF cell = cells[i].adjusted(kSmallGap, 0.0, -kSmallGap, -kSmallGap);
        drawLine(painter, {cell.topLeft(), QSizeF(cell.width(), style.smallHeight())}, Qt::AlignCenter,
                 style.small, style.colors.text,
                 nameWithUnit(surface.grid().response, surface.grid().responseUnit));
        const Projection projection(m_scenes->orbit, SurfaceScales::kHeight,
                                    cell.adjusted(0.0, style.smallHeight() + 2.0, 0.0, 0.0));
        surface.paint(painter, projection, style, -1, false, forPrint ? Finish::Smooth : Finish::Quick);
        surface.paintSetting(painter, projection, style, m_scenes->setting);
    }
    painter.restore();
}

QSize SmallSurfaces::sizeHint() const
{
    return {180, 240};
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
        update();
}

void SmallSurfaces::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_scenes->drag.release())
        return;
    const PlotStyle style = plotStyle(*this, false);
    const std::vector<QRectF> cells = gridCells(areaBelowHeader(rect(), style, isSimulated()), count());
    for (std::size_t i = 0; i < cells.size(); ++i)
        if (cells[i].contains(event->position()))
            emit chosen(static_cast<int>(i));
}

void SmallSurfaces::keyPressEvent(QKeyEvent* event)
{
    if (!m_scenes->orbit.handleKey(*event, kSmallHome))
        return Plot::keyPressEvent(event);
    update();
}

} // namespace quadric::widgets
