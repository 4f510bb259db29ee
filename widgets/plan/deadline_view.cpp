// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/deadline_view.h"

#include "core/plan/job_records.h"
#include "core/plan/plan_questions.h"
#include "core/study/space/constraint.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/plan/deadline_plot.h"
#include "widgets/plan/value_slider.h"
#include "widgets/text/wording.h"

#include <QComboBox>
#include <QLabel>
#include <QTime>

#include <cmath>

namespace quadric::widgets {

namespace {

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
    const bool isWhole = plan::workOf(*source().fit(), source().choices).kind == plan::WorkKind::Whole;
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
}

} // namespace quadric::widgets
