// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/wizard/forms/trial_dialog.h"

#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QPlainTextEdit>

namespace quadric::widgets {

namespace {

constexpr QSize kTrialSize(720, 520);

QString settingsWords(const study::Study& study, const study::Settings& settings)
{
    QStringList parts;
    for (const study::Factor& factor : study.factors) {
        if (const auto value = settings.find(factor.name); value != settings.end())
            parts << QString::fromStdString(factor.name + " = " + study::toText(value->second));
    }
    return parts.join(QStringLiteral(", "));
}

QString resultLines(const study::Study& study, const study::Run& run)
{
    QStringList lines;
    for (const study::Response& response : study.responses) {
        const auto value = run.results.find(response.name);
        const QString read = value == run.results.end()
                                 ? TrialDialog::tr("not found")
                                 : QString::fromStdString(study::toText(value->second) + " " + response.unit);
        lines << QStringLiteral("%1: %2").arg(QString::fromStdString(response.name), read.trimmed());
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace

TrialDialog::TrialDialog(study::Study study, const study::Settings& settings, QWidget* parent)
    : QDialog(parent)
    , m_study(std::move(study))
    , m_state(new QLabel(tr("Running…")))
    , m_results(new QLabel)
    , m_output(new QPlainTextEdit)
    , m_stop(quietButton(tr("&Stop")))
{
    setObjectName(QStringLiteral("trialDialog"));
    setWindowTitle(tr("Test of the command"));
    resize(kTrialSize);
    nameWidget(m_state, "trialState", tr("How the test went"));
    nameWidget(m_results, "trialResults", tr("What was read"));
    nameWidget(m_output, "trialOutput", tr("What the program printed"));
    nameWidget(m_stop, "trialStop", tr("Stop the program"));
    for (QLabel* label : {m_state, m_results}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_output->setReadOnly(true);
    m_output->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_output->setLineWrapMode(QPlainTextEdit::NoWrap);
    auto* close = quietButton(tr("&Close"));
    nameWidget(close, "closeTrial", tr("Close"));
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_stop, &QPushButton::clicked, this, &TrialDialog::stopRequested);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(kGap);
    buttons->addStretch();
    buttons->addWidget(m_stop);
    buttons->addWidget(close);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kPageMargin, kPageMargin, kPageMargin, kGroupGap);
    layout->setSpacing(kGap);
    layout->addWidget(mutedLabel(settingsWords(m_study, settings)));
    layout->addWidget(m_state);
    layout->addWidget(m_results);
    layout->addSpacing(kGap);
    layout->addWidget(mutedLabel(tr("What the program printed:")));
    layout->addWidget(m_output, 1);
    layout->addLayout(buttons);
}

void TrialDialog::setReport(const run::TrialReport& report)
{
    const auto& failure = report.run.failure;
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, failure ? plotColors(palette()).error : plotColors(palette()).good);
    m_state->setPalette(colors);
    m_state->setText(failure ? tr("✗ %1").arg(QString::fromStdString(failure->message))
                             : tr("✓ All responses found. The test run is not saved."));
    m_results->setText(resultLines(m_study, report.run));
    m_output->setPlainText(QString::fromStdString(report.output));
    m_stop->setEnabled(false);
}

} // namespace quadric::widgets
