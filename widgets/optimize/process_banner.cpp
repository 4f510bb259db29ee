// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/optimize/process_banner.h"

#include <QLabel>
#include <QPushButton>

namespace quadric::widgets {

ProcessBanner::ProcessBanner(QWidget* parent)
    : Banner(parent)
{
    setObjectName(QStringLiteral("processes"));
    label()->setObjectName(QStringLiteral("processesText"));
    setTone(Tone::Warning, QStringLiteral("▲"));
    QPushButton* use = addButton("useProcesses", tr("Use &Gaussian process"));
    use->setToolTip(
        tr("Recommends settings from it, in one step that can be undone. Explore has both models."));
    connect(use, &QPushButton::clicked, this, [this] { emit accepted(m_advice.responses); });
    hide();
}

void ProcessBanner::showAdvice(const ContextPointer& context)
{
    hide();
    m_job.cancel();
    if (!context)
        return;
    m_job.start(
        [context](const std::stop_token& stop) {
            return report::adviseProcesses(context->study, context->fits, stop);
        },
        [this](const report::ProcessAdvice& advice) { show(advice); });
}

void ProcessBanner::show(const report::ProcessAdvice& advice)
{
    m_advice = advice;
    setWords(QString::fromStdString(advice.sentence));
    setVisible(!advice.sentence.empty());
}

} // namespace quadric::widgets
