// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/plain_text.h"

#include <QApplication>
#include <QEvent>
#include <QLabel>

namespace quadric::widgets {

PlainTexts::PlainTexts(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool PlainTexts::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Polish) {
        auto* label = qobject_cast<QLabel*>(watched);
        if (label && label->textFormat() == Qt::AutoText)
            label->setTextFormat(Qt::PlainText);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace quadric::widgets
