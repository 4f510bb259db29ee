// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_row_words.h"

#include "core/run/time/remaining_time.h"
#include "core/study/disturbance.h"
#include "widgets/base/theme.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <QDateTime>

#include <algorithm>
#include <optional>

namespace quadric::widgets {

namespace {

const run::ActiveNews* newsOf(const study::Run& run, const run::RunnerNews& news)
{
    const auto found = news.active.find(run.id);
    return found == news.active.end() ? nullptr : &found->second;
}

QString phaseText(const run::ActiveNews& active)
{
    const std::string& phase = active.phase;
    if (phase.empty())
        return active.isExecuting ? tr("running") : tr("starting");
    return phase == "warm-up" ? tr("warming up") : tr("measuring");
}

/// One that has failed and is repeated says so.
QString pendingText(const study::Run& run)
{
    const std::optional<study::Failure>& earlier = run.provenance.earlierFailure;
    if (!earlier)
        return statusText(run);
    const QString kind = QString::fromStdString(earlier->kind).replace(QLatin1Char('-'), QLatin1Char(' '));
    return tr("%1, rerun after: %2").arg(statusText(run), kind);
}

/// A runner at work executes what is in its queue and nothing else.
QString waitingWords(const study::Run& run, const run::RunnerNews& news)
{
    const QString pending = pendingText(run);
    const bool isKnown = !news.queue.empty() || !news.active.empty();
    if (!isKnown)
        return pending;
    const auto place = std::ranges::find(news.queue, run.id);
    if (place == news.queue.end())
        return tr("%1, skipped this time").arg(pending);
    return place == news.queue.begin() ? tr("%1, comes next").arg(pending) : pending;
}

/// Of one that is not in progress.
QString restingWords(const study::Run& run, const run::RunnerNews& news)
{
    if (run.status == study::RunStatus::Pending)
        return waitingWords(run, news);
    const bool isQueued = std::ranges::find(news.queue, run.id) != news.queue.end();
    return isQueued ? tr("%1, will be rerun").arg(statusText(run)) : statusText(run);
}

/// 1 for the first; the record of a run that is done is that of its last one.
int attemptInProgress(const study::Run& run)
{
    return run.provenance.attempt.value_or(1) + (run.status == study::RunStatus::Done ? 1 : 0);
}

} // namespace

QString statusWords(const study::Run& run, const run::RunnerNews& news)
{
    const run::ActiveNews* active = newsOf(run, news);
    if (!active)
        return restingWords(run, news);
    if (!active->waitsFor.empty())
        return QString::fromStdString(active->waitsFor);
    QString state = phaseText(*active);
    if (!active->phase.empty())
        state += QLatin1Char(' ') + formatPercent(active->done, 0);
    if (const int attempt = attemptInProgress(run); attempt > 1)
        state = tr("attempt %1: %2").arg(attempt).arg(state);
    const QString devices = QString::fromStdString(active->devices.inWords());
    return devices.isEmpty() ? state : tr("%1 on %2").arg(state, devices);
}

QString timeWords(const study::Run& run, const run::RunnerNews& news)
{
    const run::ActiveNews* active = newsOf(run, news);
    if (!active) {
        const std::optional<double>& seconds = run.provenance.seconds;
        return seconds ? formatDuration(*seconds) : QString();
    }
    const std::string began = active->started.empty() ? run.provenance.started : active->started;
    const auto started = QDateTime::fromString(QString::fromStdString(began), Qt::ISODate);
    if (!started.isValid())
        return {};
    const double elapsed =
        std::max(0.0, static_cast<double>(started.secsTo(QDateTime::currentDateTimeUtc())));
    const auto left = run::secondsLeft({.settings = {}, .done = active->done, .elapsedSeconds = elapsed});
    return left ? tr("%1, %2").arg(formatDuration(elapsed), remainingText(*left)) : formatDuration(elapsed);
}

} // namespace quadric::widgets
