// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/events.h"
#include "core/study/study.h"

#include <functional>
#include <optional>
#include <vector>

namespace quadric::run {

/// What a run with these settings takes, in seconds, learned from the runs that are done: the logarithm of
/// the duration is linear in the coded factors, fitted by ridge regression (Hoerl & Kennard 1970), so that
/// equal durations stay equal and a few runs already show a trend. The latest 64 runs count. Empty where no
/// run says how long it took.
std::function<double(const study::Settings&)> learnDurations(const study::Study& study);

/// Seconds that the pending runs of the built-in workload take, one after the other, as its settings say
/// before any run is done; empty: they do not say.
std::optional<double> expectedSeconds(const study::Study& study);

/// How far one run in progress is.
struct RunProgress {
    double done = 0.0; ///< 0…1
    double elapsedSeconds = 0.0;
    double share = 1.0; ///< of what is there for runs, Launcher::share()
};

/// What a run in progress still takes by its own progress; empty while that says too little.
std::optional<double> secondsLeft(const RunProgress& run);

/// How long until the `active` runs are done and the waiting ones, of which the shares are given: each is
/// expected to take the median of the durations that the study's done runs have. The interval is what it
/// takes if all waiting ones are as short as the 5 % quantile of these durations, or as long as the 95 %
/// quantile. Empty while nothing is known.
std::optional<TimeLeft> estimateTimeLeft(const study::Study& study, const std::vector<double>& waitingShares,
                                         const std::vector<RunProgress>& active);

} // namespace quadric::run
