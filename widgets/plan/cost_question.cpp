// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/plan_sentences.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_questions.h"
#include "widgets/text/wording.h"

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

using Part = plan::Estimate plan::RunCost::*;

/// The axis goes no further than so many times the largest median, for an interval may have no end.
constexpr double kMostOfBand = 2.0;

/// Median and band of one part of the costs; where an end is not finite there is no band.
Panel costPanel(const study::Study& study, const study::Settings& settings, const plan::CostPlan& plan,
                Part part, const QString& title, double unit)
{
    const study::Factor& factor = *study::findFactor(study, plan.factor);
    Panel panel;
    PanelLine line;
    PanelBand band;
    std::vector<double> values{0.0}; // that the axis shows
    for (const plan::CostPoint& point : plan.along) {
        const plan::Estimate& estimate = point.cost.*part;
        if (!std::isfinite(estimate.value))
            continue;
        line.x.push_back(point.setting);
        line.y.push_back(estimate.value / unit);
        const double high = std::isfinite(estimate.high) ? estimate.high : estimate.value;
        band.x.push_back(point.setting);
        band.low.push_back(estimate.low / unit);
        band.high.push_back(high / unit);
    }
    const double largest = line.y.empty() ? 1.0 : *std::ranges::max_element(line.y);
    for (const double high : band.high)
        values.push_back(std::min(high, kMostOfBand * largest));
    panel.x = {nameWithUnit(factor.name, factor.unit),
               scaleOver(line.x, factor.scale == study::Scale::Log2, 0.02)};
    panel.y = {title, scaleOver(values, false)};
    panel.bands.push_back(std::move(band));
    panel.lines.push_back(std::move(line));
    const double here = (plan.here.*part).value / unit;
    if (std::isfinite(here))
        panel.dots.push_back({.x = study::numberOf(settings.at(plan.factor)),
                              .y = here,
                              .role = DotRole::Shown,
                              .tip = tr("at the settings: %1").arg(formatNumber(here))});
    return panel;
}

TextTable costTable(const study::Study& study, const plan::CostPlan& plan, const QString& money)
{
    const study::Factor& factor = *study::findFactor(study, plan.factor);
    TextTable table;
    table.caption = tr("Cost of a run");
    table.columns = {{nameWithUnit(factor.name, factor.unit), {}, true},
                     {money, {}, true},
                     {tr("energy (kWh)"), {}, true},
                     {tr("time (s)"), {}, true}};
    const auto text = [](const plan::Estimate& estimate) {
        return std::isfinite(estimate.high) ? formatInterval(estimate.value, estimate.low, estimate.high)
                                            : formatNumber(estimate.value);
    };
    for (const plan::CostPoint& point : plan.along)
        table.rows.push_back({formatNumber(point.setting), text(point.cost.money),
                              text(point.cost.kilowattHours), text(point.cost.seconds)});
    return table;
}

PanelBoard costBoard(const PlanSource& source, const plan::CostPlan& plan)
{
    double longest = 0.0;
    for (const plan::CostPoint& point : plan.along)
        if (std::isfinite(point.cost.seconds.value))
            longest = std::max(longest, point.cost.seconds.value);
    const text::TimeUnit unit = text::findTimeUnit(longest);
    const QString money = plan.isInGpuHours ? tr("GPU hours of a run") : tr("cost of a run");
    const auto panelOf = [&](Part part, const QString& title, double size) {
        return costPanel(source.study(), source.settings, plan, part, title, size);
    };
    return {.panels = {panelOf(&plan::RunCost::money, money, 1.0),
                       panelOf(&plan::RunCost::seconds,
                               tr("time of a run (%1)").arg(QLatin1String(unit.name)), unit.seconds)},
            .legend =
                {{.sample = LegendEntry::Sample::LineInBand, .text = tr("median, 95 % interval of one run")},
                 {.sample = LegendEntry::Sample::Dot, .text = tr("at the settings"), .dot = DotRole::Shown}},
            .table = costTable(source.study(), plan, money)};
}

PlanReply answerCost(const PlanSource& source)
{
    const model::Fit& fit = *source.fit();
    const plan::CostPlan plan =
        plan::planCost(source.study(), source.context->fits, fit, source.settings, source.choices);
    const std::string impossible =
        plan::describeImpossible(source.study(), fit, plan::chosenWork(fit, source.choices), source.settings);
    PlanReply reply{.sentence = fromUtf8(impossible + plan::describeCost(plan, text::Typography::Typeset) +
                                         plan::describeCaution(fit, plan.isExtrapolation)),
                    .held = settingsText(source.study(), source.settings)};
    if (plan.along.empty())
        reply.reason = tr("No numeric factor to go along.");
    else
        reply.board = costBoard(source, plan);
    return reply;
}

constexpr double kHighestPrice = 1e12;

/// An amount of money of 0 or more, in any currency.
SliderKind priceKind(const QString& name, const QString& tooltip, double high)
{
    return {.name = name, .tooltip = tooltip, .high = high, .typed = {0.0, kHighestPrice}};
}

/// Only where no factor is their number.
SliderControl gpusControl()
{
    return {{.name = tr("GPUs"),
             .tooltip = tr("How many GPUs a run uses."),
             .low = 1,
             .high = 64,
             .typed = {1, 1'000'000},
             .isWhole = true},
            [](const PlanSource& source) {
                return plan::countFactorOf(source.study(), source.choices)
                           ? std::nullopt
                           : std::optional(SliderState{std::max(1.0, double(source.choices.gpus))});
            },
            [](plan::PlanChoices& choices, double gpus) { choices.gpus = static_cast<int>(gpus); }};
}

ChooserControl energyControl()
{
    return {
        tr("Energy"),
        tr("Where the energy comes from: power × time, or a response that is the energy of all GPUs for a "
           "unit of the work, in J."),
        [](const PlanSource& source) {
            std::vector<ChooserItem> items{{tr("power × time"), ""}};
            for (const model::Fit& fit : source.context->fits)
                if (fit.isOk() && fit.dfResidual > 0 && fit.response != source.fit()->response)
                    items.emplace_back(nameWithUnit(fit.response, fit.unit), fit.response);
            return items;
        },
        [](const PlanSource& source) { return source.choices.energy; },
        [](plan::PlanChoices& choices, const std::string& name) { choices.energy = name; }};
}

SliderControl wattsControl()
{
    const SliderKind watts{.name = tr("Power of a GPU"),
                           .tooltip = tr("With its share of the machine, where no response is the energy."),
                           .high = 1500.0,
                           .typed = {0.0, 1e6},
                           .unit = QStringLiteral("W")};
    SliderControl control = sliderFor(watts, &plan::PlanChoices::watts);
    control.state = [](const PlanSource& source) {
        return source.choices.energy.empty() ? std::optional(SliderState{source.choices.watts})
                                             : std::nullopt;
    };
    return control;
}

} // namespace

PlanQuestion askCost()
{
    using plan::PlanChoices;
    return {
        .id = "cost",
        .title = tr("Cost of a run"),
        .tab = tr("Cost"),
        .controls = {sliderFor(priceKind(tr("Price of a GPU hour"), tr("In any currency."), 20.0),
                               &PlanChoices::gpuHour),
                     sliderFor(priceKind(tr("Price of a kilowatt hour"), tr("In the same currency."), 1.0),
                               &PlanChoices::kilowattHour),
                     gpusControl(), energyControl(), wattsControl(), SettingsControl{}},
        .answer = answerCost};
}

} // namespace quadric::widgets
