// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/sentence_bar.h"

#include "core/model/feasibility/feasibility.h"
#include "core/optimize/next/runs_limit.h"
#include "core/report/findings/feasibility_findings.h"
#include "core/report/findings/optimism_sentences.h"
#include "core/report/findings/standing.h"
#include "core/study/space/constraint.h"
#include "widgets/base/theme.h"
#include "widgets/optimize/session/steady_label.h"
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

SettingKind kindOf(const Answer& answer)
{
    if (answer.isAtBest())
        return answer.locked.empty() ? SettingKind::Best : SettingKind::BestWithFixed;
    return SettingKind::LookedAt;
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
    m_runs->setObjectName(QStringLiteral("confirmRuns"));
    m_runs->setAccessibleName(tr("Number of confirming runs"));
    m_runs->setToolTip(tr("How many runs confirm the prediction: more make its interval narrower."));
    m_runs->setRange(1, kMostConfirmingRuns);
    m_runs->setValue(kConfirmingRuns);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
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
            return optimize::correctOptimum(*study, context->decidingFits(), best, options);
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
            for (const std::string& sentence :
                 report::describeAvoidance(study, answer.settings(), optimize::leastRunsProbabilityOf(study)))
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
    m_sentence->setText(headlineText(answer.study(), answer.shown, kindOf(answer), standing));
    QPalette colors = palette();
    if (standing.isRejected())
        colors.setColor(QPalette::WindowText, plotColors(colors).error);
    m_sentence->setPalette(colors);
    const bool canRun = study::isLegal(answer.study(), answer.settings());
    m_confirm->setEnabled(canRun && !answer.context->isRunning);
}

} // namespace quadric::widgets
