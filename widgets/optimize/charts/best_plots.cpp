// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/charts/best_plots.h"

#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::widgets {

namespace {

using Steps = std::vector<optimize::BestStep>;

constexpr double kFoot = 0.025; ///< of the axis, where crosses stand: not on its numbers

DotRole runDotRole(study::RunKind kind)
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

QString describeBestStep(const optimize::BestSoFar& runs, const optimize::BestStep& step)
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
                              .role = hasFailed ? DotRole::Failed : runDotRole(step.kind),
                              .tip = describeBestStep(runs, step)});
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

constexpr double kMargin = 0.06; ///< of the range, left free around the points

double findFrontValue(const optimize::FrontPoint& point, const std::string& response)
{
    for (const auto& [name, value] : point.responses)
        if (name == response)
            return value;
    return std::numeric_limits<double>::quiet_NaN();
}

AxisScale makeFrontScale(const std::vector<QPointF>& points, const FrontSurroundings& around, bool isX)
{
    std::vector<double> values;
    const auto add = [&](double x, double y) { values.push_back(isX ? x : y); };
    for (const QPointF& point : points)
        add(point.x(), point.y());
    for (const PanelDot& run : around.runs)
        add(run.x, run.y);
    if (around.shown)
        add(around.shown->x(), around.shown->y());
    return scaleOver(values, false, kMargin);
}

/// The title with an arrow along the axis, whose end is at the right or on top.
QString directedTitle(const FrontAxis& axis)
{
    switch (axis.goal) {
    case study::Goal::Maximize:
        return FrontPlot::tr("%1: better →").arg(axis.title);
    case study::Goal::Minimize:
        return FrontPlot::tr("← better: %1").arg(axis.title);
    case study::Goal::Target:
        return FrontPlot::tr("%1: to a target").arg(axis.title);
    case study::Goal::None:
        break;
    }
    return axis.title;
}

/// The colors of the desirabilities.
AxisScale colorsOf(const std::vector<double>& overall)
{
    const AxisScale scale = scaleOver(overall, false);
    return {std::max(0.0, scale.low), std::min(1.0, scale.high), false};
}

std::vector<LegendEntry> makeFrontLegend(const FrontSurroundings& around)
{
    std::vector<LegendEntry> entries;
    if (!around.runs.empty())
        entries.push_back({.text = FrontPlot::tr("observed run"), .dot = DotRole::Observed});
    entries.push_back({.text = around.overall.empty() ? FrontPlot::tr("on the front")
                                                      : FrontPlot::tr("on the front, color: score"),
                       .dot = DotRole::Choice,
                       .level = around.overall.empty() ? 0.0 : 0.6});
    if (around.shown)
        entries.push_back({.text = FrontPlot::tr("setting shown"), .dot = DotRole::Shown});
    return entries;
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

FrontPlot::FrontPlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Pareto front"));
}

void FrontPlot::setFront(const std::vector<optimize::FrontPoint>& front, const FrontAxis& x,
                         const FrontAxis& y, const QStringList& tips)
{
    m_tips = tips;
    m_x = x;
    m_y = y;
    m_points.clear();
    for (const optimize::FrontPoint& point : front)
        m_points.emplace_back(findFrontValue(point, x.response), findFrontValue(point, y.response));
    showBoard();
}

void FrontPlot::setSurroundings(FrontSurroundings around)
{
    m_around = std::move(around);
    if (!m_points.empty())
        showBoard();
}

void FrontPlot::clear(const QString& reason)
{
    m_points.clear();
    PanelPlot::clear(reason);
}

/// The points in their order, and after them the setting that is shown and the runs.
void FrontPlot::showBoard()
{
    Panel panel;
    panel.grid = PanelGrid::Both;
    panel.x = {directedTitle(m_x), makeFrontScale(m_points, m_around, true)};
    panel.y = {directedTitle(m_y), makeFrontScale(m_points, m_around, false)};
    for (std::size_t i = 0; i < m_points.size(); ++i)
        panel.dots.push_back({.x = m_points[i].x(),
                              .y = m_points[i].y(),
                              .role = DotRole::Choice,
                              .tip = m_tips.value(static_cast<qsizetype>(i))});
    PanelBoard board;
    if (m_around.overall.size() == m_points.size()) {
        board.colors = colorsOf(m_around.overall);
        for (std::size_t i = 0; i < m_points.size(); ++i) {
            panel.dots[i].level = board.colors->fractionOf(m_around.overall[i]);
            panel.dots[i].tip += tr("\nD = %1").arg(desirabilityText(m_around.overall[i]));
        }
    }
    if (m_around.shown)
        panel.dots.push_back({.x = m_around.shown->x(), .y = m_around.shown->y(), .role = DotRole::Shown});
    panel.dots.insert(panel.dots.end(), m_around.runs.begin(), m_around.runs.end());
    board.legend = makeFrontLegend(m_around);
    board.panels.push_back(std::move(panel));
    setBoard(std::move(board));
}

void FrontPlot::dotClicked(const PanelDot& dot)
{
    const auto index = &dot - board().panels.front().dots.data();
    if (index < std::ssize(m_points))
        emit pointPicked(static_cast<int>(index));
    else
        PanelPlot::dotClicked(dot);
}

void FrontPlot::keyPressEvent(QKeyEvent* event)
{
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (step == 0 || m_points.empty() || event->modifiers() & Qt::ControlModifier)
        return PanelPlot::keyPressEvent(event);
    emit pointPicked(std::clamp(findShownPoint() + step, 0, static_cast<int>(m_points.size()) - 1));
}

/// The point that is shown, or the one nearest to it on the axes.
int FrontPlot::findShownPoint() const
{
    const PanelFrame frame = layoutOnScreen().frames().front();
    const QPointF shown = m_around.shown.value_or(m_points.front());
    const QPointF place = frame.at(shown.x(), shown.y());
    const auto nearest = std::ranges::min_element(m_points, {}, [&](const QPointF& point) {
        const QPointF away = frame.at(point.x(), point.y()) - place;
        return std::hypot(away.x(), away.y());
    });
    return static_cast<int>(nearest - m_points.begin());
}

} // namespace quadric::widgets
