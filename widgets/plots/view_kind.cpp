// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/view_kind.h"

#include "widgets/plots/base/plot.h"

#include <QFile>
#include <QScrollArea>
#include <QTabBar>
#include <QTabWidget>

#include <map>

namespace quadric::widgets {

namespace {

QString helpText(const std::string& id)
{
    QFile file(QStringLiteral(":/help/views/%1.md").arg(QString::fromStdString(id)));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// The heading in docs/methods under which the numbers of a view are explained.
QString methodsOf(const ViewKind& kind)
{
    static const std::map<std::string, QString, std::less<>> ofView = {
        {"pareto", QStringLiteral("Effects")},
        {"half-normal", QStringLiteral("Effects")},
        {"coefficients", QStringLiteral("Coefficients and fit")},
        {"anova", QStringLiteral("Analysis of variance")},
        {"fit-summary", QStringLiteral("Choosing a model")},
        {"report-card", QStringLiteral("Report card")},
        {"speed-up", QStringLiteral("Speed-up")},
        {"by-level", QStringLiteral("Observed values by level")},
        {"residuals", QStringLiteral("Residuals, warnings and the report card")},
        {"run-order", QStringLiteral("Residuals, warnings and the report card")},
        {"box-cox", QStringLiteral("Transforms")},
        {"design-cube", QStringLiteral("Designs")},
        {"robustness", QStringLiteral("Risk, further runs and confirmation")},
        {"next-runs", QStringLiteral("What a run may gain")},
        {"desirability", QStringLiteral("Desirability")},
        {"deadline", QStringLiteral("Deadlines")},
        {"queue", QStringLiteral("Queues")},
        {"scaling", QStringLiteral("Larger clusters")},
        {"cost", QStringLiteral("Costs")},
        {"opinion", QStringLiteral("Other models")}};
    static const std::map<std::string, QString, std::less<>> ofPage = {
        {"design", QStringLiteral("Judging a design")},
        {"explore", QStringLiteral("Predictions")},
        {"optimize", QStringLiteral("What is shown")},
        {"run", QStringLiteral("Measured training steps")}};
    const auto own = ofView.find(kind.id);
    return own != ofView.end() ? own->second : ofPage.find(kind.page)->second;
}

constexpr const char* kView = "quadricView";

QString readViewMark(const QWidget& widget)
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

About aboutView(const ViewKind& kind)
{
    return {kind.title, helpText(kind.id), methodsOf(kind), QString::fromStdString(kind.id)};
}

QString viewSummary(const ViewKind& kind)
{
    const QString summary =
        helpText(kind.id).section(QStringLiteral("\n\n"), 0, 0).remove(QLatin1Char('*')).simplified();
    return kind.tab.isEmpty() ? summary : QStringLiteral("%1. %2").arg(kind.title, summary);
}

void describePlot(Plot& plot, const ViewKind& kind)
{
    plot.setAbout(aboutView(kind));
    markView(plot, kind.id);
    if (plot.accessibleName().isEmpty())
        plot.setAccessibleName(kind.title);
}

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
        if (const QString id = readViewMark(*widget); !id.isEmpty())
            return id.toStdString();
    return {};
}

QWidget* findShownView(const QWidget& root, const std::string& id)
{
    for (QWidget* each : root.findChildren<QWidget*>())
        if (readViewMark(*each).toStdString() == id)
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
