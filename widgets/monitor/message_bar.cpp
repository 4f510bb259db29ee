// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/message_bar.h"

#include "core/study/outcome.h"
#include "widgets/base/style.h"
#include "widgets/base/theme.h"

#include <QPushButton>

namespace quadric::widgets {

namespace {

using Severity = RunMessage::Severity;
using Remedy = RunMessage::Remedy;

std::vector<int> failedRuns(const study::Study& study)
{
    std::vector<int> ids;
    for (const study::Run* run : study::inRunOrder(study)) {
        if (run->status == study::RunStatus::Failed && !study::isCancelled(*run))
            ids.push_back(run->id);
    }
    return ids;
}

/// What is said now: why the runner asks, the last message, or that runs have failed.
RunMessage messageNow(const MessageState& state, std::size_t failed)
{
    if (state.isRunning && !state.pausedBecause.isEmpty())
        return {state.pausedBecause, Severity::Warning};
    if (state.isRunning && state.message.severity == Severity::News)
        return {}; // passing news, for which nothing should move
    if (!state.message.words.isEmpty() || state.isRunning || failed == 0)
        return state.message;
    return {MessageBar::tr("%1 failed. The row of each gives the reason.")
                .arg(formatCount(static_cast<qint64>(failed), "run")),
            Severity::Warning};
}

Banner::Tone toneOf(Severity severity)
{
    switch (severity) {
    case Severity::News:
        return Banner::Tone::News;
    case Severity::Good:
        return Banner::Tone::Good;
    case Severity::Warning:
        return Banner::Tone::Warning;
    case Severity::Error:
        break;
    }
    return Banner::Tone::Error;
}

QString markOf(Severity severity)
{
    switch (severity) {
    case Severity::News:
        return QStringLiteral("●");
    case Severity::Good:
        return QStringLiteral("✓");
    case Severity::Warning:
        return QStringLiteral("▲");
    case Severity::Error:
        break;
    }
    return QStringLiteral("✖");
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : Banner(parent)
    , m_edit(addButton("editMeasurement", tr("Edit &measurement…")))
    , m_retry(addButton("retryFailed", {}))
    , m_start(addButton("resumeRuns", tr("Res&ume")))
    , m_goOn(addButton("goOnAnyway", tr("&Go on anyway")))
    , m_stop(addButton("stopRuns", tr("Stop")))
{
    nameWidget(this, "runMessage", tr("Message"));
    hide();
    connect(m_edit, &QPushButton::clicked, this, &MessageBar::editRequested);
    connect(m_retry, &QPushButton::clicked, this, [this] { emit retryRequested(m_failed); });
    connect(m_start, &QPushButton::clicked, this, &MessageBar::startRequested);
    connect(m_goOn, &QPushButton::clicked, this, &MessageBar::goOnRequested);
    connect(m_stop, &QPushButton::clicked, this, &MessageBar::stopRequested);
}

void MessageBar::show(const study::Study& study, const MessageState& state)
{
    m_failed = failedRuns(study);
    const RunMessage message = messageNow(state, m_failed.size());
    setTone(toneOf(message.severity), markOf(message.severity));
    setWords(message.words);
    showButtons(study, state);
    setVisible(!message.words.isEmpty());
}

void MessageBar::showButtons(const study::Study& study, const MessageState& state)
{
    const bool isAsking = state.isRunning && !state.pausedBecause.isEmpty();
    const bool canRetry = !state.isRunning && !m_failed.empty() && study.benchmark.workload != "none";
    const Remedy remedy = state.message.remedy;
    m_goOn->setVisible(isAsking);
    m_stop->setVisible(isAsking);
    m_retry->setVisible(canRetry);
    m_retry->setText(m_failed.size() == 1
                         ? tr("Retry 1 &failed run")
                         : tr("Retry %1 &failed runs").arg(static_cast<qint64>(m_failed.size())));
    m_start->setVisible(!state.isRunning && remedy == Remedy::Start);
    // A command of the user's own is what most failures are about.
    m_edit->setVisible(!state.isRunning && (remedy == Remedy::EditMeasurement ||
                                            (canRetry && study.benchmark.workload == "command")));
}

} // namespace quadric::widgets
