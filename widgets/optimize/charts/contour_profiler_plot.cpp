// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/contour_profiler_plot.h"

#include "widgets/optimize/charts/limit_regions.h"
#include "widgets/plots/base/plot_style.h"

#include <QKeyEvent>

namespace quadric::widgets {

namespace {

constexpr double kKeyStep = 0.05; ///< of an axis; a fifth of it with Shift

} // namespace

ContourProfilerPlot::ContourProfilerPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Contour profiler"));
}

void ContourProfilerPlot::setProfile(const ContourProfile& profile)
{
    const optimize::LimitMap& map = profile.map;
    PanelBoard board;
    Panel& panel = board.panels.emplace_back();
    panel.grid = PanelGrid::Both;
    panel.x = {withUnit(map.xName, map.xUnit), {map.x.front(), map.x.back(), map.xIsLog2}};
    panel.y = {withUnit(map.yName, map.yUnit), {map.y.front(), map.y.back(), map.yIsLog2}};
    addLimits(panel, map);
    addContoursAt(panel, map, profile.contours);
    addUnsupported(board, panel, map, profile.support);
    addFailures(board, panel, map);
    addConstraints(board, panel, map);
    addPlaces(board, panel, profile.places);
    panel.dots.push_back(
        {.x = profile.shown.x(),
         .y = profile.shown.y(),
         .role = DotRole::Setting,
         .tip = profile.reading ? profile.reading(profile.shown.x(), profile.shown.y()) : QString(),
         .isHandle = true});
    panel.reading = profile.reading;
    setBoard(std::move(board));
}

void ContourProfilerPlot::placeAsked(QPointF values)
{
    emit placeRequested(values.x(), values.y());
}

void ContourProfilerPlot::keyPressEvent(QKeyEvent* event)
{
    const double step = kKeyStep * (event->modifiers() & Qt::ShiftModifier ? 0.2 : 1.0);
    const double x = event->key() == Qt::Key_Right ? step : event->key() == Qt::Key_Left ? -step : 0.0;
    const double y = event->key() == Qt::Key_Up ? step : event->key() == Qt::Key_Down ? -step : 0.0;
    if (board().panels.empty() || (x == 0.0 && y == 0.0) || event->modifiers() & Qt::ControlModifier)
        return PanelPlot::keyPressEvent(event);
    emit stepRequested(x, y);
}

} // namespace quadric::widgets
