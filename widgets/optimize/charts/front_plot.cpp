// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/front_plot.h"

#include "widgets/text/wording.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::widgets {

namespace {

constexpr double kMargin = 0.06; ///< of the range, left free around the points

double valueOf(const optimize::FrontPoint& point, const std::string& response)
{
    for (const auto& [name, value] : point.responses)
        if (name == response)
            return value;
    return std::numeric_limits<double>::quiet_NaN();
}

AxisScale scaleOf(const std::vector<QPointF>& points, const FrontSurroundings& around, bool isX)
{
    std::vector<double> values;
    const auto add = [&](double x, double y) { values.push_back(isX ? x : y); };
    for (const QPointF& point : points)
        add(point.x(), point.y());
    for (const PanelDot& run : around.runs)
        add(run.x, run.y);
    if (around.shown)
        add(around.shown->x(), around.shown->y());
    return scaleOver(values, false, kMargin);
}

/// The title with an arrow along the axis, whose end is at the right or on top.
QString directedTitle(const FrontAxis& axis)
{
    switch (axis.goal) {
    case study::Goal::Maximize:
        return FrontPlot::tr("%1: better →").arg(axis.title);
    case study::Goal::Minimize:
        return FrontPlot::tr("← better: %1").arg(axis.title);
    case study::Goal::Target:
        return FrontPlot::tr("%1: to a target").arg(axis.title);
    case study::Goal::None:
        break;
    }
    return axis.title;
}

/// The colors of the desirabilities.
AxisScale colorsOf(const std::vector<double>& overall)
{
    const AxisScale scale = scaleOver(overall, false);
    return {std::max(0.0, scale.low), std::min(1.0, scale.high), false};
}

std::vector<LegendEntry> legendOf(const FrontSurroundings& around)
{
    std::vector<LegendEntry> entries;
    if (!around.runs.empty())
        entries.push_back({.text = FrontPlot::tr("observed run"), .dot = DotRole::Observed});
    entries.push_back({.text = around.overall.empty() ? FrontPlot::tr("on the front")
                                                      : FrontPlot::tr("on the front, color: D"),
                       .dot = DotRole::Choice,
                       .level = around.overall.empty() ? 0.0 : 0.6});
    if (around.shown)
        entries.push_back({.text = FrontPlot::tr("setting shown"), .dot = DotRole::Shown});
    return entries;
}

} // namespace

FrontPlot::FrontPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Pareto front"));
}

void FrontPlot::setFront(const std::vector<optimize::FrontPoint>& front, const FrontAxis& x,
                         const FrontAxis& y, const QStringList& tips)
{
    m_tips = tips;
    m_x = x;
    m_y = y;
    m_points.clear();
    for (const optimize::FrontPoint& point : front)
        m_points.emplace_back(valueOf(point, x.response), valueOf(point, y.response));
    showBoard();
}

void FrontPlot::setSurroundings(FrontSurroundings around)
{
    m_around = std::move(around);
    if (!m_points.empty())
        showBoard();
}

void FrontPlot::clear(const QString& reason)
{
    m_points.clear();
    PanelPlot::clear(reason);
}

/// The points in their order, and after them the setting that is shown and the runs.
void FrontPlot::showBoard()
{
    Panel panel;
    panel.grid = PanelGrid::Both;
    panel.x = {directedTitle(m_x), scaleOf(m_points, m_around, true)};
    panel.y = {directedTitle(m_y), scaleOf(m_points, m_around, false)};
    for (std::size_t i = 0; i < m_points.size(); ++i)
        panel.dots.push_back({.x = m_points[i].x(),
                              .y = m_points[i].y(),
                              .role = DotRole::Choice,
                              .tip = m_tips.value(static_cast<qsizetype>(i))});
    PanelBoard board;
    if (m_around.overall.size() == m_points.size()) {
        board.colors = colorsOf(m_around.overall);
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            panel.dots[i].level = board.colors->fractionOf(m_around.overall[i]);
            panel.dots[i].tip += tr("\nD = %1").arg(desirabilityText(m_around.overall[i]));
        }
    }
    if (m_around.shown)
        panel.dots.push_back({.x = m_around.shown->x(), .y = m_around.shown->y(), .role = DotRole::Shown});
    panel.dots.insert(panel.dots.end(), m_around.runs.begin(), m_around.runs.end());
    board.legend = legendOf(m_around);
    board.panels.push_back(std::move(panel));
    setBoard(std::move(board));
}

void FrontPlot::dotClicked(const PanelDot& dot)
{
    const auto index = &dot - board().panels.front().dots.data();
    if (index < std::ssize(m_points))
        emit pointPicked(static_cast<int>(index));
    else
        PanelPlot::dotClicked(dot);
}

void FrontPlot::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_points.empty() || event->modifiers() & Qt::ControlModifier)
        return PanelPlot::keyPressEvent(event);
    emit pointPicked(std::clamp(indexOfShown() + step, 0, static_cast<int>(m_points.size()) - 1));
}

/// The point that is shown, or the one nearest to it on the axes.
int FrontPlot::indexOfShown() const
{
    const PanelFrame frame = layoutOnScreen().frames().front();
    const QPointF shown = m_around.shown.value_or(m_points.front());
    const QPointF place = frame.at(shown.x(), shown.y());
    const auto nearest = std::ranges::min_element(m_points, {}, [&](const QPointF& point) {
        const QPointF away = frame.at(point.x(), point.y()) - place;
        return std::hypot(away.x(), away.y());
    });
    return static_cast<int>(nearest - m_points.begin());
}

} // namespace quadric::widgets
