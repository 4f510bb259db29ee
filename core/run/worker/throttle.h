// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>

namespace quadric::run {

/// Lets news through no faster than 20 a second, or as the pause between them says.
class Throttle {
public:
    static constexpr qint64 kPauseMs = 50;

    explicit Throttle(qint64 pauseMs = kPauseMs)
        : m_pauseMs(pauseMs)
    {
    }

    bool lets()
    {
        if (m_clock.isValid() && m_clock.elapsed() < m_pauseMs)
            return false;
        m_clock.start();
        return true;
    }

private:
    qint64 m_pauseMs;
    QElapsedTimer m_clock;
};

/// Lets so many log lines through within a second; the log file has all of them.
class LogThrottle {
public:
    bool lets()
    {
        if (!m_second.isValid() || m_second.elapsed() >= 1000) {
            m_second.start();
            m_count = 0;
        }
        return ++m_count <= kMostPerSecond;
    }

private:
    static constexpr int kMostPerSecond = 50;
    QElapsedTimer m_second;
    int m_count = 0;
};

} // namespace quadric::run
