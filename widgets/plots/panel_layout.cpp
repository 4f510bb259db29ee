// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel_layout.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kNarrowestPanel = 84.0;    ///< pixels; below this the panels go to another row
constexpr double kLowestPanel = 64.0;       ///< pixels; another row that leaves less is not made
constexpr double kWidestTitle = 180.0;      ///< pixels; longer titles take no columns away
constexpr double kComfortablePanel = 110.0; ///< pixels; so high panels must stay for the sake of their titles
constexpr double kPanelGap = 12.0;
constexpr double kTickRoom = 7.0; ///< of tick and the space between it and its label

double widestLabel(const std::vector<Tick>& ticks, const QFontMetricsF& metrics)
{
    double width = 0.0;
    for (const Tick& tick : ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width;
}

std::vector<Tick> elided(std::vector<Tick> ticks, double room, const QFontMetricsF& metrics)
{
    for (Tick& tick : ticks)
        tick.label = metrics.elidedText(tick.label, Qt::ElideRight, room);
    return ticks;
}

std::vector<Tick> xTicksOf(const PanelAxis& axis, double width, const QFontMetricsF& metrics)
{
    if (axis.ticks.empty())
        return horizontalTicks(axis.scale, width, metrics);
    return elided(axis.ticks, width / static_cast<double>(axis.ticks.size()) - 3.0, metrics);
}

std::vector<Tick> yTicksOf(const PanelAxis& axis, double height, const QFontMetricsF& metrics)
{
    return axis.ticks.empty() ? verticalTicks(axis.scale, height, metrics) : axis.ticks;
}

/// So wide a panel must be to show its title, if that is not asked too much.
double titledWidth(const PanelBoard& board, const PlotStyle& style)
{
    const QFontMetricsF metrics(style.title);
    double width = kNarrowestPanel;
    for (const Panel& panel : board.panels)
        width = std::max(width, metrics.horizontalAdvance(panel.title) + 2.0);
    return std::min(width, kWidestTitle);
}

int rowsOf(int panels, int columns)
{
    return (panels + columns - 1) / columns;
}

} // namespace

std::vector<std::vector<LegendEntry>> legendLines(const std::vector<LegendEntry>& entries, double width,
                                                  const PlotStyle& style)
{
    const QFontMetricsF metrics(style.small);
    std::vector<std::vector<LegendEntry>> lines;
    double room = 0.0;
    for (const LegendEntry& entry : entries) {
        const double own = kLegendSample + metrics.horizontalAdvance(entry.text);
        if (lines.empty() || own > room) {
            lines.emplace_back();
            room = width;
        }
        lines.back().push_back(entry);
        room -= own + kLegendGap;
    }
    return lines;
}

double legendLineHeight(const PlotStyle& style)
{
    return style.smallHeight() + 4.0;
}

QPointF PanelFrame::at(double x, double y) const
{
    constexpr double kFar = 1e4; // painters do not like coordinates beyond it
    return {std::clamp(xOf(x), inner.left() - kFar, inner.right() + kFar),
            std::clamp(yOf(y), inner.top() - kFar, inner.bottom() + kFar)};
}

PanelLayout::PanelLayout(const PanelBoard& board, const QRectF& area, const PlotStyle& style)
    : m_style(style)
{
    if (board.panels.empty())
        return;
    const bool hasTitles = std::ranges::any_of(
        board.panels, [](const Panel& panel) { return !panel.title.isEmpty() || !panel.note.isEmpty(); });
    const double legendHeight =
        static_cast<double>(legendLines(board.legend, area.width(), style).size()) * legendLineHeight(style);
    m_legend = {area.left(), area.top(), area.width(), legendHeight};
    const double top = hasTitles ? style.lineHeight() + 4.0 : 4.0;
    const double bottom = style.smallHeight() + style.lineHeight() + 12.0;
    const double left = leftRoom(board, area.height());
    const QSizeF size(area.width(), area.height() - legendHeight);
    chooseColumns(board, size, left, top + bottom);
    const double sides = left * (board.sharesY ? 1 : m_columns) + kPanelGap * m_columns;
    const QSizeF inner(std::max(8.0, (size.width() - sides) / m_columns),
                       std::max(8.0, size.height() / m_rows - top - bottom));
    for (std::size_t i = 0; i < board.panels.size(); ++i) {
        const int column = static_cast<int>(i) % m_columns;
        const int row = static_cast<int>(i) / m_columns;
        const double x =
            area.left() + left * (board.sharesY ? 1 : column + 1) + column * (inner.width() + kPanelGap);
        const double y = area.top() + legendHeight + top + row * (inner.height() + top + bottom);
        PanelFrame frame = frameOf(board, i, {QPointF(x, y), inner});
        frame.left = left;
        m_frames.push_back(std::move(frame));
    }
}

double PanelLayout::leftRoom(const PanelBoard& board, double height) const
{
    const QFontMetricsF small(m_style.small);
    double labels = 0.0;
    bool hasTitle = false;
    for (const Panel& panel : board.panels) {
        labels = std::max(labels, widestLabel(yTicksOf(panel.y, height, small), small));
        hasTitle = hasTitle || !panel.y.title.isEmpty();
    }
    return labels + kTickRoom + (hasTitle ? m_style.lineHeight() + 2.0 : 0.0);
}

void PanelLayout::chooseColumns(const PanelBoard& board, const QSizeF& size, double left, double around)
{
    const int panels = static_cast<int>(board.panels.size());
    const int count = board.keepsColumns ? std::max(panels, board.columns) : panels;
    const auto columnsOf = [&](double narrowest) {
        const double own = narrowest + kPanelGap + (board.sharesY ? 0.0 : left);
        const double width = size.width() - (board.sharesY ? left : 0.0);
        const int fitting = std::clamp(static_cast<int>(width / own), 1, count);
        return board.columns > 0 ? std::min(fitting, board.columns) : fitting;
    };
    m_columns = columnsOf(titledWidth(board, m_style));
    if (size.height() / rowsOf(count, m_columns) - around < kComfortablePanel)
        m_columns = columnsOf(kNarrowestPanel);
    m_rows = rowsOf(count, m_columns);
    const int room = std::max(1, static_cast<int>(size.height() / (around + kLowestPanel)));
    if (m_rows > room)
        m_rows = board.columns > 0 ? rowsOf(count, std::min(board.columns, count)) : room;
    m_columns = rowsOf(count, m_rows);
}

PanelFrame PanelLayout::frameOf(const PanelBoard& board, std::size_t index, const QRectF& inner) const
{
    const Panel& panel = board.panels[index];
    const QFontMetricsF small(m_style.small);
    PanelFrame frame;
    frame.inner = inner;
    frame.xScale = panel.x.scale;
    frame.yScale = panel.y.scale;
    frame.xTicks = xTicksOf(panel.x, inner.width(), small);
    frame.yTicks = yTicksOf(panel.y, inner.height(), small);
    frame.hasYLabels = !board.sharesY || index % static_cast<std::size_t>(m_columns) == 0;
    return frame;
}

} // namespace quadric::widgets
