// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/views/surface_panel.h"

#include "widgets/plots/scene/surface_view.h"

#include <QMenu>
#include <QToolButton>

namespace quadric::widgets {

SurfacePanel::SurfacePanel(QWidget* parent)
    : SurfacePanel(new SurfaceView, parent)
{
}

SurfacePanel::SurfacePanel(SurfaceView* surface, QWidget* parent)
    : FactorPlane(surface, parent)
    , m_surface(surface)
{
    addViewMenu();
}

void SurfacePanel::addViewMenu()
{
    auto* button = new QToolButton(this);
    button->setText(tr("View"));
    button->setObjectName(QStringLiteral("look"));
    button->setToolTip(tr("Viewpoint, and what else is drawn."));
    button->setFocusPolicy(Qt::StrongFocus);
    button->setPopupMode(QToolButton::InstantPopup);
    auto* menu = new QMenu(button);
    using Preset = SurfaceView::Preset;
    menu->addAction(tr("&Isometric\t1"), this, [this] { m_surface->setPreset(Preset::Corner); });
    menu->addAction(tr("&Front\t2"), this, [this] { m_surface->setPreset(Preset::Front); });
    menu->addAction(tr("&Top\t3"), this, [this] { m_surface->setPreset(Preset::Top); });
    menu->addSeparator();
    QAction* interval = menu->addAction(tr("95 % &interval of the mean\tI"));
    QAction* contours = menu->addAction(tr("Contour &lines on the floor\tC"));
    interval->setCheckable(true);
    contours->setCheckable(true);
    connect(interval, &QAction::triggered, m_surface, &SurfaceView::setIntervalShown);
    connect(contours, &QAction::triggered, m_surface, &SurfaceView::setContoursShown);
    connect(m_surface, &SurfaceView::extrasChanged, this, [this, interval, contours] {
        interval->setChecked(m_surface->isIntervalShown());
        contours->setChecked(m_surface->areContoursShown());
    });
    button->setMenu(menu);
    addTool(button);
}

void SurfacePanel::showGrid(const model::MarkedSurface& grid, const ModelPlane&)
{
    m_surface->setGrid(grid);
}

void SurfacePanel::showReason(const QString& reason)
{
    m_surface->clear(reason);
}

} // namespace quadric::widgets
