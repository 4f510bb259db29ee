// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/confirmation_banner.h"

#include "widgets/text/wording.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace quadric::widgets {

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
    if (!confirmation.failure.empty())
        sentences << QString::fromStdString(confirmation.failure);
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
    : Banner(parent)
    , m_fit(new QPushButton(tr("&Include in model and refit"), this))
    , m_hide(new QPushButton(tr("Hi&de"), this))
{
    setObjectName(QStringLiteral("confirmation"));
    label()->setObjectName(QStringLiteral("confirmationText"));
    label()->setToolTip(
        tr("The mean of the confirming runs against the interval that the model predicted for "
           "the mean of as many runs."));
    m_fit->setObjectName(QStringLiteral("fitConfirmation"));
    m_fit->setToolTip(
        tr("Adds them to the data that the models are fitted to; they then no longer count as validation."));
    m_hide->setObjectName(QStringLiteral("hideConfirmation"));
    m_hide->setFlat(true);
    row()->addWidget(m_fit);
    row()->addWidget(m_hide);
    hide();
    connect(m_fit, &QPushButton::clicked, this, [this] { emit fitRequested(m_runs); });
    connect(m_hide, &QPushButton::clicked, this, [this] {
        m_putAway = words();
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
    setWords(confirmationText(study, last));
    m_fit->setVisible(last.hasVerdict() && !last.responses.empty());
    if (!last.hasVerdict())
        setTone(Tone::News, QStringLiteral("…"));
    else
        setTone(last.isConfirmed ? Tone::Good : Tone::Warning,
                last.isConfirmed ? QStringLiteral("✓") : QStringLiteral("✗"));
    setVisible(words() != m_putAway);
}

} // namespace quadric::widgets
