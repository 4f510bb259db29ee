// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/quality/correlation_map.h"

#include "widgets/text/wording.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

/// Each pair is a cell with its words; nobody can read more on a screen.
constexpr std::size_t kMostTerms = 500;

/// −1…+1 with two decimals, without the zero that they all start with.
QString shortText(double r)
{
    const QString digits = QString::number(std::abs(r), 'f', 2);
    const QString number = digits.startsWith(QLatin1Char('0')) ? digits.mid(1) : digits;
    return r < -0.005 ? QStringLiteral("−") + number : number;
}

} // namespace

CorrelationMap::CorrelationMap(QWidget* parent)
    : PanelPlot(parent)
{
    setObjectName(QStringLiteral("correlationMap"));
    setAccessibleName(tr("Correlations"));
}

void CorrelationMap::setCorrelations(std::vector<std::string> terms, Eigen::MatrixXd correlations)
{
    if (terms.size() > kMostTerms)
        return clear(tr("%1 terms are too many for a map, expected at most %2. "
                        "“quadric evaluate --json” lists their correlations.")
                         .arg(terms.size())
                         .arg(kMostTerms));
    m_terms = std::move(terms);
    m_correlations = std::move(correlations);
    pick(-1, -1);
}

void CorrelationMap::clear(const QString& reason)
{
    m_terms.clear();
    PanelPlot::clear(reason);
}

void CorrelationMap::pick(int row, int column)
{
    m_row = row;
    m_column = column;
    setAccessibleDescription(words());
    showBoard();
}

QString CorrelationMap::words() const
{
    return m_row < 0 || m_column < 0 ? QString() : wordsOf(m_row, m_column);
}

QString CorrelationMap::wordsOf(int row, int column) const
{
    const QString first = termText(m_terms[size_t(row)]);
    if (row == column)
        return tr("%1 with itself").arg(first);
    const double r = m_correlations(row, column);
    return tr("%1 and %2: r = %3")
        .arg(first, termText(m_terms[size_t(column)]), std::isfinite(r) ? shortText(r) : tr("not defined"));
}

PanelCell CorrelationMap::cellAt(int row, int column) const
{
    const double r = row == column ? 1.0 : m_correlations(row, column);
    const bool isSaid = row != column && std::isfinite(r) && std::abs(r) >= 0.005;
    return {.x = double(column),
            .y = -double(row),
            .level = std::abs(r),
            .text = isSaid ? shortText(r) : QString(),
            .tip = wordsOf(row, column),
            .isPicked = row == m_row && column == m_column};
}

void CorrelationMap::showBoard()
{
    const int count = int(m_terms.size());
    PanelBoard board;
    if (count >= 2) {
        Panel& panel = board.panels.emplace_back();
        panel.grid = PanelGrid::None;
        panel.note = words();
        panel.x.isCategory = panel.y.isCategory = true;
        panel.x.scale = {-0.5, count - 0.5, false};
        panel.y.scale = {0.5 - count, 0.5, false};
        for (int row = 0; row < count; ++row) {
            panel.y.ticks.push_back({-double(row), termText(m_terms[size_t(row)])});
            for (int column = 0; column < count; ++column)
                panel.cells.push_back(cellAt(row, column));
        }
        for (const double level : {0.0, 0.5, 1.0})
            board.legend.push_back({.sample = LegendEntry::Sample::Cell,
                                    .text = QStringLiteral("|r| %1").arg(level),
                                    .level = level});
    }
    setBoard(std::move(board), tr("There are no two terms to correlate."));
}

void CorrelationMap::placeAsked(QPointF values)
{
    const int last = int(m_terms.size()) - 1;
    pick(std::clamp(int(std::lround(-values.y())), 0, last),
         std::clamp(int(std::lround(values.x())), 0, last));
}

void CorrelationMap::keyPressEvent(QKeyEvent* event)
{
    const int right = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int down = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if ((right == 0 && down == 0) || m_terms.size() < 2 || event->modifiers() & Qt::ControlModifier)
        return PanelPlot::keyPressEvent(event);
    const int last = int(m_terms.size()) - 1;
    pick(std::clamp(std::max(0, m_row) + down, 0, last), std::clamp(std::max(0, m_column) + right, 0, last));
}

} // namespace quadric::widgets
