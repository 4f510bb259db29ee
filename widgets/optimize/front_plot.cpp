// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/front_plot.h"

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

AxisScale scaleOf(const std::vector<QPointF>& points, const std::optional<QPointF>& shown, bool isX)
{
    std::vector<double> values;
    values.reserve(points.size());
    for (const QPointF& point : points)
        values.push_back(isX ? point.x() : point.y());
    if (shown)
        values.push_back(isX ? shown->x() : shown->y());
    return scaleOver(values, false, kMargin);
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

void FrontPlot::setShown(std::optional<QPointF> shown)
{
    m_shown = shown;
    if (!m_points.empty())
        showBoard();
}

void FrontPlot::clear(const QString& reason)
{
    m_points.clear();
    PanelPlot::clear(reason);
}

/// The points in their order, and the setting that is shown after them.
void FrontPlot::showBoard()
{
    Panel panel;
    panel.grid = PanelGrid::Both;
    panel.x = {m_x.title, scaleOf(m_points, m_shown, true)};
    panel.y = {m_y.title, scaleOf(m_points, m_shown, false)};
    for (std::size_t i = 0; i < m_points.size(); ++i)
        panel.dots.push_back({.x = m_points[i].x(),
                              .y = m_points[i].y(),
                              .role = DotRole::Choice,
                              .tip = m_tips.value(static_cast<qsizetype>(i))});
    PanelBoard board;
    board.legend = {{LegendEntry::Sample::Dot, tr("Pareto-optimal setting"), DotRole::Choice}};
    if (m_shown) {
        panel.dots.push_back({.x = m_shown->x(), .y = m_shown->y(), .role = DotRole::Shown});
        board.legend.push_back({LegendEntry::Sample::Dot, tr("setting shown"), DotRole::Shown});
    }
    board.panels.push_back(std::move(panel));
    setBoard(std::move(board));
}

void FrontPlot::dotClicked(const PanelDot& dot)
{
    const auto index = &dot - board().panels.front().dots.data();
    if (index < std::ssize(m_points))
        emit pointPicked(static_cast<int>(index));
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
    const QPointF shown = m_shown.value_or(m_points.front());
    const QPointF place = frame.at(shown.x(), shown.y());
    const auto nearest = std::ranges::min_element(m_points, {}, [&](const QPointF& point) {
        const QPointF away = frame.at(point.x(), point.y()) - place;
        return std::hypot(away.x(), away.y());
    });
    return static_cast<int>(nearest - m_points.begin());
}

} // namespace quadric::widgets
