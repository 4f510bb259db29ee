// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/queue_plot.h"

#include "core/plan/words/queue_tables.h"
#include "core/text/time_unit.h"
#include "widgets/base/theme.h"
#include "widgets/plots/panel/panel_parts.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kHourSeconds = 3600.0;
constexpr double kHighResponse = 6.0; ///< times the mean job of a slow machine: the axis ends there
constexpr int kFastLine = 0, kSlowLine = 1, kGangDot = 2;

double responseAt(const std::vector<double>& rates, const std::vector<double>& responses, double rate)
{
    const auto above = std::ranges::lower_bound(rates, rate);
    return above == rates.end() ? responses.back()
                                : responses[static_cast<std::size_t>(above - rates.begin())];
}

/// Up to where the axis goes: the line ends there, a system that is overloaded has none.
PanelLine lineOf(const plan::ResponseCurves& curves, const std::vector<double>& responses, double top,
                 double unit, int category)
{
    PanelLine line{{}, {}, LineRole::Fit, category};
    for (std::size_t i = 0; i < curves.rates.size() && responses[i] <= top; ++i) {
        line.x.push_back(curves.rates[i] * kHourSeconds);
        line.y.push_back(responses[i] / unit);
    }
    return line;
}

void addSimulated(Panel& panel, const plan::QueueAnswer& answer, double rate, const text::TimeUnit& unit,
                  int category)
{
    if (!answer.simulated)
        return;
    const plan::Estimate& response = answer.simulated->response;
    panel.dots.push_back(
        {.x = rate * kHourSeconds,
         .y = response.value / unit.seconds,
         .role = DotRole::Mean,
         .tip = QueuePlot::tr("%1: mean response %2 %3, 95 % of the jobs at most %4 %3")
                    .arg(QString::fromStdString(answer.name),
                         formatInterval(response.value / unit.seconds, response.low / unit.seconds,
                                        response.high / unit.seconds),
                         QLatin1String(unit.name),
                         formatNumber(answer.simulated->responseQuantile / unit.seconds)),
         .category = category});
}

} // namespace

QueuePlot::QueuePlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Mean response over the rate of jobs"));
    clear(tr("No run tells how long a job takes."));
}

void QueuePlot::setQueue(const plan::QueueSystems& systems, double rate,
                         const std::optional<plan::QueuePlan>& plan,
                         const std::optional<plan::QueueTurn>& turn)
{
    const plan::ResponseCurves curves = plan::responseCurves(systems);
    double top = kHighResponse * curves.slow.front();
    for (const double response :
         {responseAt(curves.rates, curves.fast, rate), responseAt(curves.rates, curves.slow, rate)})
        if (std::isfinite(response))
            top = std::max(top, 1.2 * std::min(response, 4.0 * kHighResponse * curves.slow.front()));
    const text::TimeUnit unit = text::findTimeUnit(curves.slow.front());
    Panel panel;
    panel.x = {tr("jobs per hour"), {0.0, curves.rates.back() * kHourSeconds * 1.02, false}};
    panel.y = {tr("mean response (%1)").arg(QLatin1String(unit.name)), {0.0, top / unit.seconds, false}};
    panel.lines.push_back(lineOf(curves, curves.fast, top, unit.seconds, kFastLine));
    if (!plan::hasGangs(systems.slow)) // for which there is no formula
        panel.lines.push_back(lineOf(curves, curves.slow, top, unit.seconds, kSlowLine));
    panel.lines.push_back(
        straightLine(rate * kHourSeconds, 0.0, rate * kHourSeconds, top / unit.seconds, LineRole::Reference));
    if (turn && turn->rate)
        panel.limits.push_back({*turn->rate * kHourSeconds, tr("the answer turns")});
    PanelBoard board;
    board.legend = {{.sample = LegendEntry::Sample::Line,
                     .text = QString::fromStdString(systems.fast.name),
                     .category = kFastLine},
                    {.sample = LegendEntry::Sample::Line,
                     .text = QString::fromStdString(systems.slow.name),
                     .category = kSlowLine},
                    {.sample = LegendEntry::Sample::Dot, .text = tr("simulated"), .dot = DotRole::Plain}};
    if (plan && plan->gangs && plan->gangs->simulated) // it has no line, and no dot where it is overloaded
        board.legend.push_back({.sample = LegendEntry::Sample::Dot,
                                .text = QString::fromStdString(systems.gangs->name),
                                .dot = DotRole::Mean,
                                .category = kGangDot});
    if (plan) {
        addSimulated(panel, plan->fast, rate, unit, kFastLine);
        addSimulated(panel, plan->slow, rate, unit, kSlowLine);
        if (plan->gangs)
            addSimulated(panel, *plan->gangs, rate, unit, kGangDot);
        board.table = typeset(plan::makeQueueTable(plan::answersOf(*plan)));
    }
    board.panels.push_back(std::move(panel));
    setBoard(std::move(board));
}

} // namespace quadric::widgets
