// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/feasibility/feasibility.h"

#include <optional>

namespace quadric::model {

/// One method, fitted.
struct OutcomeModel {
    FeasibilityMethod method = FeasibilityMethod::None;
    std::function<RunProbability(const Eigen::VectorXd&)> at;
    std::function<double(const Eigen::VectorXd&)> probabilityAt = {}; ///< `at` without interval; empty: as it
    Eigen::VectorXd leftOut = {}; ///< of each outcome: probability that the setting runs, by all others
};

/// Empty where the method cannot be computed from these runs.
std::optional<OutcomeModel> logisticModel(const study::Study& study, const RunOutcomes& outcomes);
std::optional<OutcomeModel> processModel(const study::Study& study, const RunOutcomes& outcomes);
/// Need `memory_peak_mib` of most runs that worked; per rank a factor that is the number of ranks, the last
/// one the study's limit of memory.
std::optional<OutcomeModel> memoryModel(const study::Study& study, const RunOutcomes& outcomes);
std::optional<OutcomeModel> memoryPerRankModel(const study::Study& study, const RunOutcomes& outcomes);
std::optional<OutcomeModel> memoryLimitModel(const study::Study& study, const RunOutcomes& outcomes);
/// Needs Provenance::memoryEstimateMib of most runs, those that failed among them.
std::optional<OutcomeModel> memoryEstimateModel(const study::Study& study, const RunOutcomes& outcomes);
std::optional<OutcomeModel> memoryEstimatePerRankModel(const study::Study& study,
                                                       const RunOutcomes& outcomes);

} // namespace quadric::model
