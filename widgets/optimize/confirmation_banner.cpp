// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/confirmation_banner.h"

#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace quadric::widgets {

namespace {

constexpr double kTint = 0.14;

} // namespace

QString confirmationText(const study::Study& study, const optimize::Confirmation& confirmation)
{
    const auto runs = static_cast<int>(confirmation.runs.size());
    const QString setting = settingsText(study, confirmation.settings);
    if (confirmation.pending > 0)
        return ConfirmationBanner::tr("Confirming %1: %2 of %3 runs are in.")
            .arg(setting)
            .arg(runs - confirmation.pending)
            .arg(runs);
    QStringList sentences;
    for (const optimize::ConfirmedResponse& response : confirmation.responses)
        sentences << QString::fromStdString(response.sentence);
    if (sentences.isEmpty())
        return ConfirmationBanner::tr("No verdict on %1: none of the confirming runs gave a result.")
            .arg(setting);
    return (confirmation.isConfirmed ? ConfirmationBanner::tr("Confirmed at %1. ")
                                     : ConfirmationBanner::tr("Not confirmed at %1. "))
               .arg(setting) +
           sentences.join(QLatin1Char(' '));
}

ConfirmationBanner::ConfirmationBanner(QWidget* parent)
    : QFrame(parent)
    , m_mark(new QLabel(this))
    , m_words(new QLabel(this))
    , m_fit(new QPushButton(tr("&Refit with these runs"), this))
    , m_hide(new QPushButton(tr("&Hide"), this))
{
    setObjectName(QStringLiteral("confirmation"));
    setAutoFillBackground(true);
    m_words->setObjectName(QStringLiteral("confirmationText"));
    m_words->setWordWrap(true);
    m_words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_words->setToolTip(
        tr("The mean of the confirming runs against the interval that the model predicted for "
           "the mean of as many runs."));
    m_fit->setObjectName(QStringLiteral("fitConfirmation"));
    m_fit->setToolTip(tr("Makes them added runs, which the models are fitted to; they judge no longer."));
    m_hide->setObjectName(QStringLiteral("hideConfirmation"));
    m_hide->setFlat(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_mark);
    layout->addWidget(m_words, 1);
    layout->addWidget(m_fit);
    layout->addWidget(m_hide);
    hide();
    connect(m_fit, &QPushButton::clicked, this, [this] { emit fitRequested(m_runs); });
    connect(m_hide, &QPushButton::clicked, this, [this] {
        m_putAway = m_words->text();
        hide();
    });
}

void ConfirmationBanner::showConfirmations(const study::Study& study,
                                           const std::vector<optimize::Confirmation>& confirmations)
{
    if (confirmations.empty()) {
        hide();
        return;
    }
    const optimize::Confirmation& last = confirmations.back();
    m_runs = last.runs;
    m_words->setText(confirmationText(study, last));
    const bool hasVerdict = last.pending == 0 && !last.responses.empty();
    m_fit->setVisible(hasVerdict);
    showVerdict(!hasVerdict ? Verdict::Waiting : last.isConfirmed ? Verdict::Confirmed : Verdict::Refuted);
    setVisible(m_words->text() != m_putAway);
}

void ConfirmationBanner::showVerdict(Verdict verdict)
{
    m_verdict = verdict;
    m_mark->setText(verdict == Verdict::Confirmed ? QStringLiteral("✓")
                    : verdict == Verdict::Refuted ? QStringLiteral("✗")
                                                  : QStringLiteral("…"));
    colorAgain();
}

void ConfirmationBanner::colorAgain()
{
    const QPalette outer = parentWidget() ? parentWidget()->palette() : palette();
    const PlotColors colors = plotColors(outer);
    const QColor color = m_verdict == Verdict::Confirmed ? colors.good
                         : m_verdict == Verdict::Refuted ? colors.warning
                                                         : colors.accent;
    QPalette tinted = outer;
    tinted.setColor(QPalette::Window, blend(color, colors.background, kTint));
    if (tinted.color(QPalette::Window) == palette().color(QPalette::Window))
        return;
    setPalette(tinted);
    QPalette mark = tinted;
    mark.setColor(QPalette::WindowText, color);
    m_mark->setPalette(mark);
}

void ConfirmationBanner::changeEvent(QEvent* event)
{
    QFrame::changeEvent(event);
    if (event->type() == QEvent::ParentChange || event->type() == QEvent::ApplicationPaletteChange)
        colorAgain();
}

} // namespace quadric::widgets
