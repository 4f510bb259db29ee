// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/confirmation.h"
#include "core/optimize/merit/error_propagation.h"
#include "core/optimize/next/run_plan.h"
#include "core/optimize/optimum_region.h"
#include "core/report/table.h"

namespace quadric::report {

/// Half the width of the prediction interval: what is related to a prediction deserves no more digits.
std::optional<double> findUncertainty(const model::Prediction& predicted);

/// Prediction, desirability and sacrifice of every response at one setting.
Table makeOptimumTable(const study::Study& study, const optimize::Optimum& optimum);

/// With the predictions at each.
Table makeSolutionTable(const study::Study& study, const std::vector<optimize::Solution>& solutions);

/// The probability that one run meets the limits that are set, response by response.
Table makeLimitTable(const optimize::AllLimits& limits);

/// The error that varying settings transmit to the responses.
Table makeTransmittedTable(const std::vector<optimize::TransmittedError>& rows);

/// Observed means beside the predictions that they confirm or not.
Table makeConfirmationTable(const optimize::Confirmation& confirmation);

/// The best measured runs, with the overall desirability of their results.
Table makeMeasuredTable(const study::Study& study, const std::vector<optimize::MeasuredRun>& runs);

/// The runs do not show which setting is the best: every value of every factor may belong to it.
bool mayAnySettingBeBest(const optimize::OptimumRegion& region);

/// Which settings may be the best, factor by factor, in one sentence; why there is no answer where there is
/// none.
std::string describeRegion(const study::Study& study, const optimize::OptimumRegion& region);

} // namespace quadric::report
