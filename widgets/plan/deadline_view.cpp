// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/deadline_view.h"

#include "core/plan/jobs.h"
#include "core/plan/plan_choices.h"
#include "core/plan/words/cluster_tables.h"
#include "core/study/space/constraint.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plan/plan_controls.h"
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
    const QString many = scale == kBillion   ? DeadlinePlot::tr("billion %1").arg(unit)
                         : scale == kMillion ? DeadlinePlot::tr("million %1").arg(unit)
                                             : unit;
    return {many.isEmpty() ? DeadlinePlot::tr("amount of work")
                           : DeadlinePlot::tr("amount of work (%1)").arg(many.trimmed()),
            scale};
}

SizeAxis makeSizeAxis(const model::Fit& fit, const plan::DeadlineQuestion& question,
                      const plan::SizeCurve& curve)
{
    if (curve.kind == plan::SizeKind::Time) {
        const text::TimeUnit unit = text::findTimeUnit(curve.sizes.back());
        return {DeadlinePlot::tr("time available (%1)").arg(QLatin1String(unit.name)), unit.seconds};
    }
    if (curve.kind == plan::SizeKind::Setting) {
        const auto factor = std::ranges::find(fit.factors, question.largest, &study::Factor::name);
        return {nameWithUnit(factor->name, factor->unit)};
    }
    return amountAxis(amountUnit(fit), curve.sizes.back());
}

/// As the axis tells it.
QString sizeText(const plan::SizeCurve& curve, double size, double unit)
{
    if (curve.kind == plan::SizeKind::Time)
        return formatDuration(size);
    return formatNumber((curve.kind == plan::SizeKind::Amount ? withoutNeedlessDigits(size) : size) / unit);
}

std::optional<double> findLargestSize(const plan::DeadlineAnswer& answer)
{
    switch (answer.curve.kind) {
    case plan::SizeKind::Setting:
        return answer.largest ? std::optional(answer.largest->value) : std::nullopt;
    case plan::SizeKind::Time:
        return std::isfinite(answer.quantile) ? std::optional(answer.quantile) : std::nullopt;
    case plan::SizeKind::Amount:
        break;
    }
    return answer.largestAmount.value_or(0.0) > 0.0 ? answer.largestAmount : std::nullopt;
}

double shownSize(const plan::DeadlineQuestion& question, const plan::DeadlineAnswer& answer)
{
    switch (answer.curve.kind) {
    case plan::SizeKind::Setting:
        return study::numberOf(question.settings.at(question.largest));
    case plan::SizeKind::Time:
        return question.seconds;
    case plan::SizeKind::Amount:
        break;
    }
    return question.work.amount;
}

/// Of the curve at a size on it.
double probabilityAt(const plan::SizeCurve& curve, double size)
{
    const auto above = std::ranges::lower_bound(curve.sizes, size);
    const auto i = std::min<std::ptrdiff_t>(above - curve.sizes.begin(), std::ssize(curve.sizes) - 1);
    if (i == 0)
        return curve.probabilities.front();
    const auto at = static_cast<std::size_t>(i);
    const double width = curve.sizes[at] - curve.sizes[at - 1];
    const double share = width > 0.0 ? std::min(1.0, (size - curve.sizes[at - 1]) / width) : 1.0;
    return curve.probabilities[at - 1] + share * (curve.probabilities[at] - curve.probabilities[at - 1]);
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
    panel.y = shareAxis(DeadlinePlot::tr("done in time"));
    panel.lines.push_back(straightLine(panel.x.scale.low, question.probability, panel.x.scale.high,
                                       question.probability, LineRole::Reference));
    const double shown = shownSize(question, answer);
    const double at = probabilityAt(answer.curve, shown);
    panel.lines.push_back(std::move(line));
    if (const auto largest = findLargestSize(answer))
        panel.limits.push_back({*largest / axis.unit,
                                DeadlinePlot::tr("%1: %2").arg(formatPercent(question.probability, 2),
                                                               sizeText(answer.curve, *largest, axis.unit))});
    panel.dots.push_back({.x = shown / axis.unit,
                          .y = at,
                          .role = DotRole::Shown,
                          .tip = DeadlinePlot::tr("as asked: %1").arg(formatPercent(at))});
    return panel;
}

TextTable makeDeadlineTable(const model::Fit& fit, const plan::DeadlineQuestion& question,
                            const plan::DeadlineAnswer& answer)
{
    const SizeAxis axis = makeSizeAxis(fit, question, answer.curve);
    TextTable table;
    table.caption =
        DeadlinePlot::tr("Probability of being done within %1").arg(formatDuration(question.seconds));
    table.columns = {{axis.title, {}, true}, {DeadlinePlot::tr("Probability"), {}, true}};
    for (std::size_t i = 0; i < answer.curve.sizes.size(); ++i)
        table.rows.push_back(
            {formatNumber(answer.curve.sizes[i] / axis.unit), formatPercent(answer.curve.probabilities[i])});
    return table;
}

constexpr double kLeastProbability = 0.5, kMostProbability = 0.999, kTypedProbability = 0.9999;
constexpr double kAround = 5.0; ///< the slider goes from a fifth of the median to five times as much
constexpr double kLongest = 1e9;
constexpr int kSecondsADay = 86400;

/// "8 h", "90 min", "1 h 20 min"; "18:00" is as long as it is till then.
std::optional<double> readTimeAvailable(const QString& typed)
{
    if (const QTime clock = QTime::fromString(typed.trimmed(), QStringLiteral("H:mm")); clock.isValid()) {
        const int seconds = QTime::currentTime().secsTo(clock);
        return seconds > 0 ? seconds : seconds + kSecondsADay;
    }
    const auto seconds = plan::readSpan(typed.simplified().toStdString());
    return seconds && *seconds > 0.0 && *seconds <= kLongest ? seconds : std::nullopt;
}

SliderKind withinKind()
{
    return {.name = DeadlineView::tr("Time available"),
            .tooltip = DeadlineView::tr("How long a run that starts now may take. A time of the clock can be "
                                        "typed, too: 18:00."),
            .low = 1.0,
            .high = 10.0,
            .isLog = true,
            .show = [](double seconds) { return formatDuration(seconds); },
            .read = readTimeAvailable,
            .expected = DeadlineView::tr("expected a time such as 90 min, 1.5 h or 18:00")};
}

SliderKind probabilityKind()
{
    return {.name = DeadlineView::tr("Probability"),
            .tooltip = DeadlineView::tr("How surely the run has to be done in time."),
            .low = kLeastProbability,
            .high = kMostProbability,
            .show = showShare,
            .read = readShareFrom(kLeastProbability, kTypedProbability),
            .expected = DeadlineView::tr("expected 50 % to 99.99 %")};
}

QString clockText(double seconds)
{
    const QTime done = QTime::currentTime().addSecs(static_cast<int>(std::fmod(seconds, kSecondsADay)));
    return seconds < kSecondsADay
               ? DeadlineView::tr("Started now: done by %1").arg(done.toString(QStringLiteral("HH:mm")))
               : QString();
}

} // namespace

QString amountUnit(const model::Fit& fit)
{
    return plan::isRateUnit(fit.unit) ? QString::fromStdString(fit.unit).section(QLatin1Char('/'), 0, 0)
                                      : QString();
}

double withoutNeedlessDigits(double amount)
{
    constexpr double kDigitsOfAmount = 3.0;
    if (!(amount > 0.0))
        return amount;
    const double step = std::pow(10.0, std::floor(std::log10(amount)) + 1.0 - kDigitsOfAmount);
    return std::floor(amount / step + 1e-9) * step;
}

QString amountText(const model::Fit& fit, double amount)
{
    const QString unit = amountUnit(fit);
    return unit.isEmpty() ? DeadlinePlot::tr("%1 units of work").arg(formatNumber(amount))
                          : formatNumber(amount) + QChar::Nbsp + unit;
}

DeadlinePlot::DeadlinePlot(QWidget* parent)
    : PanelPlot(parent)
{
    setAccessibleName(tr("Probability of being done in time"));
    clear(tr("No response tells how long the work takes."));
}

void DeadlinePlot::setAnswer(const model::Fit& fit, const plan::DeadlineQuestion& question,
                             const plan::DeadlineAnswer& answer)
{
    PanelBoard board;
    board.title = nameText(fit.response);
    board.panels.push_back(curvePanel(fit, question, answer));
    board.legend = {{.sample = LegendEntry::Sample::Dot, .text = tr("as asked"), .dot = DotRole::Shown},
                    {.sample = LegendEntry::Sample::Line,
                     .text = tr("probability asked for"),
                     .line = LineRole::Reference}};
    board.table = makeDeadlineTable(fit, question, answer);
    setBoard(std::move(board));
}

DeadlineView::DeadlineView(QWidget* parent)
    : PlanView(parent)
    , m_within(new ValueSlider(withinKind(), this))
    , m_probability(new ValueSlider(probabilityKind(), this))
    , m_clock(mutedLabel({}, this))
    , m_figure(new DeadlinePlot(this))
{
    m_within->setObjectName(QStringLiteral("deadlineTime"));
    m_probability->setObjectName(QStringLiteral("deadlineProbability"));
    addControl(m_within);
    addControl(m_clock);
    addControl(m_probability);
    m_largest = addChooser(tr("Largest"), tr("What is to be as large as the time allows."),
                           QStringLiteral("deadlineLargest"));
    addSettings();
    setPlot(m_figure);
    follow(m_within, tr("Time available"), &plan::PlanChoices::within);
    follow(m_probability, tr("Probability of the deadline"), &plan::PlanChoices::probability);
    follow(m_largest, tr("What is to be largest"), &plan::PlanChoices::largest);
}

void DeadlineView::showControls()
{
    const bool isWhole = plan::chosenWork(*source().fit(), source().choices).kind == plan::WorkKind::Whole;
    listNumericFactors(*m_largest, source().choices.largest,
                       isWhole ? tr("(time only)") : tr("amount of work"));
    const plan::DeadlineQuestion question =
        plan::deadlineQuestion(*source().fit(), source().choices, source().settings);
    const model::Fit& fit = *source().fit();
    const plan::RunTime time(fit, question.work, study::Coding(fit.factors).toCoded(question.settings));
    const double median = time.quantile(0.5);
    const double middle = std::isfinite(median) && median > 0.0 ? median : question.seconds;
    m_within->setRange(middle / kAround, middle * kAround);
    m_within->setValue(question.seconds);
    m_clock->setText(clockText(question.seconds));
    m_clock->setVisible(!m_clock->text().isEmpty());
    m_probability->setValue(question.probability);
    showSettings(question.largest);
}

/// What is done in the time available, and when it is done as surely as is asked.
QString DeadlineView::timeText(const plan::DeadlineQuestion& question,
                               const plan::DeadlineAnswer& answer) const
{
    const QString within = formatDuration(question.seconds), asked = formatPercent(question.probability, 2);
    const QString done = question.work.kind == plan::WorkKind::Whole
                             ? tr("One run is done within %1 with a probability of %2")
                             : tr("%1 are done within %2 with a probability of %3")
                                   .arg(amountText(*source().fit(), question.work.amount));
    const QString text = done.arg(within, formatPercent(answer.probability));
    if (formatDuration(std::max(0.0, answer.quantile)) == within)
        return text + QLatin1Char('.');
    return std::isfinite(answer.quantile)
               ? text + tr(", and within %1 with a probability of %2.")
                            .arg(formatDuration(std::max(0.0, answer.quantile)), asked)
               : text + tr("; no time has a probability of %1.").arg(asked);
}

/// The largest size that is done in time as surely as is asked.
QString DeadlineView::largestText(const plan::DeadlineQuestion& question,
                                  const plan::DeadlineAnswer& answer) const
{
    const model::Fit& fit = *source().fit();
    const QString within = formatDuration(question.seconds), asked = formatPercent(question.probability, 2);
    if (question.largest.empty())
        return answer.largestAmount
                   ? tr(" Largest amount done within %1 with a probability of %2: %3.")
                         .arg(within, asked, amountText(fit, withoutNeedlessDigits(*answer.largestAmount)))
                   : QString();
    const QString name = nameText(question.largest);
    if (!answer.largest)
        return tr(" No setting of %1 is done within %2 with a probability of %3.").arg(name, within, asked);
    const auto factor = std::ranges::find(fit.factors, question.largest, &study::Factor::name);
    return tr(" Largest %1 done within %2 with a probability of %3: %4.")
        .arg(name, within, asked,
             (formatNumber(answer.largest->value) + QChar::Nbsp + QString::fromStdString(factor->unit))
                 .trimmed());
}

QString DeadlineView::answerText(const plan::DeadlineQuestion& question,
                                 const plan::DeadlineAnswer& answer) const
{
    QString text = impossibleText(answer.settings);
    if (const std::string violation = study::describeViolation(source().study(), answer.settings);
        !violation.empty())
        text += (text.isEmpty() ? QString() : QStringLiteral(" ")) + infeasibleText(violation);
    if (!text.isEmpty())
        text += QLatin1Char(' ');
    return text + timeText(question, answer) + largestText(question, answer) +
           tr(" Settings: %1.").arg(settingsText(source().study(), answer.settings)) +
           cautionText(answer.isExtrapolation);
}

void DeadlineView::showAnswer()
{
    const model::Fit& fit = *source().fit();
    const plan::DeadlineQuestion question = plan::deadlineQuestion(fit, source().choices, source().settings);
    const plan::DeadlineAnswer answer = plan::answerDeadline(fit, question);
    setSentence(answerText(question, answer));
    m_figure->setHeld(settingsText(source().study(), answer.settings));
    m_figure->setAnswer(fit, question, answer);
    setRemark(QString::fromStdString(plan::describeCalibration(answer.calibration, question.probability)));
}

} // namespace quadric::widgets
