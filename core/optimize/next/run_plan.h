// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"
#include "core/optimize/answer/measured_runs.h"
#include "core/optimize/merit/optimum.h"

#include <functional>

namespace quadric::optimize {

/// A run that is worth its time.
struct PlannedRun {
    study::Settings settings; ///< can be run as they are
    /// Expected gain: of one response to be maximized or minimized its share of the best value; otherwise of
    /// the overall desirability.
    double gain = 0.0;
    double runsProbability = 1.0; ///< of giving a result
    bool isExploration = false;   ///< that probability is below the one asked for: tells where it falls
    double seconds = 0.0;         ///< expected of a run that gives a result; 0: not known
    bool isRepeat = false;        ///< at a setting that has run already, or of a run above it
    std::vector<std::pair<std::string, double>> predicted = {}; ///< by response
};

struct RunPlan {
    OptimumStatus status = OptimumStatus::NoModel;
    std::string message; ///< what is missing
    std::vector<PlannedRun> runs;
    double seconds = 0.0;      ///< that they take, one after the other
    double nextGain = 0.0;     ///< of the run that was not taken any more
    bool hasConverged = false; ///< no further run is expected to gain as much as PlanOptions::leastGain
    bool isOk() const { return status == OptimumStatus::Ok; }
};

/// A share of the best value below which a run gains nothing that is shown.
inline constexpr double kNoGain = 1e-5;

struct PlanOptions {
    /// Region, fixed factors, seed, stop; the probability asked for is that of answers.
    OptimizeOptions search = {};
    int most = 20;            ///< runs
    double seconds = 0.0;     ///< that may be spent, one run after the other; 0: as many as `most`
    double leastGain = 0.004; ///< less than this is not worth a run
    /// Seconds that a run with these settings takes where it gives a result; empty: all take the same.
    std::function<double(const study::Settings&)> secondsOf = {};
};

/// The runs with the largest expected gain over the best setting that is known to run, per expected time:
/// noisy expected improvement (after Letham et al. 2019, with the best predicted setting in place of draws of
/// it). A failure costs no more than the time that it takes, which failed runs tell; settings that rather
/// fail than not are left out all the same. Each is chosen given the ones before, as if these had given what
/// is predicted. Settings that ran are candidates too, for what a repeat makes the choice between them better
/// by.
RunPlan planRuns(const study::Study& study, const std::vector<model::Process>& processes,
                 const PlanOptions& options = {});

/// What a follow-up has to reach to be worth a full measurement, where one response alone is to be maximized
/// or minimized, without a limit: the value that one more run at the best setting so far, by prediction and
/// among those that were measured in full, falls short of in one of 1000 cases (end of its one-sided
/// prediction interval). Empty for other goals and without a usable process.
std::optional<study::ShortLook> findShortLookBar(const study::Study& study,
                                                 const std::vector<model::Process>& processes);

} // namespace quadric::optimize
