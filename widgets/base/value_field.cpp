// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/value_field.h"

#include <QKeyEvent>
#include <QToolTip>

namespace quadric::widgets {

namespace {

/// Nothing but the text is seen.
void makePlain(QLineEdit& field)
{
    field.setReadOnly(true);
    field.setFrame(false);
    QPalette plain = field.palette();
    plain.setColor(QPalette::Base, Qt::transparent);
    field.setPalette(plain);
}

} // namespace

ValueField::ValueField(QWidget* parent)
    : QLineEdit(parent)
{
    setContextMenuPolicy(Qt::NoContextMenu);
    setToolTip(tr("Double-click, or press Return, to type a value."));
    makePlain(*this);
}

void ValueField::setValue(const QString& shown, const QString& typed)
{
    m_shown = shown;
    m_typed = typed;
    if (!isEdited())
        setText(shown);
    setCursorPosition(0);
}

void ValueField::edit()
{
    if (isEdited())
        return;
    setReadOnly(false);
    setFrame(true);
    setPalette({});
    setText(m_typed);
    selectAll();
    setFocus();
}

void ValueField::end()
{
    if (!isEdited())
        return;
    QToolTip::hideText();
    makePlain(*this);
    setText(m_shown);
    setCursorPosition(0);
    emit ended();
}

/// What was left as it was is no change.
void ValueField::take()
{
    const QString typed = text().simplified();
    const QString problem = typed == m_typed || !m_taker ? QString() : m_taker(typed);
    if (problem.isEmpty())
        return end();
    QToolTip::showText(mapToGlobal(rect().bottomLeft()), problem, this);
    setAccessibleDescription(problem);
    selectAll();
}

void ValueField::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (isEdited())
        QLineEdit::mouseDoubleClickEvent(event);
    else
        edit();
}

void ValueField::keyPressEvent(QKeyEvent* event)
{
    const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (isEdited() && event->key() == Qt::Key_Escape)
        end();
    else if (isReturn && isEdited())
        take();
    else if (!isEdited() && (isReturn || event->key() == Qt::Key_F2))
        edit();
    else
        QLineEdit::keyPressEvent(event);
}

void ValueField::focusOutEvent(QFocusEvent* event)
{
    QLineEdit::focusOutEvent(event);
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        end();
}

} // namespace quadric::widgets
