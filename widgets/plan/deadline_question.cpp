// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/words/plan_sentences.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_questions.h"
#include "widgets/plots/panel/panel_parts.h"
#include "widgets/text/wording.h"

#include <QTime>

#include <algorithm>
#include <cmath>

namespace quadric::widgets {

namespace {

constexpr double kCertain = 1.02; ///< the axis goes a little beyond

/// With a tick at each fifth.
PanelAxis shareAxis(const QString& title)
{
    PanelAxis axis{title, {0.0, kCertain, false}};
    for (int fifths = 0; fifths <= 5; ++fifths)
        axis.ticks.push_back({fifths / 5.0, formatPercent(fifths / 5.0, 0)});
    return axis;
}

/// The sizes in the unit that they are told in, and the axis.
struct SizeAxis {
    QString title;
    double unit = 1.0;
};

/// Long numbers leave room for few of them: large amounts are told in millions or billions.
SizeAxis amountAxis(const QString& unit, double largest)
{
    constexpr double kMillion = 1e6, kBillion = 1e9, kMany = 10.0;
    const double scale = largest >= kMany * kBillion   ? kBillion
                         : largest >= kMany * kMillion ? kMillion
                                                       : 1.0;
    const QString many = scale == kBillion   ? tr("billion %1").arg(unit)
                         : scale == kMillion ? tr("million %1").arg(unit)
                                             : unit;
    return {many.isEmpty() ? tr("amount of work") : tr("amount of work (%1)").arg(many.trimmed()), scale};
}

SizeAxis makeSizeAxis(const model::Fit& fit, const plan::DeadlineQuestion& question,
                      const plan::SizeCurve& curve)
{
    if (curve.kind == plan::SizeKind::Time) {
        const text::TimeUnit unit = text::findTimeUnit(curve.sizes.back());
        return {tr("time available (%1)").arg(QLatin1String(unit.name)), unit.seconds};
    }
    if (curve.kind == plan::SizeKind::Setting) {
        const auto factor = std::ranges::find(fit.factors, question.largest, &study::Factor::name);
        return {nameWithUnit(factor->name, factor->unit)};
    }
    return amountAxis(fromUtf8(plan::amountUnit(fit)), curve.sizes.back());
}

/// As the axis tells it.
QString sizeText(const plan::SizeCurve& curve, double size, double unit)
{
    if (curve.kind == plan::SizeKind::Time)
        return formatDuration(size);
    return formatNumber((curve.kind == plan::SizeKind::Amount ? plan::withoutNeedlessDigits(size) : size) /
                        unit);
}

Panel curvePanel(const model::Fit& fit, const plan::DeadlineQuestion& question,
                 const plan::DeadlineAnswer& answer)
{
    const SizeAxis axis = makeSizeAxis(fit, question, answer.curve);
    Panel panel;
    PanelLine line;
    for (const double size : answer.curve.sizes)
        line.x.push_back(size / axis.unit);
    line.y = answer.curve.probabilities;
    panel.x = {axis.title, scaleOver(line.x, false)};
    panel.y = shareAxis(tr("done in time"));
    panel.lines.push_back(straightLine(panel.x.scale.low, question.probability, panel.x.scale.high,
                                       question.probability, LineRole::Reference));
    const auto& [shown, at] = answer.curve.asked;
    panel.lines.push_back(std::move(line));
    if (const auto& largest = answer.curve.largest)
        panel.limits.push_back(
            {*largest / axis.unit, tr("%1: %2").arg(formatPercent(question.probability, 2),
                                                    sizeText(answer.curve, *largest, axis.unit))});
    panel.dots.push_back({.x = shown / axis.unit,
                          .y = at,
                          .role = DotRole::Shown,
                          .tip = tr("as asked: %1").arg(formatPercent(at))});
    return panel;
}

TextTable makeDeadlineTable(const model::Fit& fit, const plan::DeadlineQuestion& question,
                            const plan::DeadlineAnswer& answer)
{
    const SizeAxis axis = makeSizeAxis(fit, question, answer.curve);
    TextTable table;
    table.caption = tr("Probability of being done within %1").arg(formatDuration(question.seconds));
    table.columns = {{axis.title, {}, true}, {tr("Probability"), {}, true}};
    for (std::size_t i = 0; i < answer.curve.sizes.size(); ++i)
        table.rows.push_back(
            {formatNumber(answer.curve.sizes[i] / axis.unit), formatPercent(answer.curve.probabilities[i])});
    return table;
}

constexpr double kAround = 5.0; ///< the slider goes from a fifth of the median to five times as much
constexpr double kLongest = 1e9;
constexpr double kDay = 86400.0;

QString clockText(double seconds)
{
    const QTime done = QTime::currentTime().addSecs(static_cast<int>(std::fmod(seconds, kDay)));
    return seconds < kDay ? tr("Started now: done by %1").arg(done.toString(QStringLiteral("HH:mm")))
                          : QString();
}

plan::DeadlineQuestion questionOf(const PlanSource& source)
{
    return plan::deadlineQuestion(*source.fit(), source.choices, source.settings);
}

SliderControl withinControl()
{
    SliderKind kind{.name = tr("Time available"),
                    .tooltip =
                        tr("How long a run that starts now may take. A time of the clock can be typed, "
                           "too: 18:00."),
                    .low = 1.0,
                    .high = 10.0,
                    .typed = {1e-3, kLongest},
                    .value = ValueKind::Time,
                    .isLog = true};
    return {std::move(kind),
            [](const PlanSource& source) {
                const plan::DeadlineQuestion question = questionOf(source);
                const model::Fit& fit = *source.fit();
                const plan::RunTime time(fit, question.work,
                                         study::Coding(fit.factors).toCoded(question.settings));
                const double median = time.quantile(0.5);
                const double middle = std::isfinite(median) && median > 0.0 ? median : question.seconds;
                return SliderState{.value = question.seconds,
                                   .range = std::pair(middle / kAround, middle * kAround),
                                   .note = clockText(question.seconds)};
            },
            [](plan::PlanChoices& choices, double seconds) { choices.within = seconds; }};
}

ChooserControl largestControl()
{
    return {tr("Largest"), tr("What is to be as large as the time allows."),
            [](const PlanSource& source) {
                const auto kind = plan::chosenWork(*source.fit(), source.choices).kind;
                return numericFactors(source, kind == plan::WorkKind::Whole ? tr("(time only)")
                                                                            : tr("amount of work"));
            },
            [](const PlanSource& source) { return source.choices.largest; },
            [](plan::PlanChoices& choices, const std::string& name) { choices.largest = name; }};
}

PlanReply answerDeadline(const PlanSource& source)
{
    const model::Fit& fit = *source.fit();
    const plan::DeadlineQuestion question = questionOf(source);
    const plan::DeadlineAnswer answer = plan::answerDeadline(fit, question);
    const QString settings = settingsText(source.study(), answer.settings);
    return {.sentence =
                fromUtf8(plan::describeImpossible(source.study(), fit, question.work, answer.settings) +
                         plan::describeDeadline(fit, question, answer, text::Typography::Typeset)) +
                tr(" Settings: %1.").arg(settings) +
                fromUtf8(plan::describeCaution(fit, answer.isExtrapolation)),
            .remark = fromUtf8(plan::describeCalibration(answer.calibration, question.probability)),
            .board = {.title = nameText(fit.response),
                      .panels = {curvePanel(fit, question, answer)},
                      .legend = {{.sample = LegendEntry::Sample::Dot,
                                  .text = tr("as asked"),
                                  .dot = DotRole::Shown},
                                 {.sample = LegendEntry::Sample::Line,
                                  .text = tr("probability asked for"),
                                  .line = LineRole::Reference}},
                      .table = makeDeadlineTable(fit, question, answer)},
            .held = settings};
}

} // namespace

PlanQuestion askDeadline()
{
    const SliderKind probability{.name = tr("Probability"),
                                 .tooltip = tr("How surely the run has to be done in time."),
                                 .low = 0.5,
                                 .high = 0.999,
                                 .typed = {0.5, 0.9999},
                                 .value = ValueKind::Share};
    return {.id = "deadline",
            .title = tr("Probability of being done in time"),
            .tab = tr("Deadline"),
            .controls = {withinControl(), sliderFor(probability, &plan::PlanChoices::probability),
                         largestControl(),
                         SettingsControl{[](const PlanSource& source) { return source.choices.largest; }}},
            .answer = answerDeadline};
}

} // namespace quadric::widgets
