// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel_plot.h"

#include "widgets/plots/panel_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kDotReach = 9.0; ///< pixels around a dot that belong to it

/// Runs of the first panel that has any, from left to right.
std::vector<int> runsInOrder(const PanelBoard& board)
{
    for (const Panel& panel : board.panels) {
        std::vector<const PanelDot*> dots;
        for (const PanelDot& dot : panel.dots)
            if (dot.run >= 0)
                dots.push_back(&dot);
        if (dots.empty())
            continue;
        std::ranges::stable_sort(dots, {}, [](const PanelDot* dot) { return std::pair(dot->x, dot->y); });
        std::vector<int> runs;
        runs.reserve(dots.size());
        for (const PanelDot* dot : dots)
            runs.push_back(dot->run);
        return runs;
    }
    return {};
}

} // namespace

PanelPlot::PanelPlot(QWidget* parent)
    : Plot(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

PanelPlot::~PanelPlot() = default;

void PanelPlot::setBoard(PanelBoard board, const QString& reason)
{
    m_board = std::move(board);
    m_reason = reason;
    update();
}

void PanelPlot::clear(const QString& reason)
{
    setBoard({}, reason);
}

std::vector<std::shared_ptr<PanelPlot>> PanelPlot::inRows(std::size_t columns) const
{
    std::vector<std::shared_ptr<PanelPlot>> rows;
    const std::vector<Panel>& panels = m_board.panels;
    for (std::size_t first = 0; first < panels.size(); first += columns) {
        PanelBoard board;
        if (first == 0) {
            board.title = m_board.title;
            board.legend = m_board.legend;
        }
        board.panels.assign(panels.begin() + static_cast<std::ptrdiff_t>(first),
                            panels.begin() +
                                static_cast<std::ptrdiff_t>(std::min(first + columns, panels.size())));
        board.columns = static_cast<int>(columns);
        board.keepsColumns = panels.size() > columns;
        board.sharesY = m_board.sharesY;
        rows.push_back(std::make_shared<PanelPlot>());
        rows.back()->setBoard(std::move(board));
        rows.back()->setAccessibleName(accessibleName());
        rows.back()->setSimulated(isSimulated());
    }
    return rows;
}

void PanelPlot::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    const QRectF area = drawHeader(painter, target, style, m_board.title, isSimulated());
    if (m_board.panels.empty())
        drawReason(painter, area, style, m_reason);
    const PanelLayout layout(m_board, area, style);
    paintLegend(painter, layout.legend(), m_board.legend, style);
    for (std::size_t i = 0; i < layout.frames().size(); ++i) {
        paintFrame(painter, layout.frames()[i], m_board.panels[i], style);
        paintContent(painter, layout.frames()[i], m_board.panels[i], style, pickedRun());
    }
    painter.restore();
}

PanelLayout PanelPlot::layoutOnScreen() const
{
    const PlotStyle style = plotStyle(*this, false);
    const bool hasHeader = !m_board.title.isEmpty() || isSimulated();
    return {m_board, areaBelowHeader(rect(), style, hasHeader), style};
}

const PanelDot* PanelPlot::dotAt(QPointF position) const
{
    const PanelLayout layout = layoutOnScreen();
    const PanelDot* nearest = nullptr;
    double reach = kDotReach;
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        for (const PanelDot& dot : m_board.panels[i].dots) {
            const QPointF offset = layout.frames()[i].at(dot.x, dot.y) - position;
            const double distance = std::hypot(offset.x(), offset.y());
            if (!(distance <= reach))
                continue;
            reach = distance;
            nearest = &dot;
        }
    return nearest;
}

std::optional<QPointF> PanelPlot::positionOf(int run) const
{
    const PanelLayout layout = layoutOnScreen();
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        for (const PanelDot& dot : m_board.panels[i].dots)
            if (dot.run == run)
                return layout.frames()[i].at(dot.x, dot.y);
    return {};
}

QString PanelPlot::tipAt(QPointF position) const
{
    if (const PanelDot* dot = dotAt(position))
        return dot->tip;
    const PanelLayout layout = layoutOnScreen();
    for (std::size_t i = 0; i < layout.frames().size(); ++i)
        for (const PanelBar& bar : m_board.panels[i].bars) {
            const PanelFrame& frame = layout.frames()[i];
            if (QRectF(frame.at(bar.from, bar.height), frame.at(bar.to, frame.yScale.low)).contains(position))
                return bar.tip;
        }
    return {};
}

void PanelPlot::mouseMoveEvent(QMouseEvent* event)
{
    const QString tip = tipAt(event->position());
    if (tip.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(event->globalPosition().toPoint(), tip, this);
}

void PanelPlot::mousePressEvent(QMouseEvent* event)
{
    const PanelDot* dot = event->button() == Qt::LeftButton ? dotAt(event->position()) : nullptr;
    if (dot != nullptr && dot->run >= 0)
        emit runPicked(dot->run);
    else
        Plot::mousePressEvent(event);
}

void PanelPlot::keyPressEvent(QKeyEvent* event)
{
    if (const auto run = runByKey(*event, runsInOrder(m_board), pickedRun()))
        emit runPicked(*run);
    else
        Plot::keyPressEvent(event);
}

} // namespace quadric::widgets
