// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/slurm_queue.h"

#include "core/machine/time_units.h"
#include "core/run/cluster/slurm_call.h"

#include <unistd.h>

namespace quadric::run {

SlurmQueue::SlurmQueue(double pollSeconds)
{
    m_timer.setInterval(static_cast<int>(machine::kMsPerSecond * pollSeconds));
    connect(&m_timer, &QTimer::timeout, this, &SlurmQueue::look);
}

void SlurmQueue::addWatcher()
{
    if (m_watchers++ == 0)
        m_timer.start();
}

void SlurmQueue::removeWatcher()
{
    if (--m_watchers == 0)
        m_timer.stop();
}

void SlurmQueue::lookNow()
{
    m_looksAgain = m_isLooking;
    look();
}

void SlurmQueue::look()
{
    if (m_isLooking)
        return;
    m_isLooking = true;
    const SlurmCall call{QStringLiteral("squeue"),
                         {QStringLiteral("--noheader"), QStringLiteral("--states=all"),
                          QStringLiteral("--user=%1").arg(::getuid()),
                          QStringLiteral("--format=%1").arg(QLatin1String(kQueueFormat))}};
    callSlurm(this, call, [this](const SlurmAnswer& answer) { take(answer); });
}

void SlurmQueue::take(const SlurmAnswer& answer)
{
    m_isLooking = false;
    QueueLook look;
    if (answer.isGood())
        look.jobs = queueFrom(answer.output.toStdString());
    else
        look.problem = "squeue: " + answer.problem();
    const bool looksAgain = std::exchange(m_looksAgain, false);
    emit looked(look);
    if (looksAgain)
        lookNow();
}

} // namespace quadric::run
