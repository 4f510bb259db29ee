// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/regression.h"

namespace quadric::model {

/// Everything below reads a solved regression and makes one table of a fit. Undefined values are empty.

std::vector<Coefficient> makeCoefficients(const Regression& regression, double confidence);
std::vector<ActualCoefficient> makeActualCoefficients(const Regression& regression);

/// Variation between runs with the same settings in the same block, weighted; `ss` is exactly 0 where they
/// agree to rounding.
struct PureError {
    int df = 0;
    double ss = 0.0;
    bool isZero() const { return df > 0 && ss == 0.0; }
};
PureError computePureError(const Observations& data, const std::vector<int>& replicateGroups);

std::vector<AnovaRow> makeAnovaRows(const Regression& regression, const PureError& pureError);
std::vector<AnovaRow> makeTermRows(const Regression& regression);
std::vector<AnovaRow> makeSequentialRows(const Regression& regression);

/// `termRows` as makeTermRows() makes them.
std::vector<Effect> computeEffects(const Regression& regression, const std::vector<AnovaRow>& termRows);
/// The limit that the effects are held against; without residual degrees of freedom Lenth's, and their ratios
/// to his pseudo standard error.
EffectLimit computeEffectLimit(const Regression& regression, double confidence, std::vector<Effect>& effects);

/// First-order and total Sobol indices.
std::vector<Importance> computeImportance(const Regression& regression);

std::vector<Diagnostic> computeDiagnostics(const Regression& regression, const Observations& data);

ResidualChecks checkResiduals(const Regression& regression, const Observations& data);

/// AIC with the correction for few runs; σ counts as a parameter. Empty with n ≤ p + 2 or no residual.
std::optional<double> correctedAkaike(int n, int parameters, double sse);

/// PRESS; empty where a leverage of 1 leaves a run without a prediction from the others.
std::optional<double> computePress(const Eigen::VectorXd& residuals, const Eigen::VectorXd& leverage);

/// R², PRESS and the other figures that judge the fit as a whole.
void summarize(const Regression& regression, const Observations& data, Fit& fit);

} // namespace quadric::model
