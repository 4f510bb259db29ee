// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/panel/panel_layout.h"

#include "widgets/plots/base/plot_annotations.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace quadric::widgets {

namespace {

constexpr double kNearest = 1e-3; ///< of an axis

/// The stretch as long as allowed, moved to where it lies on the axis.
std::pair<double, double> onAxis(double from, double to)
{
    const double length = std::clamp(to - from, kNearest, 1.0);
    const double start = std::clamp(from + ((to - from) - length) / 2.0, 0.0, 1.0 - length);
    return {start, start + length};
}

PanelView onPanel(double left, double right, double low, double high)
{
    const auto [fromX, toX] = onAxis(left, right);
    const auto [fromY, toY] = onAxis(low, high);
    return {fromX, toX, fromY, toY};
}

constexpr double kNarrowestPanel = 84.0;    ///< pixels; below this the panels go to another row
constexpr double kLowestPanel = 64.0;       ///< pixels; another row that leaves less is not made
constexpr double kWidestTitle = 180.0;      ///< pixels; longer titles take no columns away
constexpr double kComfortablePanel = 110.0; ///< pixels; so high panels must stay for the sake of their titles
constexpr double kPanelGap = 12.0;
constexpr double kTickRoom = 7.0;    ///< of tick and the space between it and its label
constexpr double kMostNames = 0.38;  ///< of the width, for the names of rows
constexpr double kHighestRow = 44.0; ///< pixels of a row of a category axis
constexpr double kLowestRow = 8.0;   ///< pixels of a row whose name can be read
constexpr double kTickGap = 3.0;     ///< between the labels of two ticks
constexpr double kTextGap = 8.0;     ///< between the axes and words at their right

double widestLabel(const std::vector<Tick>& ticks, const QFontMetricsF& metrics)
{
    double width = 0.0;
    for (const Tick& tick : ticks)
        width = std::max(width, metrics.horizontalAdvance(tick.label));
    return width;
}

std::vector<Tick> elided(std::vector<Tick> ticks, double room, Qt::TextElideMode where,
                         const QFontMetricsF& metrics)
{
    for (Tick& tick : ticks)
        tick.label = metrics.elidedText(tick.label, where, room);
    return ticks;
}

/// Every second one, third one, …, as few as have room for their labels, the first and the last among them.
std::vector<Tick> thinned(const std::vector<Tick>& ticks, double apart, const QFontMetricsF& metrics)
{
    const std::size_t last = ticks.size() - 1;
    const double need = widestLabel(ticks, metrics) + kTickGap;
    for (std::size_t stride = 1; stride <= last; ++stride) {
        if (last % stride != 0 || (apart * static_cast<double>(stride) < need && stride < last))
            continue;
        std::vector<Tick> kept;
        for (std::size_t i = 0; i <= last; i += stride)
            kept.push_back(ticks[i]);
        return kept;
    }
    return ticks;
}

std::vector<Tick> xTicksOf(const PanelAxis& axis, double width, const QFontMetricsF& metrics, double overhang)
{
    if (axis.ticks.empty() && !axis.isCategory)
        return horizontalTicks(axis.scale, width, metrics, overhang);
    const double apart = axis.ticks.size() < 2 ? 1.0
                                               : std::abs(axis.scale.fractionOf(axis.ticks[1].value) -
                                                          axis.scale.fractionOf(axis.ticks[0].value));
    return axis.isCategory ? elided(axis.ticks, width * apart - kTickGap, Qt::ElideRight, metrics)
                           : thinned(axis.ticks, width * apart, metrics);
}

std::vector<Tick> verticalAxisTicks(const PanelAxis& axis, double height, const QFontMetricsF& metrics)
{
    return axis.ticks.empty() ? verticalTicks(axis.scale, height, metrics) : axis.ticks;
}

void dropTicksOutside(std::vector<Tick>& ticks, const AxisScale& scale)
{
    constexpr double kAtEnd = 1e-6; // of the axis
    std::erase_if(ticks, [&scale](const Tick& tick) {
        const double share = scale.fractionOf(tick.value);
        return share < -kAtEnd || share > 1.0 + kAtEnd;
    });
}

/// Room at the right for the words of the bars, or for the bar of colors.
double rightRoom(const PanelBoard& board, double height, const PlotStyle& style)
{
    if (board.colors)
        return colorBarWidth(*board.colors, height, style);
    const QFontMetricsF metrics(style.font);
    double width = 0.0;
    for (const Panel& panel : board.panels)
        for (const PanelBar& bar : panel.bars)
            width = std::max(width, metrics.horizontalAdvance(bar.text));
    return width > 0.0 ? width + kTextGap : 0.0;
}

/// Rows of a category axis that have room one below the other.
double rowsIn(double height, const PlotStyle& style)
{
    return std::max(1.0, std::floor(height / (style.lineHeight() + 1.0)));
}

/// As large as squares for all cells can be.
QRectF fitSquare(const QRectF& inner, const PanelAxis& x, const PanelAxis& y)
{
    const double columns = x.scale.high - x.scale.low;
    const double rows = y.scale.high - y.scale.low;
    const double cell = std::max(1.0, std::min(inner.width() / columns, inner.height() / rows));
    return {inner.topLeft(), QSizeF(std::floor(cell * columns), std::floor(cell * rows))};
}

/// Height of each row that is seen in any case, in panels of this height.
double rowHeightOf(const PanelBoard& board, double height)
{
    int rows = 1;
    for (const Panel& panel : board.panels)
        rows = std::max(rows, panel.leastRows);
    return height / rows;
}

int countPanelRows(int panels, int columns)
{
    return (panels + columns - 1) / columns;
}

/// Without its legend nobody knows which curve is which.
bool namesCurves(const PanelBoard& board)
{
    return std::ranges::any_of(board.legend, [](const LegendEntry& entry) {
        return entry.sample == LegendEntry::Sample::Line && entry.category >= 0;
    });
}

double legendHeightOf(const PanelBoard& board, const QSizeF& area, const PlotStyle& style)
{
    QStringList texts;
    for (const LegendEntry& entry : board.legend)
        texts << entry.text;
    const int rows =
        board.columns > 0 ? countPanelRows(static_cast<int>(board.panels.size()), board.columns) : 1;
    if (!namesCurves(board)) // it must leave enough of each row
        return legendHeight(texts, {area.width(), area.height() / rows}, style);
    return static_cast<double>(legendLines(texts, area.width(), style).size()) * legendLineHeight(style);
}

/// What is seen of a panel that nobody has zoomed: of a category axis the first rows, as many as have room.
PanelView firstView(const Panel& panel, double height, const PlotStyle& style)
{
    PanelView view;
    const double rows = panel.y.scale.high - panel.y.scale.low;
    const double shown = std::max(rowsIn(height, style), std::min<double>(panel.leastRows, rows));
    if (panel.y.isCategory && panel.cells.empty() && shown < rows)
        view.low = 1.0 - shown / rows;
    return view;
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

} // namespace

AxisScale visiblePart(const AxisScale& scale, double from, double to)
{
    if (from == 0.0 && to == 1.0)
        return scale;
    return {scale.actualAt(from), scale.actualAt(to), scale.isLog2};
}

PanelView zoomed(const PanelView& view, double factor, QPointF at)
{
    const double width = view.right - view.left;
    const double height = view.high - view.low;
    const double x = view.left + at.x() * width;
    const double y = view.low + at.y() * height;
    const double shrink =
        std::clamp(1.0 / factor, kNearest / std::min(width, height), std::max(1.0 / width, 1.0 / height));
    return onPanel(x - at.x() * width * shrink, x + (1.0 - at.x()) * width * shrink,
                   y - at.y() * height * shrink, y + (1.0 - at.y()) * height * shrink);
}

PanelView moved(const PanelView& view, QPointF by)
{
    const double x = by.x() * (view.right - view.left);
    const double y = by.y() * (view.high - view.low);
    return onPanel(view.left - x, view.right - x, view.low - y, view.high - y);
}

PanelView zoomedInto(const PanelView& view, QPointF from, QPointF to)
{
    const auto x = [&view](double share) {
        return std::lerp(view.left, view.right, std::clamp(share, 0.0, 1.0));
    };
    const auto y = [&view](double share) {
        return std::lerp(view.low, view.high, std::clamp(share, 0.0, 1.0));
    };
    return onPanel(x(std::min(from.x(), to.x())), x(std::max(from.x(), to.x())),
                   y(std::min(from.y(), to.y())), y(std::max(from.y(), to.y())));
}

QPointF PanelFrame::shareAt(QPointF pixel) const
{
    return {(pixel.x() - inner.left()) / inner.width(), (inner.bottom() - pixel.y()) / inner.height()};
}

QPointF PanelFrame::at(double x, double y) const
{
    constexpr double kFar = 1e4; // painters do not like coordinates beyond it
    return {std::clamp(xOf(x), inner.left() - kFar, inner.right() + kFar),
            std::clamp(yOf(y), inner.top() - kFar, inner.bottom() + kFar)};
}

PanelLayout::PanelLayout(const PanelBoard& board, const QRectF& area, const PlotStyle& style,
                         const PanelViews& views)
    : m_style(style)
    , m_sharesY(board.sharesY)
{
    if (board.panels.empty())
        return;
    const bool hasTitles = std::ranges::any_of(
        board.panels, [](const Panel& panel) { return !panel.title.isEmpty() || !panel.note.isEmpty(); });
    m_legend = {area.topLeft(), QSizeF(area.width(), legendHeightOf(board, area.size(), style))};
    double top = hasTitles ? style.lineHeight() + 4.0 : 4.0;
    if (std::ranges::any_of(board.panels, [](const Panel& panel) { return !panel.limits.empty(); }))
        top = std::max(top, 2.0 * style.smallHeight() + kTickRoom); // for the names of limits
    const double bottom = style.smallHeight() + style.lineHeight() + 12.0;
    if (!namesCurves(board) &&
        rowHeightOf(board, area.height() - m_legend.height() - top - bottom) < kLowestRow)
        m_legend.setHeight(0.0); // names of rows come first
    m_left = std::ceil(leftRoom(board, area));
    const QSizeF size(area.width() - rightRoom(board, area.height(), style),
                      area.height() - m_legend.height());
    chooseColumns(board, size, top + bottom);
    const double sides = m_left * (board.sharesY ? 1 : m_columns) + kPanelGap * m_columns;
    const QSizeF inner(std::max(8.0, std::floor((size.width() - sides) / m_columns)),
                       std::max(8.0, std::floor(size.height() / m_rows - top - bottom)));
    for (std::size_t i = 0; i < board.panels.size(); ++i) {
        const int column = static_cast<int>(i) % m_columns;
        const int row = static_cast<int>(i) / m_columns;
        const double x =
            area.left() + m_left * (board.sharesY ? 1 : column + 1) + column * (inner.width() + kPanelGap);
        const double y = area.top() + m_legend.height() + top + row * (inner.height() + top + bottom);
        PanelFrame frame = layOutFrame(board, i, {QPointF(std::round(x), std::round(y)), inner}, views);
        frame.left = m_left;
        m_frames.push_back(std::move(frame));
    }
}

double PanelLayout::leftRoom(const PanelBoard& board, const QRectF& area) const
{
    const QFontMetricsF small(m_style.small);
    const double most = kMostNames * area.width();
    double labels = 0.0;
    bool hasTitle = false;
    for (const Panel& panel : board.panels) {
        const double names =
            panel.y.isCategory
                ? std::min(most, std::max(widestLabel(panel.y.ticks, QFontMetricsF(m_style.font)),
                                          widestLabel(panel.headings, QFontMetricsF(m_style.title))))
                : widestLabel(verticalAxisTicks(panel.y, area.height(), small), small);
        labels = std::max(labels, names);
        hasTitle = hasTitle || !panel.y.title.isEmpty();
    }
    return labels + kTickRoom + (hasTitle ? m_style.lineHeight() + 2.0 : 0.0);
}

void PanelLayout::chooseColumns(const PanelBoard& board, const QSizeF& size, double around)
{
    const int panels = static_cast<int>(board.panels.size());
    const int count = board.keepsColumns ? std::max(panels, board.columns) : panels;
    const auto columnsOf = [&](double narrowest) {
        const double own = narrowest + kPanelGap + (board.sharesY ? 0.0 : m_left);
        const double width = size.width() - (board.sharesY ? m_left : 0.0);
        const int fitting = std::clamp(static_cast<int>(width / own), 1, count);
        return board.columns > 0 ? std::min(fitting, board.columns) : fitting;
    };
    m_columns = columnsOf(titledWidth(board, m_style));
    if (size.height() / countPanelRows(count, m_columns) - around < kComfortablePanel)
        m_columns = columnsOf(kNarrowestPanel);
    m_rows = countPanelRows(count, m_columns);
    const int room = std::max(1, static_cast<int>(size.height() / (around + kLowestPanel)));
    if (m_rows > room)
        m_rows = board.columns > 0 ? countPanelRows(count, std::min(board.columns, count)) : room;
    m_columns = countPanelRows(count, m_rows);
}

PanelFrame PanelLayout::layOutFrame(const PanelBoard& board, std::size_t index, const QRectF& inner,
                                    const PanelViews& views) const
{
    PanelAxis x = board.panels[index].x, y = board.panels[index].y;
    const QFontMetricsF small(m_style.small);
    PanelFrame frame;
    frame.inner = inner;
    frame.view = firstView(board.panels[index], inner.height(), m_style);
    if (y.isCategory)
        frame.inner.setHeight(
            std::min(inner.height(), std::floor(kHighestRow * (y.scale.high - y.scale.low))));
    if (!board.panels[index].cells.empty())
        frame.inner = fitSquare(inner, x, y);
    if (index < views.size() && views[index])
        frame.view = *views[index];
    frame.xScale = x.scale = visiblePart(x.scale, frame.view.left, frame.view.right);
    frame.yScale = y.scale = visiblePart(y.scale, frame.view.low, frame.view.high);
    frame.xTicks = xTicksOf(x, inner.width(), small,
                            m_columns > 1 ? kPanelGap / 2.0 - 1.0 : INFINITY); // two labels never touch
    frame.yTicks = y.isCategory
                       ? elided(y.ticks, m_left - kTickRoom, Qt::ElideMiddle, QFontMetricsF(m_style.font))
                       : verticalAxisTicks(y, inner.height(), small);
    dropTicksOutside(frame.xTicks, frame.xScale);
    dropTicksOutside(frame.yTicks, frame.yScale);
    if (y.isCategory)
        frame.rowHeight = frame.inner.height() / (y.scale.high - y.scale.low);
    if (y.isCategory && frame.rowHeight < kLowestRow)
        frame.yTicks.clear(); // too narrow for names
    frame.hasYLabels = !board.sharesY || index % static_cast<std::size_t>(m_columns) == 0;
    return frame;
}

std::optional<std::size_t> PanelLayout::panelAt(QPointF pixel) const
{
    const auto found = std::ranges::find_if(
        m_frames, [pixel](const PanelFrame& frame) { return frame.inner.contains(pixel); });
    if (found == m_frames.end())
        return {};
    return static_cast<std::size_t>(found - m_frames.begin());
}

} // namespace quadric::widgets
