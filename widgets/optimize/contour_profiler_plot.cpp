// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/limit_plot.h"

#include "widgets/optimize/limit_regions.h"
#include "widgets/plots/base/plot_style.h"

#include <QKeyEvent>

namespace quadric::widgets {

namespace {

constexpr double kKeyStep = 0.05; ///< of an axis; a fifth of it with Shift

} // namespace

LimitPlot::LimitPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Overlay plot (sweet spot)"));
}

void LimitPlot::setMap(const optimize::LimitMap& map, QPointF shown, const Eigen::MatrixXd& places)
{
    PanelBoard board;
    Panel& panel = board.panels.emplace_back();
    panel.grid = PanelGrid::Both;
    panel.x = {withUnit(map.xName, map.xUnit), {map.x.front(), map.x.back(), map.xIsLog2}};
    panel.y = {withUnit(map.yName, map.yUnit), {map.y.front(), map.y.back(), map.yIsLog2}};
    addLimits(panel, map);
    addPlaces(panel, places);
    panel.dots.push_back({.x = shown.x(), .y = shown.y(), .role = DotRole::Setting, .isHandle = true});
    setBoard(std::move(board));
}

void LimitPlot::placeAsked(QPointF values)
{
    emit placeRequested(values.x(), values.y());
}

void LimitPlot::keyPressEvent(QKeyEvent* event)
{
    const double step = kKeyStep * (event->modifiers() & Qt::ShiftModifier ? 0.2 : 1.0);
    const double x = event->key() == Qt::Key_Right ? step : event->key() == Qt::Key_Left ? -step : 0.0;
    const double y = event->key() == Qt::Key_Up ? step : event->key() == Qt::Key_Down ? -step : 0.0;
    if (board().panels.empty() || (x == 0.0 && y == 0.0) || event->modifiers() & Qt::ControlModifier)
        return PanelPlot::keyPressEvent(event);
    emit stepRequested(x, y);
}

} // namespace quadric::widgets
