// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>
#include <vector>

namespace quadric::run {

/// How far one run in progress is.
struct RunProgress {
    double done = 0.0; ///< 0…1
    double elapsedSeconds = 0.0;
};

/// Estimates how long the rest of an experiment takes, from the mean of the runs that are done, or from the
/// progress of the first.
class RemainingTime {
public:
    RemainingTime() = default;
    /// Begins with the runs of the study that are done and say how long they took.
    explicit RemainingTime(const study::Study& study);

    void noteDone(double seconds) { m_seconds.push_back(seconds); }

    /// Seconds until `waiting` runs and the `active` ones are done when `mostAtOnce` are executed together;
    /// empty while nothing is known.
    std::optional<double> seconds(int waiting, const std::vector<RunProgress>& active, int mostAtOnce) const;

private:
    std::optional<double> secondsOfARun(const std::vector<RunProgress>& active) const;

    std::vector<double> m_seconds;
};

} // namespace quadric::run
