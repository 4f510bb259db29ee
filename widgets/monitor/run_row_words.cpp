// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_row_words.h"

#include "core/run/recipe/remaining_time.h"
#include "core/study/disturbance.h"
#include "widgets/base/theme.h"
#include "widgets/text/wording.h"

#include <QCoreApplication>
#include <QDateTime>

#include <algorithm>

namespace quadric::widgets {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("RunRowWords", text);
}

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

/// A runner at work executes what is in its queue and nothing else.
QString waitingWords(const study::Run& run, const run::RunnerNews& news)
{
    const bool isKnown = !news.queue.empty() || !news.active.empty();
    if (!isKnown)
        return statusText(run);
    const auto place = std::ranges::find(news.queue, run.id);
    if (place == news.queue.end())
        return tr("%1, skipped this time").arg(statusText(run));
    return place == news.queue.begin() ? tr("%1, comes next").arg(statusText(run)) : statusText(run);
}

} // namespace

QString statusWords(const study::Run& run, const run::RunnerNews& news)
{
    const run::ActiveNews* active = newsOf(run, news);
    if (!active)
        return run.status == study::RunStatus::Pending ? waitingWords(run, news) : statusText(run);
    if (!active->waitsFor.empty())
        return QString::fromStdString(active->waitsFor);
    QString state = phaseText(*active);
    if (!active->phase.empty())
        state += QLatin1Char(' ') + formatPercent(active->done, 0);
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
    return left ? tr("%1, %2 left").arg(formatDuration(elapsed), formatDuration(*left))
                : formatDuration(elapsed);
}

} // namespace quadric::widgets
