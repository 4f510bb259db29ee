// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/interaction_matrix.h"

#include "widgets/plots/effect_plots.h"
#include "widgets/plots/panel/panel_look.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace quadric::widgets {

namespace {

constexpr double kGap = 4.0;           ///< between two cells, in pixels
constexpr double kSample = 18.0;       ///< of a line, beside the level that it is of
constexpr double kMostLevels = 0.2;    ///< of the width, for the names of levels at the right
constexpr double kSignificance = 0.12; ///< opacity of the tint of a significant interaction
constexpr double kInset = 4.0;         ///< between a cell and its curves

bool isNumeric(const model::EffectCurve& curve)
{
    return curve.categories.empty();
}

/// A line through some of the points of a curve.
void paintStretch(QPainter& painter, const QPolygonF& points, LineRole role, int category,
                  const PlotStyle& style)
{
    painter.setPen(linePen(role, category, style));
    painter.drawPolyline(points);
}

/// Extrapolated stretches look otherwise.
void paintCurve(QPainter& painter, const model::EffectCurve& curve, const QPolygonF& points, int category,
                const PlotStyle& style)
{
    QPolygonF stretch;
    bool wasGuess = false;
    for (qsizetype i = 0; i < points.size(); ++i) {
        const auto index = static_cast<std::size_t>(i);
        const bool isGuess = index < curve.isExtrapolation.size() && curve.isExtrapolation[index];
        if (i > 0 && isGuess != wasGuess) {
            paintStretch(painter, stretch << points[i], wasGuess ? LineRole::Extrapolation : LineRole::Fit,
                         category, style);
            stretch = {points[i]};
        } else {
            stretch << points[i];
        }
        wasGuess = isGuess;
    }
    paintStretch(painter, stretch, wasGuess ? LineRole::Extrapolation : LineRole::Fit, category, style);
}

/// Levels of a categorical factor as short bars.
void paintLevelBars(QPainter& painter, const QPolygonF& points, double half, int category,
                    const PlotStyle& style)
{
    painter.setPen(linePen(LineRole::Fit, category, style));
    for (const QPointF& point : points)
        painter.drawLine(point - QPointF(half, 0.0), point + QPointF(half, 0.0));
}

/// Both ends of a numeric factor, all levels of a categorical one, as far as there is room for all of them.
void paintFactorTicks(QPainter& painter, const QRectF& area, const model::EffectCurve& curve,
                      const PlotStyle& style)
{
    const PanelAxis axis = factorAxis(curve);
    const QFontMetricsF metrics(style.small);
    const auto paint = [&](const QRectF& place, int alignment, const QString& text) {
        drawLine(painter, place, alignment, style.small, style.colors.mutedText, text);
    };
    if (isNumeric(curve)) {
        const QString low = formatNumber(curve.actual.front()), high = formatNumber(curve.actual.back());
        if (metrics.horizontalAdvance(low + high) + 4.0 > area.width())
            return;
        paint(area, Qt::AlignLeft, low);
        paint(area, Qt::AlignRight, high);
        return;
    }
    const double room = area.width() / static_cast<double>(axis.ticks.size());
    const auto fits = [&](const Tick& tick) { return metrics.horizontalAdvance(tick.label) <= room; };
    for (const Tick& tick : axis.ticks)
        if (std::ranges::all_of(axis.ticks, fits))
            paint({area.left() + axis.scale.fractionOf(tick.value) * area.width() - room / 2.0, area.top(),
                   room, area.height()},
                  Qt::AlignHCenter, tick.label);
}

double widestLevel(const std::vector<std::vector<model::InteractionPlot>>& cells,
                   const QFontMetricsF& metrics)
{
    double width = 0.0;
    for (const auto& row : cells)
        for (const model::InteractionPlot& cell : row)
            for (const model::InteractionLine& line : cell.lines)
                width = std::max(width, metrics.horizontalAdvance(levelText(line)));
    return width;
}

} // namespace

struct InteractionMatrix::Layout {
    QRectF inner; ///< all cells
    double width = 0.0, height = 0.0;

    QRectF cell(std::size_t row, std::size_t column) const
    {
        return {inner.left() + static_cast<double>(column) * (width + kGap),
                inner.top() + static_cast<double>(row) * (height + kGap), width, height};
    }
};

InteractionMatrix::InteractionMatrix(QWidget* parent)
    : Plot(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Interaction profiler"));
    clear(tr("No effects yet."));
}

void InteractionMatrix::setCells(std::vector<std::vector<model::InteractionPlot>> cells,
                                 const std::vector<model::FactorPair>& pairs)
{
    if (cells.size() < 2)
        return clear(tr("Interactions need two factors."));
    m_cells = std::move(cells);
    m_pairs = pairs;
    std::vector<double> values;
    for (const auto& row : m_cells)
        for (const model::InteractionPlot& cell : row)
            for (const model::InteractionLine& line : cell.lines)
                values.insert(values.end(), line.curve.mean.begin(), line.curve.mean.end());
    m_response = scaleOver(values, false, 0.05);
    const model::EffectCurve& first = along(0).lines.front().curve;
    m_title = nameWithUnit(first.response, first.responseUnit);
    update();
}

void InteractionMatrix::clear(const QString& reason)
{
    m_cells.clear();
    m_pairs.clear();
    m_title.clear();
    m_reason = reason;
    update();
}

const model::FactorPair* InteractionMatrix::pairOf(std::size_t row, std::size_t column) const
{
    const auto found = std::ranges::find_if(m_pairs, [row, column](const model::FactorPair& pair) {
        return pair.first == std::min(row, column) && pair.second == std::max(row, column);
    });
    return found == m_pairs.end() ? nullptr : &*found;
}

InteractionMatrix::Layout InteractionMatrix::layoutIn(const QRectF& area, const PlotStyle& style) const
{
    const QFontMetricsF small(style.small);
    const double gaps = kGap * static_cast<double>(m_cells.size() - 1);
    const double inside = area.height() - 2.0 - style.smallHeight() - 4.0;
    Layout layout;
    layout.height = std::max(8.0, (inside - gaps) / static_cast<double>(m_cells.size()));
    double labels = 0.0;
    for (const Tick& tick : verticalTicks(m_response, layout.height, small))
        labels = std::max(labels, small.horizontalAdvance(tick.label));
    const double levels = std::min(kMostLevels * area.width(), widestLevel(m_cells, small)) + kSample + 8.0;
    layout.inner = area.adjusted(labels + 8.0, 2.0, -levels, -style.smallHeight() - 4.0);
    layout.width = std::max(8.0, (layout.inner.width() - gaps) / static_cast<double>(m_cells.size()));
    return layout;
}

void InteractionMatrix::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const PlotStyle style = plotStyle(*this, forPrint);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = paintHeader(painter, target, style, m_title);
    if (m_cells.empty()) {
        drawReason(painter, area, style, m_reason);
    } else {
        const Layout layout = layoutIn(area, style);
        for (std::size_t row = 0; row < m_cells.size(); ++row) {
            for (std::size_t column = 0; column < m_cells.size(); ++column)
                if (row == column)
                    paintName(painter, layout.cell(row, column), row, style);
                else
                    paintCell(painter, layout.cell(row, column), row, column, style);
            const QRectF last = layout.cell(row, m_cells.size() - 1);
            paintLevels(painter,
                        {last.right() + 6.0, last.top(), target.right() - last.right() - 6.0, last.height()},
                        row, style);
        }
        paintTicks(painter, layout, style);
    }
    painter.restore();
}

/// On the diagonal, where curves would say nothing.
void InteractionMatrix::paintName(QPainter& painter, const QRectF& cell, std::size_t factor,
                                  const PlotStyle& style) const
{
    const model::EffectCurve& curve = along(factor).lines.front().curve;
    const bool hasUnit = !curve.unit.empty() && cell.height() > 2.2 * style.lineHeight();
    const QRectF line(cell.left() + 2.0,
                      cell.center().y() - (hasUnit ? style.lineHeight() : style.lineHeight() / 2.0),
                      cell.width() - 4.0, style.lineHeight());
    const QString name = nameText(curve.factor);
    const bool isLong = QFontMetricsF(style.title).horizontalAdvance(name) > line.width();
    drawLine(painter, line, Qt::AlignCenter, isLong ? style.small : style.title, style.colors.text, name);
    if (hasUnit)
        drawLine(painter, line.translated(0.0, style.lineHeight()), Qt::AlignCenter, style.small,
                 style.colors.mutedText, nameText(curve.unit));
}

void InteractionMatrix::paintCell(QPainter& painter, const QRectF& cell, std::size_t row, std::size_t column,
                                  const PlotStyle& style) const
{
    const model::FactorPair* pair = pairOf(row, column);
    painter.setPen(QPen(style.colors.grid, 1.0));
    painter.setBrush(pair != nullptr && pair->isSignificant()
                         ? QBrush(blend(style.colors.accent, style.colors.background, kSignificance))
                         : QBrush(Qt::NoBrush));
    painter.drawRect(cell);
    painter.setBrush(Qt::NoBrush);
    const QRectF inner = cell.adjusted(kInset, 2.0, -kInset, -2.0);
    for (std::size_t i = 0; i < m_cells[row][column].lines.size(); ++i) {
        const model::EffectCurve& curve = m_cells[row][column].lines[i].curve;
        const AxisScale scale = factorAxis(curve).scale;
        QPolygonF points;
        for (std::size_t k = 0; k < curve.mean.size(); ++k)
            points << QPointF(inner.left() + scale.fractionOf(curve.actual[k]) * inner.width(),
                              inner.bottom() - m_response.fractionOf(curve.mean[k]) * inner.height());
        if (isNumeric(curve))
            paintCurve(painter, curve, points, static_cast<int>(i), style);
        else
            paintLevelBars(painter, points, 0.3 * inner.width() / static_cast<double>(points.size()),
                           static_cast<int>(i), style);
    }
}

/// The response beside each row, the ends (the levels) of each column's factor below the last one.
void InteractionMatrix::paintTicks(QPainter& painter, const Layout& layout, const PlotStyle& style) const
{
    const QFontMetricsF small(style.small);
    const double line = style.smallHeight();
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const QRectF row = layout.cell(i, 0);
        for (const Tick& tick : verticalTicks(m_response, row.height(), small))
            drawLine(painter,
                     {row.left() - 206.0,
                      row.bottom() - m_response.fractionOf(tick.value) * row.height() - line / 2.0, 200.0,
                      line},
                     Qt::AlignRight | Qt::AlignVCenter, style.small, style.colors.mutedText, tick.label);
        const QRectF column = layout.cell(m_cells.size() - 1, i);
        paintFactorTicks(painter, {column.left(), column.bottom() + 2.0, column.width(), line},
                         along(i).lines.front().curve, style);
    }
}

/// What the curves of a row stand for.
void InteractionMatrix::paintLevels(QPainter& painter, const QRectF& area, std::size_t row,
                                    const PlotStyle& style) const
{
    const std::vector<model::InteractionLine>& lines = across(row).lines;
    const double line = style.smallHeight();
    const auto shown = std::min(lines.size(), static_cast<std::size_t>(std::max(0.0, area.height() / line)));
    double y = area.center().y() + (static_cast<double>(shown) / 2.0 - 1.0) * line; // the low end below
    for (std::size_t i = 0; i < shown; ++i, y -= line) {
        painter.setPen(categoryPen(static_cast<int>(i), style));
        painter.drawLine(QPointF(area.left(), y + line / 2.0),
                         QPointF(area.left() + kSample, y + line / 2.0));
        drawLine(painter, {area.left() + kSample + 4.0, y, area.width() - kSample - 4.0, line},
                 Qt::AlignLeft | Qt::AlignVCenter, style.small, style.colors.text, levelText(lines[i]));
    }
}

QRectF InteractionMatrix::cellOnScreen(std::size_t row, std::size_t column) const
{
    const PlotStyle style = plotStyle(*this, false);
    return layoutIn(areaBelowHeader(rect(), style, true), style).cell(row, column);
}

std::optional<std::pair<std::size_t, std::size_t>> InteractionMatrix::cellAt(QPointF place) const
{
    for (std::size_t row = 0; row < m_cells.size(); ++row)
        for (std::size_t column = 0; column < m_cells.size(); ++column)
            if (row != column && cellOnScreen(row, column).contains(place))
                return std::pair(row, column);
    return {};
}

bool InteractionMatrix::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return Plot::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto cell = cellAt(help->pos());
    const model::FactorPair* pair = cell ? pairOf(cell->first, cell->second) : nullptr;
    if (pair == nullptr) {
        QToolTip::hideText();
        return true;
    }
    const model::InteractionPlot& shown = m_cells[cell->first][cell->second];
    QToolTip::showText(help->globalPos(),
                       tr("%1 along %2, a line for each end of %3\n%4")
                           .arg(m_title, nameText(shown.factor), nameText(shown.by),
                                pair->isSignificant() ? tr("The interaction is significant.")
                                                      : tr("The interaction is not significant.")),
                       this);
    return true;
}

void InteractionMatrix::mouseReleaseEvent(QMouseEvent* event)
{
    const auto cell = event->button() == Qt::LeftButton ? cellAt(event->position()) : std::nullopt;
    if (cell)
        emit pairPicked(std::min(cell->first, cell->second), std::max(cell->first, cell->second));
}

TextTable InteractionMatrix::table() const
{
    std::vector<model::InteractionPlot> pairs;
    for (std::size_t row = 0; row < m_cells.size(); ++row)
        for (std::size_t column = 0; column < m_cells.size(); ++column)
            if (row != column)
                pairs.push_back(m_cells[row][column]);
    return pairs.empty() ? TextTable{} : interactionTable(pairs);
}

} // namespace quadric::widgets
