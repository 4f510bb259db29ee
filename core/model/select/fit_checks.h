// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/fit/fit.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace quadric::model {

/// Finds the diagnostics of many runs of a fit that stays as it is while this is used.
class DiagnosticIndex {
public:
    explicit DiagnosticIndex(const Fit& fit)
    {
        for (const Diagnostic& diagnostic : fit.diagnostics)
            m_byRun.emplace(diagnostic.run, &diagnostic);
    }

    /// Null where the model was not fitted to the run.
    const Diagnostic* find(int run) const
    {
        const auto found = m_byRun.find(run);
        return found == m_byRun.end() ? nullptr : found->second;
    }

private:
    std::unordered_map<int, const Diagnostic*> m_byRun;
};

/// What tells an outlier from chance: each run against a model of all others (externally studentized
/// residual), t with one degree of freedom less than the error has.
struct OutlierTest {
    /// Limits of an internally studentized residual at 5 %, of one run and of all n together (Bonferroni):
    /// r = t √(ν/(ν − 1 + t²)), which the externally studentized one reaches t at (Cook & Weisberg 1982,
    /// 2.2.1).
    double ofOneRun = 0.0, ofAllRuns = 0.0;
    std::vector<int> outliers; ///< runs beyond the limit of all
};

/// Empty with less than 2 residual degrees of freedom, and where no run can be left out.
std::optional<OutlierTest> testOutliers(const Fit& fit);

/// A run so far from all others that the model without it is another one.
struct FarOutlier {
    int run = 0; ///< id
    /// Of the same terms without the run; model's scale.
    double r2Without = 0.0, sigmaWithout = 0.0;
};

/// The run with the largest externally studentized residual, where that is beyond kFarOutlier times
/// Bonferroni's limit; empty otherwise.
std::optional<FarOutlier> findFarOutlier(const Fit& fit);

/// Partial test of the blocks: p of the variation that they explain beyond all terms (R: drop1). Empty with a
/// single block and without an error to test against.
std::optional<double> testBlocks(const Fit& fit);

/// Whether the residuals scatter more where the fitted values are large, or small.
struct SpreadCheck {
    double slope = 0.0; ///< mean of ŷ weighted by e², above what equal variances expect; model's scale
    double p = 1.0;     ///< two-sided
};

/// The score test of Breusch & Pagan 1979 and Cook & Weisberg 1983 on the fitted values, studentized (Koenker
/// 1981): with the variances log-linear in ŷ the score is the slope above. Fitted values and residuals are
/// independent under equal variances, so that the probability is that of a ratio of quadratic forms with ŷ
/// given (distributions.h), right for few runs and unequal leverages. Empty for fits without two residual
/// degrees of freedom or without fitted values that differ.
std::optional<SpreadCheck> checkSpread(const Fit& fit);

} // namespace quadric::model
