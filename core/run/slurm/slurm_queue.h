// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/slurm/job_status.h"

#include <QObject>
#include <QTimer>

namespace quadric::run {

struct SlurmAnswer;

/// What a look at the queue has shown.
struct QueueLook {
    std::map<std::string, QueueEntry, std::less<>> jobs; ///< by name
    std::string problem; ///< why nothing could be seen; empty: the jobs are all that Slurm knows of this user
};

/// Looks at the user's jobs with one call of squeue for all of them, as long as somebody watches.
class SlurmQueue : public QObject {
    Q_OBJECT

public:
    explicit SlurmQueue(double pollSeconds);

    void addWatcher();
    void removeWatcher();

    /// Looks now instead of at the next time, or once more after the look that is under way.
    void lookNow();

signals:
    void looked(const quadric::run::QueueLook& look);

private:
    void look();
    void take(const SlurmAnswer& answer);

    QTimer m_timer;
    int m_watchers = 0;
    bool m_isLooking = false;
    bool m_looksAgain = false;
};

} // namespace quadric::run
