// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/base/typed_value.h"

#include "core/text/typed_text.h"

#include <QKeyEvent>
#include <QStringList>
#include <QToolTip>

#include <algorithm>

namespace quadric::widgets {

std::optional<double> parseTypedNumber(const QString& text)
{
    const std::string typed = text.toStdString();
    const auto withPoint = text::readNumber(typed, '.');
    const auto withComma = text::readNumber(typed, ',');
    if (!withPoint || !withComma)
        return withPoint ? withPoint : withComma;
    const bool isAmbiguous = *withPoint != *withComma && typed.find(',') != std::string::npos;
    return isAmbiguous ? std::nullopt : withPoint;
}

namespace {

/// Where a value lies among what can be run; empty: it can be.
QString whyNotRunnable(const study::Factor& factor, double value)
{
    if (factor.scale == study::Scale::Log2 && value <= 0.0)
        return QStringLiteral("expected more than 0, because this factor is on the log2 scale");
    const bool isContinuous = factor.type == study::FactorType::Continuous;
    const double legal = isContinuous ? value : study::snapToLegal(factor, value);
    return legal == value ? QString()
                          : QStringLiteral("not a value that can be run, the nearest is %1")
                                .arg(QString::fromStdString(study::toText(legal)));
}

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

std::optional<double> parseQuantity(const QString& text, const std::string& unit)
{
    const QString typed = text.trimmed(), behind = QString::fromStdString(unit);
    const bool hasUnit = !behind.isEmpty() && typed.endsWith(behind);
    return parseTypedNumber(hasUnit ? typed.chopped(behind.size()) : typed);
}

std::optional<study::Value> parseSettingText(const study::Factor& factor, const QString& typed,
                                             QString& problem)
{
    if (!factor.isNumeric()) {
        if (std::ranges::count(factor.categories, typed.toStdString()) > 0)
            return typed.toStdString();
        QStringList levels;
        for (const std::string& level : factor.categories)
            levels << QString::fromStdString(level);
        problem = QStringLiteral("expected one of %1").arg(levels.join(QStringLiteral(", ")));
        return std::nullopt;
    }
    const auto number = parseQuantity(typed, factor.unit);
    problem = number ? whyNotRunnable(factor, *number) : QStringLiteral("expected a number");
    return problem.isEmpty() ? std::optional<study::Value>(*number) : std::nullopt;
}

std::optional<study::Value> parseSettingInRange(const study::Factor& factor, const QString& typed,
                                                QString& problem)
{
    const auto value = parseSettingText(factor, typed, problem);
    const double number = value ? study::numberOf(*value) : 0.0;
    if (!value || !factor.isNumeric() || (number >= factor.low && number <= factor.high))
        return value;
    problem = QStringLiteral("outside the range, expected %1 to %2")
                  .arg(QString::fromStdString(study::toText(factor.low)),
                       QString::fromStdString(study::toText(factor.high)));
    return std::nullopt;
}

ValueField::ValueField(QWidget* parent)
    : QLineEdit(parent)
{
    setContextMenuPolicy(Qt::NoContextMenu);
    setToolTip(QStringLiteral("Double-click, or press Return, to type a value."));
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
void ValueField::commitTypedText()
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
        commitTypedText();
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
