// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"
#include "core/model/fit/model_candidates.h"
#include "core/model/predict/canonical.h"
#include "core/report/table.h"
#include "core/text/numbers.h"

/// What is said of one model in numbers. The fit is usable (Fit::isOk()) in all of them.

namespace quadric::report {

/// R² and its kin, RMSE, degrees of freedom and PRESS, each with its meaning.
Table makeFitTable(const model::Fit& fit);

/// The models of rising order side by side.
Table makeOrderTable(const std::vector<model::OrderSummary>& orders);

/// Sequential groups with lack of fit and pure error.
Table makeAnovaTable(const model::Fit& fit);

/// The same with each term, given all others, below the groups.
Table makeAnovaByTermTable(const model::Fit& fit);

/// Partial sums of squares: each term given all others, with the share that it explains.
Table makeTermTable(const model::Fit& fit);

/// In coded units, with standard errors, intervals and VIF.
Table makeCoefficientTable(const model::Fit& fit);

/// The same polynomial in the units of the factors.
Table makeActualCoefficientTable(const model::Fit& fit);

/// Effects with the line of the Pareto chart as note.
Table makeEffectTable(const model::Fit& fit);

/// One row a run: residual, leverage, studentized residuals, Cook's distance and DFFITS.
Table makeCaseTable(const model::Fit& fit);

/// Independence, drift and normality of the residuals; rows of what can be tested.
Table makeResidualTestTable(const model::Fit& fit);

/// The stationary point, and the axes of the canonical analysis with their eigenvalues and, where they are
/// known, the eigenvalues' intervals.
Table makeStationaryTable(const model::Canonical& canonical, const std::vector<model::Interval>& eigenvalues);

/// Whether the stationary point is a finding: inside the region, and of a kind that the intervals of the
/// eigenvalues leave no doubt about.
std::string describeStationary(const model::Canonical& canonical,
                               const std::vector<model::Interval>& eigenvalues);

/// The points of a path with their predictions.
Table makePathTable(const model::Path& path);

/// The line of the Pareto chart in one sentence; empty where there is none.
std::string describeEffectLimit(const model::EffectLimit& limit);

} // namespace quadric::report
