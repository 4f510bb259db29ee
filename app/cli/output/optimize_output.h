// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"
#include "core/model/feasibility/feasibility.h"
#include "core/model/predict/predict.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/answer/optimism.h"
#include "core/optimize/confirmation.h"
#include "core/optimize/merit/error_propagation.h"
#include "core/optimize/next/run_plan.h"
#include "core/optimize/optimum_region.h"
#include "core/report/findings/advice.h"

namespace quadric::app {

/// [low, high], or null.
Json intervalJson(const std::optional<model::Interval>& interval);

/// {probability, low, high} of giving a result.
Json runProbabilityJson(const model::RunProbability& runs);

/// "low … high", or a dash.
std::string intervalText(const std::optional<model::Interval>& interval);

/// What decides the digits of a number with this interval.
std::optional<double> halfWidth(const std::optional<model::Interval>& interval);

/// A desirability with the digits that the window gives it.
std::string desirabilityText(double desirability);

/// Everything that `optimize` was asked for; what was not asked for is empty.
struct Decision {
    optimize::Optimum optimum;
    optimize::OptimumRegion region; ///< settings that may be the best
    std::vector<optimize::MeasuredRun> measured;
    report::Standing standing; ///< of the best settings
    /// Which settings give a result; null where no run failed for a reason that repeats.
    std::shared_ptr<const model::Feasibility> feasibility;
    std::vector<model::RunProbability> runs; ///< of the solutions, in their order
    std::optional<model::RunProbability> runsAtBest;
    std::vector<std::string> avoidance;     ///< what failures mean for the answer, in words
    optimize::OptimumCorrection correction; ///< of its predictions
    std::vector<optimize::FrontPoint> front;
    std::optional<optimize::AllLimits> limits; ///< at the optimum
    std::optional<optimize::RobustOptimum> robust;
    std::vector<optimize::TransmittedError> transmitted; ///< at the optimum
    std::vector<optimize::Confirmation> confirmations;
    std::vector<int> addedRuns; ///< ids
};

/// `optimize --json`.
Json decisionJson(const Decision& decision);

/// The same as tables and sentences.
void printDecision(const study::Study& study, const Decision& decision);

/// `confirmation` of `analyze --json` and `optimize --json`.
Json confirmationJson(const std::vector<optimize::Confirmation>& confirmations);
void printConfirmations(const study::Study& study, const std::vector<optimize::Confirmation>& confirmations);

} // namespace quadric::app
