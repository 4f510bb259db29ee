// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/recommended_setting.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/next/chosen_limits.h"
#include "core/report/findings/advice.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/tables/answer_tables.h"
#include "core/study/space/constraint.h"
#include "core/text/numbers.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/session/steady_label.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace quadric::widgets {

namespace {

constexpr int kConfirmingRuns = 3;
constexpr int kMostConfirmingRuns = 50;
constexpr double kSentenceSize = 1.15; ///< of the text's

SettingKind classifySetting(const Answer& answer)
{
    if (answer.isAtBest())
        return answer.locked.empty() ? SettingKind::Best : SettingKind::BestWithFixed;
    return SettingKind::LookedAt;
}

using Outcome = optimize::ConfirmationOutcome;

QString disturbanceText(const optimize::Confirmation& confirmation)
{
    const QString runs = QString::fromStdString(text::formatRuns(confirmation.disturbed));
    const QString because =
        confirmation.disturbance.empty()
            ? QString()
            : QStringLiteral(" (%1)").arg(QString::fromStdString(confirmation.disturbance));
    return ConfirmationBanner::tr("disturbed while measured: %1%2. Measure again.").arg(runs, because);
}

/// The rows as an HTML table: a label takes no other.
QString htmlTable(const TextTable& table)
{
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='2'><tr>");
    const auto cell = [&](const QString& text, std::size_t column, const char* tag) {
        const bool isNumber = table.columns[column].isNumber;
        return QStringLiteral("<%1 align='%2'>%3&nbsp;&nbsp;&nbsp;</%1>")
            .arg(QLatin1String(tag), isNumber ? QStringLiteral("right") : QStringLiteral("left"),
                 text.toHtmlEscaped().replace(QLatin1Char(' '), QChar::Nbsp));
    };
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        html += cell(table.columns[i].title, i, "th");
    for (const QStringList& row : table.rows) {
        html += QStringLiteral("</tr><tr>");
        for (qsizetype i = 0; i < row.size(); ++i)
            html += cell(row[i], static_cast<std::size_t>(i), "td");
    }
    return html + QStringLiteral("</tr></table>");
}

Banner::Tone outcomeTone(Outcome outcome)
{
    switch (outcome) {
    case Outcome::Confirmed:
        return Banner::Tone::Good;
    case Outcome::Refuted:
    case Outcome::CannotRun:
        return Banner::Tone::Error;
    case Outcome::Disturbed:
    case Outcome::NoInterval:
    case Outcome::NoResult:
        return Banner::Tone::Warning;
    case Outcome::Pending:
        break;
    }
    return Banner::Tone::News;
}

QString bannerToneMark(Banner::Tone tone)
{
    return tone == Banner::Tone::Good      ? QStringLiteral("✓")
           : tone == Banner::Tone::Error   ? QStringLiteral("✗")
           : tone == Banner::Tone::Warning ? QStringLiteral("▲")
                                           : QStringLiteral("…");
}

} // namespace

SentenceBar::SentenceBar(OptimizeSession& session, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_sentence(new SteadyLabel(2, this))
    , m_corrected(new SteadyLabel(1, this))
    , m_runsText(new SteadyLabel(1, this))
    , m_confirm(new QPushButton(this))
    , m_runs(new QSpinBox(this))
{
    QFont large = m_sentence->font();
    large.setPointSizeF(large.pointSizeF() * kSentenceSize);
    m_sentence->setFont(large);
    m_sentence->setGrowing(true);
    m_sentence->setObjectName(QStringLiteral("recommendation"));
    m_sentence->setToolTip(tr("± is the 95 % interval for a single new run at this setting; with blocks, in "
                              "a new block. D joins all goals: "
                              "0 is outside a limit, 1 is every goal met."));
    m_corrected->setGrowing(true);
    m_corrected->setObjectName(QStringLiteral("correction"));
    m_corrected->setToolTip(
        tr("The best of many predictions is too good on average, for the same errors chose it. How much is "
           "found by simulating new results, choosing, fitting and optimizing as for these."));
    m_runsText->setObjectName(QStringLiteral("runsText"));
    m_runsText->setGrowing(true);
    m_runsText->setToolTip(tr("Learned from the runs that failed and from those that gave a result."));
    m_confirm->setObjectName(QStringLiteral("confirm"));
    m_confirm->setMinimumHeight(40);
    m_confirm->setToolTip(tr("Adds new runs at this setting and starts them, to check the prediction."));
    nameWidget(m_runs, "confirmRuns", tr("Number of confirming runs"));
    m_runs->setToolTip(tr("How many runs confirm the prediction: more make its interval narrower."));
    m_runs->setRange(1, kMostConfirmingRuns);
    m_runs->setValue(kConfirmingRuns);
    auto* layout = marginless<QHBoxLayout>(this, 8);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_sentence);
    words->addWidget(m_corrected);
    words->addWidget(m_runsText);
    layout->addLayout(words, 1);
    layout->addSpacing(8);
    layout->addWidget(m_runs);
    layout->addWidget(m_confirm);
    connect(m_runs, &QSpinBox::valueChanged, this, &SentenceBar::showButton);
    connect(m_confirm, &QPushButton::clicked, this,
            [this] { emit confirmRequested(m_session.answer().settings(), m_runs->value()); });
    showButton();
}

void SentenceBar::refresh(Change change)
{
    showSentence();
    showRuns();
    if (change >= Change::Goals)
        startCorrection();
    showCorrection();
}

void SentenceBar::startCorrection()
{
    const Answer& answer = m_session.answer();
    m_correction = {};
    m_job.cancel();
    if (!answer.best.isOk())
        return;
    optimize::OptimizeOptions options;
    options.fixed = answer.locked;
    options.leastRunsProbability = answer.searchOptions().leastRunsProbability;
    m_job.start(
        [context = answer.context, study = answer.held, best = answer.best,
         options](const std::stop_token& stop) mutable {
            options.stop = stop;
            return optimize::correctOptimum(*study, context->fits, best, options);
        },
        [this](const optimize::OptimumCorrection& correction) {
            m_correction = correction;
            showCorrection();
        });
}

/// Of the best settings only: what is looked at elsewhere was not chosen.
void SentenceBar::showCorrection()
{
    const Answer& answer = m_session.answer();
    QStringList sentences;
    if (answer.isAtBest()) {
        for (const std::string& sentence :
             report::describeCorrection(answer.study(), answer.best, m_correction, text::Typography::Typeset))
            sentences << QString::fromStdString(sentence);
    }
    m_corrected->setText(sentences.join(QLatin1Char(' ')));
}

/// How surely the setting gives a result, and what a failed confirmation has moved.
void SentenceBar::showRuns()
{
    const Answer& answer = m_session.answer();
    QStringList sentences;
    if (answer.best.isOk() && model::feasibilityOf(answer.study())) {
        const study::Study& study = answer.study();
        sentences << QString::fromStdString(report::describeRunProbability(study, answer.settings()));
        if (answer.isAtBest())
            for (const std::string& sentence : report::describeAvoidance(
                     study, answer.settings(), optimize::readLeastRunsProbability(study)))
                sentences << QString::fromStdString(sentence);
    }
    m_runsText->setText(sentences.join(QLatin1Char(' ')));
    m_runsText->setVisible(!sentences.isEmpty());
}

void SentenceBar::showButton()
{
    m_confirm->setText(tr("&Confirm with %1").arg(formatCount(m_runs->value(), "run")));
}

void SentenceBar::showSentence()
{
    const Answer& answer = m_session.answer();
    if (!answer.best.isOk()) {
        m_sentence->setText(QString::fromStdString(answer.best.message));
        m_confirm->setEnabled(false);
        return;
    }
    const report::Standing standing =
        report::judgeSetting(answer.study(), answer.fits(), answer.settings(), answer.confirmations);
    m_sentence->setText(headlineText(answer.study(), answer.shown, classifySetting(answer), standing));
    QPalette colors = palette();
    if (standing.isRejected())
        colors.setColor(QPalette::WindowText, plotColors(colors).error);
    m_sentence->setPalette(colors);
    const bool canRun = study::isLegal(answer.study(), answer.settings());
    m_confirm->setEnabled(canRun && !answer.context->isRunning);
}

QString confirmationText(const study::Study& study, const optimize::Confirmation& confirmation)
{
    const auto runs = static_cast<int>(confirmation.runs.size());
    const QString setting = settingsText(study, confirmation.settings);
    switch (confirmation.outcome()) {
    case Outcome::Pending:
        return ConfirmationBanner::tr("Confirming %1: %2 of %3 runs are in.")
            .arg(setting)
            .arg(runs - confirmation.pending)
            .arg(runs);
    case Outcome::NoResult:
        return ConfirmationBanner::tr("No verdict on %1: none of the confirming runs gave a result.")
            .arg(setting);
    case Outcome::Disturbed:
        return ConfirmationBanner::tr("No verdict yet on %1: %2").arg(setting, disturbanceText(confirmation));
    case Outcome::NoInterval:
        return ConfirmationBanner::tr("No verdict on %1: the models leave no degrees of freedom for an "
                                      "interval.")
            .arg(setting);
    case Outcome::Confirmed:
        return ConfirmationBanner::tr("Confirmed at %1.").arg(setting);
    case Outcome::Refuted:
        return ConfirmationBanner::tr("Not confirmed at %1: do not use it.").arg(setting);
    case Outcome::CannotRun:
        break;
    }
    return ConfirmationBanner::tr("Not confirmed at %1: do not use it. %2")
        .arg(setting, QString::fromStdString(confirmation.failure));
}

ConfirmationBanner::ConfirmationBanner(QWidget* parent)
    : Banner(parent)
    , m_repeat(addButton("repeatConfirmation", tr("&Measure again")))
    , m_fit(addButton("fitConfirmation", tr("&Include in model and refit")))
    , m_hide(addButton("hideConfirmation", {}))
{
    setObjectName(QStringLiteral("confirmation"));
    label()->setObjectName(QStringLiteral("confirmationText"));
    label()->setTextFormat(Qt::RichText);
    label()->setToolTip(
        tr("The mean of the confirming runs against the interval that the model predicted for "
           "the mean of as many runs."));
    m_repeat->setToolTip(tr("Measures the disturbed runs again, now."));
    m_fit->setToolTip(
        tr("Adds them to the data that the models are fitted to; they then no longer count as validation."));
    m_hide->setFlat(true);
    hide();
    connect(m_repeat, &QPushButton::clicked, this, [this] { emit repeatRequested(m_last.disturbed); });
    connect(m_fit, &QPushButton::clicked, this, [this] { emit fitRequested(m_last.runs); });
    connect(m_hide, &QPushButton::clicked, this, [this] { fold(m_folded != m_title); });
}

/// Folded, the title stays, and with it the way back.
void ConfirmationBanner::fold(bool isFolded)
{
    m_folded = isFolded ? m_title : QString();
    const QString title = QStringLiteral("<b>%1</b>").arg(m_title.toHtmlEscaped());
    setWords(isFolded ? title : title + m_details);
    m_hide->setText(isFolded ? tr("Sh&ow") : tr("Hi&de"));
    m_hide->setVisible(!m_details.isEmpty());
    m_repeat->setVisible(m_last.outcome() == Outcome::Disturbed);
    m_fit->setVisible(!isFolded && m_last.hasVerdict() && !m_last.responses.empty());
}

void ConfirmationBanner::showConfirmations(const study::Study& study,
                                           const std::vector<optimize::Confirmation>& confirmations)
{
    setVisible(!confirmations.empty());
    if (confirmations.empty())
        return;
    m_last = confirmations.back();
    m_title = confirmationText(study, m_last);
    m_details =
        m_last.responses.empty() ? QString() : htmlTable(typeset(report::makeConfirmationTable(m_last)));
    const Tone tone = outcomeTone(m_last.outcome());
    setTone(tone, bannerToneMark(tone));
    fold(m_folded == m_title);
}

} // namespace quadric::widgets
