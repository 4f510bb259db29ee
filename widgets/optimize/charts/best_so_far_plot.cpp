// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/best_so_far_plot.h"

#include "widgets/base/theme.h"
#include "widgets/plots/panel/feasible_region.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

using Steps = std::vector<optimize::BestStep>;

constexpr double kFoot = 0.025; ///< of the axis, where crosses stand: not on its numbers

DotRole roleOf(study::RunKind kind)
{
    if (kind == study::RunKind::Confirmation)
        return DotRole::Outstanding;
    return kind == study::RunKind::Augment ? DotRole::Choice : DotRole::Observed;
}

AxisScale valueScale(const Steps& steps)
{
    std::vector<double> values;
    for (const optimize::BestStep& step : steps)
        if (step.value)
            values.push_back(*step.value);
    return scaleOver(values, false, 0.06);
}

QString tipOf(const optimize::BestSoFar& runs, const optimize::BestStep& step)
{
    const QString name = nameText(runs.title);
    QStringList lines;
    if (step.value)
        lines << namedValue(name, *step.value, runs.unit);
    if (step.best)
        lines << namedValue(BestSoFarPlot::tr("best so far"), *step.best, runs.unit);
    if (step.failure.empty())
        return runTip(step.run, lines);
    return failedText({step.run, 0.0, 0.0, step.failure}) + QLatin1Char('\n') + lines.join(QLatin1Char('\n'));
}

/// The best until each run, level until the next one.
PanelLine bestLine(const Steps& steps)
{
    PanelLine line;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!steps[i].best)
            continue;
        const auto place = static_cast<double>(i + 1);
        if (!line.y.empty()) {
            line.x.push_back(place);
            line.y.push_back(line.y.back());
        }
        line.x.push_back(place);
        line.y.push_back(*steps[i].best);
    }
    return line;
}

void addDots(Panel& panel, const optimize::BestSoFar& runs)
{
    for (std::size_t i = 0; i < runs.steps.size(); ++i) {
        const optimize::BestStep& step = runs.steps[i];
        const bool hasFailed = !step.failure.empty();
        if (!step.value && !hasFailed)
            continue;
        panel.dots.push_back({.x = static_cast<double>(i + 1),
                              .y = step.value.value_or(panel.y.scale.actualAt(kFoot)),
                              .run = step.run,
                              .role = hasFailed ? DotRole::Failed : roleOf(step.kind),
                              .tip = tipOf(runs, step)});
    }
}

/// Where runs begin that were added to the design.
void addStart(Panel& panel, const Steps& steps)
{
    const auto first = std::ranges::find(steps, study::RunKind::Augment, &optimize::BestStep::kind);
    if (first == steps.end() || first == steps.begin())
        return;
    const auto before = static_cast<double>(first - steps.begin());
    panel.limits.push_back({before + 0.5, BestSoFarPlot::tr("added runs"), LineRole::Reference});
}

std::vector<LegendEntry> bestLegend(const Panel& panel)
{
    using Sample = LegendEntry::Sample;
    std::vector<LegendEntry> legend{{Sample::Line, BestSoFarPlot::tr("best so far")}};
    const std::pair<DotRole, QString> dots[] = {
        {DotRole::Observed, BestSoFarPlot::tr("design run")},
        {DotRole::Choice, BestSoFarPlot::tr("added run")},
        {DotRole::Outstanding, BestSoFarPlot::tr("confirmation run")}};
    for (const auto& [role, text] : dots)
        if (std::ranges::count(panel.dots, role, &PanelDot::role) > 0)
            legend.push_back({Sample::Dot, text, role});
    if (std::ranges::count(panel.dots, DotRole::Failed, &PanelDot::role) > 0)
        legend.push_back(failedEntry());
    return legend;
}

TextTable tableOfBest(const optimize::BestSoFar& runs)
{
    TextTable table;
    table.caption = BestSoFarPlot::tr("Best so far");
    table.columns = {{BestSoFarPlot::tr("Run"), {}, true},
                     {nameWithUnit(runs.title, runs.unit), {}, true},
                     {BestSoFarPlot::tr("Best so far"), {}, true},
                     {QString(), {}, false}};
    for (const optimize::BestStep& step : runs.steps) {
        QString failure = QString::fromStdString(step.failure).replace(QLatin1Char('-'), QLatin1Char(' '));
        table.rows.push_back({QString::number(step.run), step.value ? formatNumber(*step.value) : QString(),
                              step.best ? formatNumber(*step.best) : QString(), failure});
    }
    return table;
}

} // namespace

BestSoFarPlot::BestSoFarPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Best so far"));
    clear(tr("No run is finished yet."));
}

void BestSoFarPlot::setRuns(const optimize::BestSoFar& runs)
{
    const bool hasValue = std::ranges::any_of(
        runs.steps, [](const optimize::BestStep& step) { return step.value.has_value(); });
    if (!hasValue)
        return clear(tr("No response with a goal was measured yet."));
    PanelBoard board;
    board.title = nameWithUnit(runs.title, runs.unit);
    Panel& panel = board.panels.emplace_back();
    panel.x = {tr("runs in their order"), {0.5, static_cast<double>(runs.steps.size()) + 0.5, false}};
    panel.y = {nameWithUnit(runs.title, runs.unit), valueScale(runs.steps)};
    panel.lines.push_back(bestLine(runs.steps));
    addDots(panel, runs);
    addStart(panel, runs.steps);
    board.legend = bestLegend(panel);
    board.table = tableOfBest(runs);
    setBoard(std::move(board));
}

} // namespace quadric::widgets
