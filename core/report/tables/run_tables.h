// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/predict/curves.h"
#include "core/optimize/next/run_plan.h"
#include "core/report/table.h"
#include "core/study/run_records.h"

/// How well the runs were measured.

namespace quadric::report {

/// Number, mean, standard deviation, smallest and largest of the observed values at each level of each
/// factor; the level column has the name of the factor where there is one.
Table makeLevelTable(const std::vector<model::LevelSummary>& summaries);

Table makeSpreadTable(const study::MeasurementQuality& quality);

/// The run order as one more term of each model.
Table makeDriftTable(const std::vector<model::Fit>& fits);

Table makeDisturbedTable(const study::MeasurementQuality& quality);

/// Runs without a result that counts, and why.
Table makeLostTable(const study::MeasurementQuality& quality);

/// Runs that are worth their time, in the order in which they are proposed.
Table makePlanTable(const study::Study& study, const optimize::RunPlan& plan);

/// What a run was added for, as it was expected before it was executed.
struct RunReason {
    int run = 0;
    bool isConfirming = false;
    double gain = 0.0;
    double runsProbability = 1.0;
    bool isRepeat = false;
};

/// What was tried, latest first: each run with its reason and what came of it.
Table makeTriedTable(const study::Study& study, const std::vector<RunReason>& reasons,
                     const optimize::BestSoFar& best);

} // namespace quadric::report
