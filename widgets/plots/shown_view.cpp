// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/shown_view.h"

#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>
#include <QVariant>

namespace quadric::widgets {

namespace {

constexpr const char* kView = "quadricView";

QString markOf(const QWidget& widget)
{
    return widget.property(kView).toString();
}

/// The first of these that the Tab key would come to.
QWidget* firstWithFocus(QWidget& widget)
{
    if (widget.focusPolicy() & Qt::TabFocus)
        return &widget;
    for (QWidget* next = widget.nextInFocusChain(); next != &widget; next = next->nextInFocusChain())
        if (widget.isAncestorOf(next) && next->isVisible() && next->isEnabled() &&
            (next->focusPolicy() & Qt::TabFocus))
            return next;
    return nullptr;
}

} // namespace

void markView(QWidget& widget, const std::string& id)
{
    widget.setProperty(kView, QString::fromStdString(id));
}

std::string viewShownBy(const QWidget* widget)
{
    if (const auto* bar = qobject_cast<const QTabBar*>(widget))
        if (const auto* tabs = qobject_cast<const QTabWidget*>(bar->parentWidget()))
            widget = tabs->currentWidget();
    for (; widget != nullptr; widget = widget->parentWidget())
        if (const QString id = markOf(*widget); !id.isEmpty())
            return id.toStdString();
    return {};
}

QWidget* findShownView(const QWidget& root, const std::string& id)
{
    for (QWidget* each : root.findChildren<QWidget*>())
        if (markOf(*each).toStdString() == id)
            return each;
    return nullptr;
}

void revealWidget(QWidget& widget)
{
    for (QWidget* outer = widget.parentWidget(); outer != nullptr; outer = outer->parentWidget()) {
        if (auto* tabs = qobject_cast<QTabWidget*>(outer))
            for (int i = 0; i < tabs->count(); ++i)
                if (tabs->widget(i) == &widget || tabs->widget(i)->isAncestorOf(&widget))
                    tabs->setCurrentIndex(i);
        if (auto* scroll = qobject_cast<QScrollArea*>(outer))
            scroll->ensureWidgetVisible(&widget);
    }
    if (QWidget* first = firstWithFocus(widget))
        first->setFocus(Qt::TabFocusReason);
}

} // namespace quadric::widgets
