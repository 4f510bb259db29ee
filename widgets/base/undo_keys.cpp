// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/undo_keys.h"

#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSpinBox>
#include <QTextEdit>

#include <cmath>
#include <optional>

namespace quadric::widgets {

namespace {

/// The text of a spin box is not its value yet.
bool isBeingTyped(const QAbstractSpinBox& box)
{
    bool isNumber = false;
    if (const auto* whole = qobject_cast<const QSpinBox*>(&box))
        return whole->locale().toInt(whole->cleanText(), &isNumber) != whole->value() || !isNumber;
    if (const auto* real = qobject_cast<const QDoubleSpinBox*>(&box)) {
        const double typed = real->locale().toDouble(real->cleanText(), &isNumber);
        return !isNumber || std::abs(typed - real->value()) > 0.5 * std::pow(10.0, -real->decimals());
    }
    return true;
}

bool canTakeBack(const QLineEdit& line, bool isRedo)
{
    return !line.isReadOnly() && (isRedo ? line.isRedoAvailable() : line.isUndoAvailable());
}

bool canTakeBack(const QTextDocument& text, bool isReadOnly, bool isRedo)
{
    return !isReadOnly && (isRedo ? text.isRedoAvailable() : text.isUndoAvailable());
}

/// Whether the field has something of its own; empty: it is no field, and keeps its keys or does not.
std::optional<bool> hasOwn(QObject& watched, bool isRedo)
{
    if (const auto* box = qobject_cast<QAbstractSpinBox*>(&watched)) {
        const auto* line = box->findChild<QLineEdit*>();
        return line && canTakeBack(*line, isRedo) && isBeingTyped(*box);
    }
    if (const auto* combo = qobject_cast<QComboBox*>(&watched))
        return combo->lineEdit() && canTakeBack(*combo->lineEdit(), isRedo) &&
               combo->currentText() != combo->itemText(combo->currentIndex());
    if (const auto* line = qobject_cast<QLineEdit*>(&watched))
        return canTakeBack(*line, isRedo);
    if (const auto* plain = qobject_cast<QPlainTextEdit*>(&watched))
        return canTakeBack(*plain->document(), plain->isReadOnly(), isRedo);
    if (const auto* rich = qobject_cast<QTextEdit*>(&watched))
        return canTakeBack(*rich->document(), rich->isReadOnly(), isRedo);
    return std::nullopt;
}

} // namespace

UndoKeys::UndoKeys(QObject* parent)
    : QObject(parent)
{
    qApp->installEventFilter(this);
}

bool UndoKeys::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ShortcutOverride)
        return QObject::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool isRedo = key->matches(QKeySequence::Redo);
    if (!isRedo && !key->matches(QKeySequence::Undo))
        return QObject::eventFilter(watched, event);
    if (hasOwn(*watched, isRedo).value_or(true))
        return QObject::eventFilter(watched, event);
    event->ignore();
    return true; // it accepts them whatever it has
}

} // namespace quadric::widgets
