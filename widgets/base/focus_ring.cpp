// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/focus_ring.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QPainter>

namespace quadric::widgets {

FocusRing::FocusRing(QWidget* window)
    : QWidget(window)
    , m_window(window)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

/// It leaves an area before that can be deleted with it.
void FocusRing::follow(QWidget* focus)
{
    if (m_area != nullptr)
        m_area->removeEventFilter(this);
    m_area = qobject_cast<QAbstractScrollArea*>(focus);
    const bool isByKeys = focus != nullptr && focus->window()->testAttribute(Qt::WA_KeyboardFocusChange);
    if (m_area == nullptr || !isByKeys) {
        m_area = nullptr;
        setParent(m_window);
        return hide();
    }
    setParent(m_area);
    setGeometry(m_area->rect());
    m_area->installEventFilter(this);
    show();
    raise();
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_area && event->type() == QEvent::Resize)
        setGeometry(m_area->rect());
    return QWidget::eventFilter(watched, event);
}

void FocusRing::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(palette().color(QPalette::Active, QPalette::Link), 2.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 2, 2);
}

} // namespace quadric::widgets
