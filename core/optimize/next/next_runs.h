// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process_choice.h"
#include "core/optimize/merit/optimum.h"

#include <functional>
#include <string>
#include <vector>

namespace quadric::optimize {

/// What more runs are to be good for.
enum class RunCriterion {
    Improvement,       ///< the largest expected improvement of overall desirability over the best setting
    Variance,          ///< the largest reduction of the average prediction variance over the region
    VarianceAtOptimum, ///< the largest reduction of the prediction variance at the best setting
    Front,             ///< the largest expected growth of the volume that the trade-off front dominates
};
std::string_view nameOf(RunCriterion criterion);
std::optional<RunCriterion> runCriterionFrom(std::string_view name);
/// "improvement", "variance", "variance-at-optimum", "front".
std::vector<std::string> runCriterionNames();

/// A run worth spending.
struct NextRun {
    study::Settings settings; ///< can be run as they are
    /// Improvement: expected gain of overall desirability. Variance: share of the average prediction variance
    /// that this run takes away, given the runs before it; at the optimum likewise. Front: share by which the
    /// dominated volume grows.
    double gain = 0.0;
    double overall = 0.0;  ///< predicted overall desirability there
    bool isRepeat = false; ///< at the settings of a run above it
    /// `gain` is a share of the best value in place of overall desirability (PlannedRun::gain).
    bool isShareOfBest = false;
};

struct NextRuns {
    OptimumStatus status = OptimumStatus::NoModel;
    std::string message; ///< what is missing, or what was assumed
    std::vector<NextRun> runs;
    bool isByProcess = false;               ///< Gaussian processes have chosen them, not polynomials
    std::vector<model::ModelErrors> errors; ///< Improvement: of both models, by response
    bool isOk() const { return status == OptimumStatus::Ok; }
};

/// `count` settings, each chosen given the ones before (greedy): a chosen run counts as done with its
/// prediction as result, so that only the uncertainty falls. Improvement: E max(0, D(Y) − D*) over the
/// distribution of the responses' true means, ŷ + t s √h, independent between responses, by quasi Monte Carlo
/// with `options.seed`. A run next to one above it is that one repeated. Variance: relative to each model's
/// own average, mean over the responses with a goal. A job; `progress` is told the share that is done.
NextRuns nextRuns(const study::Study& study, const std::vector<model::Fit>& fits, int count,
                  RunCriterion criterion, const OptimizeOptions& options = {},
                  const std::function<void(double)>& progress = {});

/// The same, but for improvement Gaussian processes choose where they predict settings left out better than
/// `fits` do (planRuns()), or where these cannot say what a run gains. The errors of both are told. What
/// advances the trade-off front is always sought by Gaussian processes, and by nextRuns() not at all.
NextRuns nextRunsByBetterModel(const study::Study& study, const std::vector<model::Fit>& fits, int count,
                               RunCriterion criterion, const OptimizeOptions& options = {},
                               const std::function<void(double)>& progress = {});

} // namespace quadric::optimize
