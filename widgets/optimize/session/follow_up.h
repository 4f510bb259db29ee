// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/base/job_runner.h"

#include <QTimer>

namespace quadric::widgets {

/// A job that follows what the user drags: at most one every `pause` milliseconds, always for the newest
/// request, and nothing older is ever delivered.
template <typename Result> class FollowUp {
public:
    using Job = typename JobRunner<Result>::Job;
    using Done = typename JobRunner<Result>::Done;

    explicit FollowUp(int pause = 80)
    {
        m_pause.setSingleShot(true);
        m_pause.setInterval(pause);
        QObject::connect(&m_pause, &QTimer::timeout, &m_pause,
                         [this] { m_runner.start(std::move(m_job), std::move(m_done)); });
    }

    void start(Job job, Done done)
    {
        m_runner.cancel();
        m_job = std::move(job);
        m_done = std::move(done);
        if (!m_pause.isActive())
            m_pause.start();
    }

    void cancel()
    {
        m_pause.stop();
        m_runner.cancel();
    }

    bool isBusy() const { return m_pause.isActive() || m_runner.isBusy(); }

private:
    QTimer m_pause;
    Job m_job;
    Done m_done;
    JobRunner<Result> m_runner;
};

} // namespace quadric::widgets
