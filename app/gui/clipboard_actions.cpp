// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/clipboard_actions.h"

#include "widgets/plots/base/plot.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QTextEdit>

namespace quadric::app {

namespace {

bool isMenu(const QWidget* widget)
{
    return qobject_cast<const QMenuBar*>(widget) || qobject_cast<const QMenu*>(widget);
}

/// Text can be typed into it.
bool takesText(const QWidget& widget)
{
    return widget.testAttribute(Qt::WA_InputMethodEnabled);
}

bool showsText(const QWidget& widget)
{
    const auto* label = qobject_cast<const QLabel*>(&widget);
    return qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QTextEdit*>(&widget) ||
           (label && label->textInteractionFlags().testFlag(Qt::TextSelectableByMouse));
}

} // namespace

ClipboardActions::ClipboardActions(QMenu& menu)
    : QObject(&menu)
{
    m_cut = add(menu, "cut", tr("Cu&t"), QKeySequence::Cut);
    m_copy = add(menu, "copy", tr("&Copy"), QKeySequence::Copy);
    m_paste = add(menu, "paste", tr("&Paste"), QKeySequence::Paste);
    m_selectAll = add(menu, "selectAll", tr("Select &all"), QKeySequence::SelectAll);
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, QWidget* now) { followFocus(now); });
    connect(&menu, &QMenu::aboutToShow, this, &ClipboardActions::showWhatIsPossible);
}

QAction* ClipboardActions::add(QMenu& menu, const char* name, const QString& text,
                               QKeySequence::StandardKey key)
{
    QAction* action = menu.addAction(text, this, [this, key] { send(key); });
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut); // shown only: it takes the key from nobody
    return action;
}

void ClipboardActions::followFocus(QWidget* widget)
{
    if (widget && !isMenu(widget))
        m_focus = widget;
}

void ClipboardActions::showWhatIsPossible()
{
    followFocus(QApplication::focusWidget());
    const auto* view = qobject_cast<const QAbstractItemView*>(m_focus);
    const bool isText = m_focus && takesText(*m_focus);
    const bool isEditable = isText || (view && view->editTriggers() != QAbstractItemView::NoEditTriggers);
    const bool hasText = isText || (m_focus && showsText(*m_focus));
    m_cut->setEnabled(isText && !view);
    m_copy->setEnabled(hasText || qobject_cast<const widgets::Plot*>(m_focus));
    m_paste->setEnabled(isEditable && !QApplication::clipboard()->text().isEmpty());
    m_selectAll->setEnabled(hasText);
}

void ClipboardActions::send(QKeySequence::StandardKey key)
{
    if (!m_focus)
        return;
    const QKeyCombination keys = QKeySequence(key)[0];
    for (const QEvent::Type type : {QEvent::KeyPress, QEvent::KeyRelease}) {
        QKeyEvent event(type, keys.key(), keys.keyboardModifiers());
        QCoreApplication::sendEvent(m_focus, &event);
    }
}

} // namespace quadric::app
