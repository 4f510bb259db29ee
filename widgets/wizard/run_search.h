// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"
#include "widgets/base/job_runner.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <atomic>
#include <memory>
#include <optional>
#include <vector>

namespace quadric::widgets {

/// Runs that were laid out, or why there are none, in words.
struct LaidOutRuns {
    std::vector<study::Run> runs = {};
    QString problem = {};
    QString note = {};      ///< of a search: how it ended and what rounding its levels cost
    bool isStopped = false; ///< the search would have gone on
};

/// Whether the runs of the study before do not suit the study after.
bool needsNewRuns(const study::Study& before, const study::Study& after);

/// Lays out the runs of a study, those of slow types of design in the background. The newest request wins.
class RunSearch : public QObject {
    Q_OBJECT

public:
    explicit RunSearch(QObject* parent = nullptr);

    /// The runs, or nothing where a search for them has begun: it ends with found().
    std::optional<LaidOutRuns> start(const study::Study& study);
    /// Ends the search with the best that it has, which comes with found().
    void finish() { m_search.finish(); }
    /// Ends the search; nothing comes of it.
    void cancel();
    bool isBusy() const { return m_search.isBusy(); }

signals:
    /// Ten times a second while it searches, 0 … 1.
    void progressed(double done);
    void found(const quadric::widgets::LaidOutRuns& laidOut);

private:
    JobRunner<LaidOutRuns> m_search;
    std::shared_ptr<std::atomic<double>> m_searched; ///< how far the search is
    QTimer m_news;
};

} // namespace quadric::widgets
