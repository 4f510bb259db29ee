// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/cluster_tables.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_questions.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::widgets {

namespace {

constexpr double kHourSeconds = 3600.0;
constexpr double kHighResponse = 6.0; ///< times the mean job of a slow machine: the axis ends there
constexpr double kHighestLoad = 0.98; ///< of the larger capacity: lines end there
constexpr int kRates = 120;
constexpr int kFastLine = 0, kSlowLine = 1;

std::vector<double> ratesUpTo(double most)
{
    std::vector<double> rates;
    rates.reserve(kRates);
    for (int i = 1; i <= kRates; ++i)
        rates.push_back(most * i / kRates);
    return rates;
}

/// The slow machines' response at hardly any load, several times; higher where those at the rate that is
/// asked for are.
double topOf(const plan::QueueSystems& systems, const plan::ResponseCurves& curves, double rate)
{
    const double usual = kHighResponse * curves.slow.front();
    const plan::ResponseCurves here = plan::responseCurves(systems, {rate});
    double top = usual;
    for (const double response : {here.fast.front(), here.slow.front()})
        if (std::isfinite(response))
            top = std::max(top, 1.2 * std::min(response, 4.0 * usual));
    return top;
}

/// Up to where the axis goes: the line ends there, a system that is overloaded has none.
PanelLine makeResponseLine(const plan::ResponseCurves& curves, const std::vector<double>& responses,
                           double top, double unit, int category)
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
         .tip = tr("%1: mean response %2 %3")
                    .arg(QString::fromStdString(answer.name),
                         formatInterval(response.value / unit.seconds, response.low / unit.seconds,
                                        response.high / unit.seconds),
                         QLatin1String(unit.name)),
         .category = category});
}

/// `plan` is empty while it is simulated.
PanelBoard queueBoard(const plan::QueueSystems& systems, double rate, const plan::QueuePlan* plan)
{
    const double most =
        kHighestLoad * std::max(plan::capacityOf(systems.fast), plan::capacityOf(systems.slow));
    const plan::ResponseCurves curves = plan::responseCurves(systems, ratesUpTo(most));
    const double top = topOf(systems, curves, rate);
    const text::TimeUnit unit = text::findTimeUnit(curves.slow.front());
    Panel panel;
    panel.x = {tr("jobs per hour"), {0.0, most * kHourSeconds * 1.02, false}};
    panel.y = {tr("mean response (%1)").arg(QLatin1String(unit.name)), {0.0, top / unit.seconds, false}};
    panel.lines = {
        makeResponseLine(curves, curves.fast, top, unit.seconds, kFastLine),
        makeResponseLine(curves, curves.slow, top, unit.seconds, kSlowLine),
        straightLine(rate * kHourSeconds, 0.0, rate * kHourSeconds, top / unit.seconds, LineRole::Reference)};
    PanelBoard board;
    board.legend = {
        {.sample = LegendEntry::Sample::Line, .text = fromUtf8(systems.fast.name), .category = kFastLine},
        {.sample = LegendEntry::Sample::Line, .text = fromUtf8(systems.slow.name), .category = kSlowLine},
        {.sample = LegendEntry::Sample::Dot, .text = tr("simulated"), .dot = DotRole::Plain}};
    if (plan) {
        addSimulated(panel, plan->fast, rate, unit, kFastLine);
        addSimulated(panel, plan->slow, rate, unit, kSlowLine);
        board.table = typeset(plan::makeQueueTable(*plan));
    }
    board.panels.push_back(std::move(panel));
    return board;
}

PlanReply simulatedReply(const plan::QueueSystems& systems, double rate)
{
    const plan::QueuePlan plan = plan::planQueue(systems, rate);
    const QString answer = fromUtf8(plan::describeQueue(plan));
    PanelBoard board = queueBoard(systems, rate, &plan);
    const TextTable table = board.table;
    return {.sentence = plan.difference
                            ? tr("At %1 jobs per hour, %2").arg(formatNumber(rate * kHourSeconds), answer)
                            : answer,
            .board = std::move(board),
            .table = table};
}

/// The formulas follow the sliders at once, the simulation in the background.
PlanReply answerQueue(const PlanSource& source)
{
    try {
        const plan::QueueSystems systems = plan::queueQuestion(source.study(), *source.fit(), source.choices);
        const double rate = source.choices.load * plan::capacityOf(systems.slow);
        return {.sentence = tr("%1 jobs per hour: simulating …").arg(formatNumber(rate * kHourSeconds)),
                .board = queueBoard(systems, rate, nullptr),
                .whole = [systems, rate] { return simulatedReply(systems, rate); }};
    } catch (const std::invalid_argument& error) {
        const QString reason = QString::fromUtf8(error.what());
        return {.sentence = reason, .reason = reason};
    }
}

/// Which jobs there are: those of the runs, or of a distribution with their mean.
ChooserControl jobsControl()
{
    static const std::string kDrawn = "gamma";
    return {
        tr("Jobs"), tr("The times of the runs, or a gamma distribution with their mean."),
        [](const PlanSource&) {
            return std::vector<ChooserItem>{{tr("as in the runs"), ""}, {tr("of a distribution"), kDrawn}};
        },
        [](const PlanSource& source) { return source.choices.variation ? kDrawn : std::string(); },
        [](plan::PlanChoices& choices, const std::string& jobs) {
            choices.variation = jobs == kDrawn ? std::optional(1.0) : std::nullopt;
        }};
}

SliderControl speedUpControl()
{
    return {{.name = tr("Fast machine"),
             .tooltip = tr("How many times as fast as a slow machine it does a job."),
             .low = 1.0,
             .high = 16.0,
             .typed = {0.01, 1000.0},
             .unit = tr("× as fast"),
             .isLog = true},
            [](const PlanSource& source) {
                return SliderState{source.choices.speedUp.value_or(source.choices.machines)};
            },
            [](plan::PlanChoices& choices, double times) { choices.speedUp = times; }};
}

SliderControl variationControl()
{
    return {{.name = tr("Variation of the jobs"),
             .tooltip = tr("Standard deviation of their times over the mean: 0 all alike, 1 exponential."),
             .high = 3.0,
             .typed = {0.0, 10.0}},
            [](const PlanSource& source) {
                const auto& variation = source.choices.variation;
                return variation ? std::optional(SliderState{*variation}) : std::nullopt;
            },
            [](plan::PlanChoices& choices, double variation) { choices.variation = variation; }};
}

} // namespace

PlanQuestion askQueue()
{
    const SliderKind load{.name = tr("Load"),
                          .tooltip = tr("Jobs that come, as a share of what all slow machines can serve."),
                          .low = 0.05,
                          .high = 0.98,
                          .typed = {0.01, 0.99},
                          .value = ValueKind::Share};
    const SliderKind machines{.name = tr("Slow machines"),
                              .tooltip = tr("How many slow machines there are instead of the fast one."),
                              .low = 1,
                              .high = 16,
                              .typed = {1, 1000},
                              .isWhole = true};
    return {.id = "queue",
            .title = tr("Mean response of one fast and of several slow machines"),
            .tab = tr("Queue"),
            .tableName = tr("Systems"),
            .controls = {sliderFor(load, &plan::PlanChoices::load),
                         sliderFor(machines, &plan::PlanChoices::machines), speedUpControl(), jobsControl(),
                         variationControl()},
            .answer = answerQueue};
}

} // namespace quadric::widgets
