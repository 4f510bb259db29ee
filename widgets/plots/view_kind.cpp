// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/view_kind.h"

#include "widgets/plots/base/plot.h"
#include "widgets/plots/shown_view.h"

#include <QFile>

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
        {"importance", QStringLiteral("Effects")},
        {"fit-summary", QStringLiteral("Choosing a model")},
        {"report-card", QStringLiteral("Report card")},
        {"speed-up", QStringLiteral("Speed-up")},
        {"by-level", QStringLiteral("Observed values by level")},
        {"residuals", QStringLiteral("Residuals, warnings and the report card")},
        {"run-order", QStringLiteral("Residuals, warnings and the report card")},
        {"box-cox", QStringLiteral("Transforms")},
        {"design-cube", QStringLiteral("Designs")},
        {"robustness", QStringLiteral("Risk, further runs and confirmation")},
        {"sensitivity", QStringLiteral("Risk, further runs and confirmation")},
        {"next-runs", QStringLiteral("Risk, further runs and confirmation")},
        {"desirability", QStringLiteral("Desirability")},
        {"deadline", QStringLiteral("Deadlines")},
        {"queue", QStringLiteral("Queues")},
        {"scaling", QStringLiteral("Larger clusters")},
        {"cost", QStringLiteral("Costs")},
        {"opinion", QStringLiteral("Second opinion")}};
    static const std::map<std::string, QString, std::less<>> ofPage = {
        {"design", QStringLiteral("Judging a design")},
        {"explore", QStringLiteral("Predictions")},
        {"optimize", QStringLiteral("What is shown")},
        {"run", QStringLiteral("Measured training steps")}};
    const auto own = ofView.find(kind.id);
    return own != ofView.end() ? own->second : ofPage.find(kind.page)->second;
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

} // namespace quadric::widgets
