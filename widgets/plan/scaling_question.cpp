// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/cluster_tables.h"
#include "core/plan/words/plan_sentences.h"
#include "core/text/numbers.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_questions.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <memory>

namespace quadric::widgets {

namespace {

/// The ideal line, and the forecast in its band, broken beyond the runs. The axis of the speeds shows them
/// all.
void addForecast(Panel& panel, const plan::ScalePlan& plan, int lastMeasured)
{
    const plan::ForecastRow& first = plan.curve.front();
    const int last = plan.curve.back().count;
    const double ideal = first.speed.value * last / first.count;
    panel.lines.push_back(straightLine(first.count, first.speed.value, last, ideal, LineRole::Reference));
    PanelLine inside, beyond;
    beyond.role = LineRole::Extrapolation;
    PanelBand band;
    std::vector<double> speeds{ideal};
    for (const plan::ForecastRow& row : plan.curve) {
        for (PanelLine* line : {&inside, &beyond})
            if (line == &inside ? row.count <= lastMeasured : row.count >= lastMeasured) {
                line->x.push_back(row.count);
                line->y.push_back(row.speed.value);
            }
        band.x.push_back(row.count);
        band.low.push_back(row.speed.low);
        band.high.push_back(row.speed.high);
        for (const double speed : {row.speed.low, row.speed.high})
            if (speed > 0.0)
                speeds.push_back(speed);
    }
    panel.y.scale = scaleOver(speeds, true, 0.04);
    panel.bands.push_back(std::move(band));
    panel.lines.insert(panel.lines.end(), {inside, beyond});
}

std::vector<PanelDot> measuredDots(const plan::ScaleModel& scale, const QString& unit)
{
    std::vector<PanelDot> dots;
    for (const plan::ScalingPoint& point : scale.points)
        dots.push_back({.x = double(point.count),
                        .y = point.speed,
                        .role = DotRole::Mean,
                        .tip = tr("%1 GPUs: %2 %3 (mean of the runs, adjusted to these settings)")
                                   .arg(point.count)
                                   .arg(formatNumber(point.speed), unit)});
    return dots;
}

QString speedUnit(const model::Fit& fit)
{
    return plan::isRateUnit(fit.unit) ? fromUtf8(fit.unit) : QStringLiteral("1/s"); // of a time
}

Panel forecastPanel(const PlanSource& source, const plan::ScaleModel& scale, const plan::ScalePlan& plan)
{
    const QString unit = speedUnit(*source.fit());
    Panel panel;
    panel.grid = PanelGrid::Both;
    const double first = plan.curve.front().count, last = plan.curve.back().count;
    panel.x = {tr("GPUs"), scaleOver({first, last}, true, 0.03)};
    panel.y.title = tr("speed (%1)").arg(unit);
    addForecast(panel, plan, scale.forecast.measured.back());
    panel.dots = measuredDots(scale, unit);
    if (plan.lastWorthwhile < last)
        panel.limits.push_back(
            {double(plan.lastWorthwhile), tr("doubling pays up to %1").arg(plan.lastWorthwhile)});
    return panel;
}

QString describeForecast(const PlanSource& source, const plan::ScalePlan& plan)
{
    const plan::ForecastRow& last = plan.rows.back();
    return tr("%1 GPUs give %2 %3 (%4 interval %5), %6 of ideal. ")
               .arg(last.count)
               .arg(formatNumber(last.speed.value, (last.speed.high - last.speed.low) / 2.0),
                    speedUnit(*source.fit()), formatPercent(plan::kForecastConfidence, 0),
                    fromUtf8(text::formatRange(last.speed.low, last.speed.high, text::Typography::Typeset)),
                    formatPercent(last.efficiency, 0)) +
           fromUtf8(plan::describeWorth(source.choices.worth, plan.lastWorthwhile, plan.rows.front().count)) +
           fromUtf8(plan::describeCaution(*source.fit(), false));
}

PlanReply answerScaling(const PlanSource& source, const plan::ScaleModel& scale)
{
    const plan::ScalePlan plan = plan::planScale(scale.forecast, source.choices);
    if (plan.rows.empty()) {
        const QString reason = fromUtf8(scale.forecast.message);
        return {.sentence = reason, .reason = reason};
    }
    const TextTable table =
        typeset(plan::makeSpeedTable(plan.rows, source.choices.gpuHour, scale.unitSeconds));
    const std::string assumptions =
        text::joinWords(plan::listLawAssumptions(scale.forecast.laws.front().law.kind), " ");
    return {
        .sentence = describeForecast(source, plan),
        .remark = tr("Assumptions: %1").arg(fromUtf8(assumptions)),
        .board =
            {.title = nameText(source.fit()->response),
             .panels = {forecastPanel(source, scale, plan)},
             .legend =
                 {{.sample = LegendEntry::Sample::Dot, .text = tr("measured"), .dot = DotRole::Mean},
                  {.sample = LegendEntry::Sample::LineInBand,
                   .text = tr("forecast, %1 interval").arg(formatPercent(plan::kForecastConfidence, 0))},
                  {.sample = LegendEntry::Sample::Line, .text = tr("ideal"), .line = LineRole::Reference}},
             .table = table},
        .table = table};
}

/// The factor that is the number of GPUs; empty: none is.
std::string countName(const PlanSource& source)
{
    const auto count = plan::countFactorOf(source.study(), source.choices);
    return count ? source.study().factors[*count].name : std::string();
}

/// The laws are fitted anew only where what they follow changes.
class FittedScale {
public:
    const plan::ScaleModel& modelFor(const PlanSource& source)
    {
        const auto factor = plan::countFactorOf(source.study(), source.choices);
        const std::tuple asked(source.models, source.fit()->response, factor, source.settings);
        if (asked != m_of) {
            m_of = asked;
            m_model = factor
                          ? plan::modelScale(source.study(), *source.fit(), *factor, source.settings)
                          : plan::ScaleModel{.forecast = {.message = "Choose the factor that is the number "
                                                                     "of GPUs."}};
        }
        return m_model;
    }

private:
    std::tuple<int, std::string, std::optional<std::size_t>, study::Settings> m_of{-1, {}, {}, {}};
    plan::ScaleModel m_model;
};

ChooserControl countControl()
{
    return {tr("GPUs"), tr("The factor that is the number of GPUs."),
            [](const PlanSource& source) { return numericFactors(source); }, countName,
            [](plan::PlanChoices& choices, const std::string& name) { choices.countFactor = name; }};
}

} // namespace

PlanQuestion askScaling()
{
    const SliderKind doublings{.name = tr("Doublings beyond the runs"),
                               .tooltip = tr("How far beyond the largest measured count the forecast goes."),
                               .low = 1,
                               .high = 8,
                               .typed = {1, 10},
                               .isWhole = true};
    const SliderKind worth{.name = tr("A doubling pays from"),
                           .tooltip = tr("Twice the GPUs are worth their money where they multiply the speed "
                                         "by at least this."),
                           .low = 1.05,
                           .high = 1.95,
                           .typed = {1.0, 2.0},
                           .unit = tr("× the speed")};
    return {.id = "scaling",
            .title = tr("Speed of larger clusters"),
            .tab = tr("Scale"),
            .tableName = tr("Speeds"),
            .controls = {countControl(), sliderFor(doublings, &plan::PlanChoices::doublings),
                         sliderFor(worth, &plan::PlanChoices::worth), SettingsControl{countName}},
            .answer = [fitted = std::make_shared<FittedScale>()](const PlanSource& source) {
                return answerScaling(source, fitted->modelFor(source));
            }};
}

} // namespace quadric::widgets
