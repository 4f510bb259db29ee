// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/correlation_map.h"

#include "widgets/plots/plot_style.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kMapMargin = 8.0;
constexpr double kLeastNamed = 10.0;    ///< pixels of a cell from which names fit beside it
constexpr double kLeastNumbered = 30.0; ///< and from which its number fits into it

/// −1…+1 with two decimals, without the zero that they all start with.
QString shortText(double r)
{
    const QString digits = QString::number(std::abs(r), 'f', 2);
    const QString number = digits.startsWith(QLatin1Char('0')) ? digits.mid(1) : digits;
    return r < -0.005 ? QStringLiteral("−") + number : number;
}

QColor cellColor(double r, const PlotStyle& style)
{
    return std::isfinite(r) ? blend(style.colors.accent, style.colors.background, std::abs(r))
                            : style.colors.background;
}

/// Text that can be read on this ground.
QColor inkOn(const QColor& ground, const PlotStyle& style)
{
    const auto difference = [&](const QColor& ink) {
        return std::abs(ink.lightnessF() - ground.lightnessF());
    };
    return difference(style.colors.text) >= difference(style.colors.background) ? style.colors.text
                                                                                : style.colors.background;
}

} // namespace

struct CorrelationMap::Layout {
    PlotStyle style;
    QRectF area;   ///< of all cells
    QRectF legend; ///< bar with its numbers
    QRectF words;
    double cell = 0.0;
    QRectF cellAt(int row, int column) const
    {
        return {area.left() + column * cell, area.top() + row * cell, cell, cell};
    }
};

CorrelationMap::CorrelationMap(QWidget* parent)
    : Plot(parent)
{
    setObjectName(QStringLiteral("correlationMap"));
    setAccessibleName(tr("Correlations"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
}

void CorrelationMap::setCorrelations(std::vector<std::string> terms, Eigen::MatrixXd correlations)
{
    m_terms = std::move(terms);
    m_correlations = std::move(correlations);
    m_reason = m_terms.size() < 2 ? tr("There are no two terms that could overlap.") : QString();
    pick(-1, -1);
}

void CorrelationMap::clear(const QString& reason)
{
    m_terms.clear();
    m_reason = reason;
    pick(-1, -1);
}

void CorrelationMap::pick(int row, int column)
{
    m_row = row;
    m_column = column;
    setAccessibleDescription(words());
    update();
}

QString CorrelationMap::words() const
{
    if (m_row < 0 || m_column < 0)
        return tr("Point at a cell, or use the arrow keys.");
    const QString first = termText(m_terms[size_t(m_row)]);
    if (m_row == m_column)
        return tr("%1 with itself").arg(first);
    const double r = m_correlations(m_row, m_column);
    return tr("%1 and %2: r = %3")
        .arg(first, termText(m_terms[size_t(m_column)]), std::isfinite(r) ? shortText(r) : tr("not defined"));
}

CorrelationMap::Layout CorrelationMap::layoutIn(const QRectF& target, bool forPrint) const
{
    Layout layout;
    layout.style = plotStyle(*this, forPrint);
    const double line = layout.style.smallHeight();
    const QRectF inside = target.adjusted(kMapMargin, kMapMargin, -kMapMargin, -kMapMargin);
    layout.words = {inside.left(), inside.bottom() - line, inside.width(), line};
    layout.legend = {inside.left(), layout.words.top() - 2.0 * line - kMapMargin, inside.width(), 2.0 * line};
    const double count = std::max<double>(1.0, double(m_terms.size()));
    const QFontMetricsF metrics(layout.style.small);
    double names = 0.0;
    for (const std::string& term : m_terms)
        names = std::max(names, metrics.horizontalAdvance(termText(term)));
    names = std::min(names + 6.0, 0.35 * inside.width());
    const double room = layout.legend.top() - kMapMargin - inside.top();
    layout.cell = std::floor(std::min((inside.width() - names) / count, room / count));
    if (layout.cell < kLeastNamed) { // too small for names: they are said below when a cell is picked
        names = 0.0;
        layout.cell = std::max(2.0, std::min(inside.width() / count, room / count));
    }
    layout.area = {inside.left() + names, inside.top(), layout.cell * count, layout.cell * count};
    return layout;
}

void CorrelationMap::paintTo(QPainter& painter, const QRectF& target, bool forPrint)
{
    const Layout layout = layoutIn(target, forPrint);
    painter.save();
    painter.fillRect(target, layout.style.colors.background);
    if (m_terms.size() < 2) {
        drawReason(painter, target, layout.style, m_reason);
    } else {
        paintCells(painter, layout);
        paintNames(painter, layout);
        paintLegend(painter, layout);
        const bool hasWords = !forPrint || m_row >= 0; // nobody points at paper
        drawLine(painter, layout.words, Qt::AlignLeft | Qt::AlignVCenter, layout.style.small,
                 layout.style.colors.text, hasWords ? words() : QString());
    }
    painter.restore();
}

void CorrelationMap::paintCells(QPainter& painter, const Layout& layout) const
{
    const int count = int(m_terms.size());
    const PlotStyle& style = layout.style;
    for (int row = 0; row < count; ++row)
        for (int column = 0; column < count; ++column) {
            const double r = row == column ? 1.0 : m_correlations(row, column);
            const QColor ground = cellColor(r, style);
            const QRectF cell = layout.cellAt(row, column);
            painter.fillRect(cell.adjusted(0.0, 0.0, -1.0, -1.0), ground);
            if (layout.cell >= kLeastNumbered && row != column && std::isfinite(r) && std::abs(r) >= 0.005)
                drawLine(painter, cell, Qt::AlignCenter, style.small, inkOn(ground, style), shortText(r));
        }
    painter.setPen(QPen(style.colors.grid, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(layout.area.adjusted(-0.5, -0.5, -0.5, -0.5));
    if (m_row >= 0) {
        painter.setPen(QPen(style.colors.text, 2.0));
        painter.drawRect(layout.cellAt(m_row, m_column).adjusted(0.0, 0.0, -1.0, -1.0));
    }
}

void CorrelationMap::paintNames(QPainter& painter, const Layout& layout) const
{
    if (layout.cell < kLeastNamed)
        return;
    const double left = kMapMargin;
    for (int row = 0; row < int(m_terms.size()); ++row) {
        const QRectF cell = layout.cellAt(row, 0);
        drawLine(painter, {left, cell.top(), layout.area.left() - left - 6.0, layout.cell},
                 Qt::AlignRight | Qt::AlignVCenter, layout.style.small,
                 row == m_row || row == m_column ? layout.style.colors.text : layout.style.colors.mutedText,
                 termText(m_terms[size_t(row)]));
    }
}

void CorrelationMap::paintLegend(QPainter& painter, const Layout& layout) const
{
    const PlotStyle& style = layout.style;
    const double width = std::min(layout.legend.width(), 200.0);
    const QRectF bar(layout.legend.left(), layout.legend.top() + 2.0, width, style.smallHeight() - 6.0);
    constexpr int kSteps = 50;
    for (int i = 0; i < kSteps; ++i)
        painter.fillRect(QRectF(bar.left() + i * bar.width() / kSteps, bar.top(), bar.width() / kSteps + 0.5,
                                bar.height()),
                         cellColor((i + 0.5) / kSteps, style));
    painter.setPen(QPen(style.colors.grid, 1.0));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(bar);
    const QRectF numbers(bar.left(), bar.bottom(), bar.width(), style.smallHeight());
    for (const auto& [alignment, text] :
         {std::pair{Qt::AlignLeft, tr("0")}, {Qt::AlignHCenter, tr("|r| 0.5")}, {Qt::AlignRight, tr("1")}})
        drawLine(painter, numbers, int(alignment) | Qt::AlignVCenter, style.small, style.colors.mutedText,
                 text);
}

void CorrelationMap::mouseMoveEvent(QMouseEvent* event)
{
    if (m_terms.size() < 2)
        return;
    const Layout layout = layoutIn(rect(), false);
    const QPointF at = event->position();
    const bool isInside = layout.area.contains(at);
    const int last = int(m_terms.size()) - 1;
    pick(isInside ? std::min(last, int((at.y() - layout.area.top()) / layout.cell)) : -1,
         isInside ? std::min(last, int((at.x() - layout.area.left()) / layout.cell)) : -1);
    QToolTip::showText(event->globalPosition().toPoint(), isInside ? words() : QString(), this);
}

void CorrelationMap::leaveEvent(QEvent* event)
{
    Plot::leaveEvent(event);
    if (!hasFocus())
        pick(-1, -1);
}

void CorrelationMap::keyPressEvent(QKeyEvent* event)
{
    const int right = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if ((right == 0 && down == 0) || m_terms.size() < 2)
        return Plot::keyPressEvent(event);
    const int last = int(m_terms.size()) - 1;
    pick(std::clamp(std::max(0, m_row) + down, 0, last), std::clamp(std::max(0, m_column) + right, 0, last));
}

} // namespace quadric::widgets
