// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/announcer.h"

namespace quadric::run {

void Announcer::send(const QByteArray& event)
{
    if (m_events)
        m_events->write(event);
    emit m_runner.eventWritten(event);
}

void Announcer::sendQueue(const RunQueue& queue)
{
    send(queueEvent({queue.ids().begin(), queue.ids().end()}));
}

void Announcer::tellRecord(const study::Run& run, const char* event)
{
    send(runEvent(event, run));
    emit m_runner.runRecorded(run);
}

} // namespace quadric::run
