// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/base/plot.h"

#include "widgets/plots/base/accessible_plot.h"
#include "widgets/plots/base/plot_menu.h"
#include "widgets/plots/base/plot_picture.h"
#include "widgets/plots/base/plot_style.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>

#include <algorithm>

namespace quadric::widgets {

Plot::Plot(QWidget* parent)
    : QWidget(parent)
{
    makePlotsAccessible();
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setMinimumSize(160, 120);
}

void Plot::setSimulated(bool simulated)
{
    m_simulated = simulated;
    update();
}

void Plot::setHeld(const QString& held)
{
    m_held = held;
    update();
}

QRectF Plot::paintHeader(QPainter& painter, const QRectF& target, const PlotStyle& style,
                         const QString& title) const
{
    const bool isPicture = m_isPictured || style.isForPrint;
    return drawHeader(painter, target, style,
                      {title, m_simulated, isPicture ? m_held : QString(), isPicture});
}

void Plot::setPickedRuns(const PickedRuns& runs)
{
    m_picked = runs;
    update();
}

QSize Plot::sizeHint() const
{
    return {420, 300};
}

void Plot::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    paintTo(painter, rect(), false);
    if (hasFocus())
        drawFocusFrame(painter, rect(), plotStyle(*this, false));
}

std::optional<int> runByKey(const QKeyEvent& event, const std::vector<int>& runs, int picked)
{
    const bool isBack = event.key() == Qt::Key_Left;
    if (runs.empty() || (!isBack && event.key() != Qt::Key_Right))
        return {};
    const auto at = std::ranges::find(runs, picked);
    if (at == runs.end())
        return isBack ? runs.back() : runs.front();
    const auto next =
        std::clamp<std::ptrdiff_t>(at - runs.begin() + (isBack ? -1 : 1), 0, std::ssize(runs) - 1);
    return runs[static_cast<std::size_t>(next)];
}

void Plot::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copyPicture(*this);
    else
        QWidget::keyPressEvent(event);
}

void Plot::contextMenuEvent(QContextMenuEvent* event)
{
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addPlotActions(*menu, *this);
    menu->popup(event->globalPos());
}

} // namespace quadric::widgets
