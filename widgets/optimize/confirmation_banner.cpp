// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/confirmation_banner.h"

#include "core/report/tables/answer_tables.h"
#include "core/text/numbers.h"
#include "widgets/text/text_table.h"
#include "widgets/text/wording.h"

#include <QLabel>
#include <QPushButton>

namespace quadric::widgets {

namespace {

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

Banner::Tone toneOf(Outcome outcome)
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

QString markOf(Banner::Tone tone)
{
    return tone == Banner::Tone::Good      ? QStringLiteral("✓")
           : tone == Banner::Tone::Error   ? QStringLiteral("✗")
           : tone == Banner::Tone::Warning ? QStringLiteral("▲")
                                           : QStringLiteral("…");
}

} // namespace

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
    const Tone tone = toneOf(m_last.outcome());
    setTone(tone, markOf(tone));
    fold(m_folded == m_title);
}

} // namespace quadric::widgets
