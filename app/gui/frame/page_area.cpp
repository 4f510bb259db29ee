// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/page_area.h"

#include <QEvent>
#include <QScrollBar>

namespace quadric::app {

namespace {

constexpr QSize kLeastPage(36, 24); ///< of a page, in heights of a line of text

} // namespace

PageArea::PageArea(QWidget* page)
{
    setWidget(page);
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
}

void PageArea::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    fit();
}

bool PageArea::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        fit();
    return QScrollArea::eventFilter(watched, event);
}

/// A bar takes of the room for the other direction.
void PageArea::fit()
{
    const QSize need = widget()->minimumSizeHint().expandedTo(kLeastPage * fontMetrics().height());
    QSize room = maximumViewportSize();
    if (need.width() > room.width())
        room.rheight() -= horizontalScrollBar()->sizeHint().height();
    if (need.height() > room.height())
        room.rwidth() -= verticalScrollBar()->sizeHint().width();
    widget()->resize(room.expandedTo(need));
}

} // namespace quadric::app
