// SPDX-License-Identifier: GPL-3.0-or-later
#include "accessible_tree.h"

#include <QAbstractScrollArea>
#include <QObject>
#include <QWidget>

#include <functional>
#include <set>

namespace quadric::test {

namespace {

const std::set<QAccessible::Role> kControls = {
    QAccessible::Button,       QAccessible::CheckBox,   QAccessible::RadioButton, QAccessible::ComboBox,
    QAccessible::EditableText, QAccessible::Slider,     QAccessible::SpinBox,     QAccessible::Table,
    QAccessible::Tree,         QAccessible::List,       QAccessible::PageTab,     QAccessible::PageTabList,
    QAccessible::Link,         QAccessible::ButtonMenu, QAccessible::Dialog,      QAccessible::ProgressBar};

/// Whose parts speak for themselves: cells, and what a field is put together of.
const std::set<QAccessible::Role> kWholes = {
    QAccessible::Table,   QAccessible::Tree,      QAccessible::List,   QAccessible::ComboBox,
    QAccessible::SpinBox, QAccessible::ScrollBar, QAccessible::MenuBar};

QString placeOf(const QAccessibleInterface& element)
{
    QString place;
    for (const QObject* object = element.object(); object; object = object->parent()) {
        QString step =
            QString::fromLatin1(object->metaObject()->className()).section(QLatin1String("::"), -1);
        if (!object->objectName().isEmpty())
            step += QLatin1Char('#') + object->objectName();
        place.prepend(step + QLatin1Char('/'));
    }
    return place;
}

/// It passes its focus on to what it contains.
bool isContainer(const QAccessibleInterface& element)
{
    const auto* widget = qobject_cast<const QWidget*>(element.object());
    return widget != nullptr && widget->focusProxy() != nullptr;
}

/// It does not say what it is. An area that scrolls needs to say no more than its name.
bool isPlain(const QAccessibleInterface& element)
{
    return element.role() == QAccessible::Client && !isContainer(element) &&
           qobject_cast<const QAbstractScrollArea*>(element.object()) == nullptr;
}

bool isControl(const QAccessibleInterface& element)
{
    const QAccessible::Role role = element.role();
    if (role == QAccessible::Window || role == QAccessible::Pane || role == QAccessible::ScrollBar)
        return false;
    return kControls.contains(role) || (element.state().focusable && !isContainer(element));
}

/// Calls `visit` for each visible element below and including this one.
void walk(QAccessibleInterface* element, const std::function<void(QAccessibleInterface&)>& visit)
{
    if (element == nullptr || !element->isValid() || element->state().invisible)
        return;
    visit(*element);
    if (kWholes.contains(element->role()))
        return;
    for (int i = 0; i < element->childCount(); ++i)
        walk(element->child(i), visit);
}

} // namespace

QStringList findNameless(QWidget& window)
{
    QStringList nameless;
    walk(QAccessible::queryAccessibleInterface(&window), [&](QAccessibleInterface& element) {
        if (isControl(element) && element.text(QAccessible::Name).trimmed().isEmpty())
            nameless
                << QStringLiteral("no name: %1 (role %2)").arg(placeOf(element)).arg(int(element.role()));
        const bool isPicture = element.role() == QAccessible::Graphic;
        if (isPicture && element.text(QAccessible::Name).isEmpty())
            nameless << QStringLiteral("no name: %1").arg(placeOf(element));
        if (isPlain(element) && element.state().focusable)
            nameless << QStringLiteral("no role: %1").arg(placeOf(element));
        if (isPicture && element.state().focusable && element.text(QAccessible::Description).isEmpty())
            nameless << QStringLiteral("no description: %1").arg(placeOf(element));
    });
    return nameless;
}

QAccessibleInterface* findElement(QWidget& window, QAccessible::Role role, const QString& name)
{
    QAccessibleInterface* found = nullptr;
    walk(QAccessible::queryAccessibleInterface(&window), [&](QAccessibleInterface& element) {
        if (found == nullptr && element.role() == role && element.text(QAccessible::Name) == name)
            found = &element;
    });
    return found;
}

} // namespace quadric::test
