// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/process/process.h"
#include "core/optimize/merit/optimum.h"

#include <functional>

namespace quadric::optimize {

/// A run that was measured, with the overall desirability of what it gave.
struct MeasuredRun {
    int run = 0; ///< id
    double overall = 0.0;
    study::Settings settings;
    std::vector<std::pair<std::string, double>> results; ///< of the responses with a goal
    bool isConfirming = false, isDisturbed = false;
};

/// The best runs by the overall desirability of their measured results, with the limits that the search for
/// the best setting has; confirming runs are among them. Runs that lack a result of a response with a goal, a
/// weight above 0 and a usable model are left out, and short looks.
std::vector<MeasuredRun> findBestMeasured(const study::Study& study, const std::vector<model::Fit>& fits,
                                          std::size_t most = 5);

/// The best measured run of a study that follow-ups have searched: from five of them with a result on it is
/// what to recommend. They stand close together where the best setting was expected, and a polynomial that
/// spans all runs has recommended settings far below those that were measured (simulated:
/// docs/methods/next-runs.md). At a setting that can be run and where no run failed. Empty before.
std::optional<MeasuredRun> findBestOfFollowUps(const study::Study& study,
                                               const std::vector<model::Fit>& fits);

/// One run that has ended.
struct BestStep {
    int run = 0;
    study::RunKind kind = study::RunKind::Design;
    std::optional<double> value = {}; ///< measured; none: it failed, or a result is missing
    std::optional<double> best = {};  ///< of the runs up to this one
    bool isBetter = false;            ///< than all before
    std::string failure = {};         ///< kind; empty: it did not fail
};

/// The best measured value over the runs in their order. Of one response to be maximized or minimized it is
/// that response; otherwise the overall desirability of what was measured.
struct BestSoFar {
    std::string title = {}; ///< the response, or "D"
    std::string unit = {};
    bool isSmallerBetter = false;
    std::vector<BestStep> steps = {};
};

/// Runs that failed, and runs that are done, excluded ones left out. Without a goal there are no steps.
BestSoFar findBestSoFar(const study::Study& study, const std::vector<model::Fit>& fits);

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
