// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/time/duration_model.h"
#include "core/run/words/time_left.h"
#include "core/study/study.h"

#include <optional>
#include <vector>

namespace quadric::run {

/// How far one run in progress is.
struct RunProgress {
    study::Settings settings;
    double done = 0.0; ///< 0…1
    double elapsedSeconds = 0.0;
    double share = 1.0; ///< of what is there for runs, Launcher::share()
};

struct WaitingRun {
    study::Settings settings;
    double share = 1.0;
};

/// What a run in progress still takes by its own progress; empty while that says too little.
std::optional<double> secondsLeft(const RunProgress& run);

/// Estimates how long the rest of an experiment takes, from the durations of the runs that are done and their
/// settings, and from the progress of those at work.
class RemainingTime {
public:
    RemainingTime() = default;
    /// Begins with the runs of the study that are done and say how long they took.
    explicit RemainingTime(const study::Study& study);

    void noteDone(const study::Settings& settings, double seconds) { m_model.add(settings, seconds); }

    /// How long until the `active` runs and the `waiting` ones are done, each of which begins in its turn as
    /// soon as its share is free; empty while nothing is known. The interval is that of the work of all runs
    /// (seconds × share), in which the order does not matter.
    std::optional<TimeLeft> estimate(const std::vector<WaitingRun>& waiting,
                                     const std::vector<RunProgress>& active) const;

private:
    DurationModel m_model;
};

} // namespace quadric::run
