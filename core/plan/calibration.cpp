// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/cholesky.h"
#include "core/algebra/products.h"
#include "core/model/base/distributions.h"
#include "core/model/fit/regression.h"
#include "core/plan/deadline.h"

#include <boost/math/distributions/binomial.hpp>

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

/// Below this part of 1 a direction of the model rests on one setting alone.
constexpr double kRestsAlone = 1e-9;

/// False where the model cannot be estimated without them. Probabilities that the runs of one setting stay
/// below their values, by the fit without them: with G = (I − H_FF)⁻¹ the errors are G e, their variances s₋²
/// G_ii, and s₋² = (SSE − e'G e)/(df − n_F).
bool addRanks(const model::Regression& regression, const std::vector<Eigen::Index>& runs,
              std::vector<double>& ranks)
{
    const auto count = static_cast<Eigen::Index>(runs.size());
    const Eigen::MatrixXd basis = regression.solution.basis(runs, Eigen::all);
    const Eigen::VectorXd residuals = regression.solution.residuals(runs);
    const algebra::PivotedCholesky rest(Eigen::MatrixXd::Identity(count, count) -
                                        algebra::timesTransposed(basis, basis));
    const double df = regression.df - static_cast<double>(count);
    if (rest.smallestPivot() <= kRestsAlone || df < 1.0)
        return false;
    const Eigen::MatrixXd inverse = rest.inverse();
    const Eigen::VectorXd errors = inverse * residuals;
    const double variance = (regression.sse - residuals.dot(errors)) / df;
    if (!(variance > 0.0))
        return false;
    for (Eigen::Index i = 0; i < count; ++i) {
        const double t = errors[i] / std::sqrt(variance * inverse(i, i));
        const double outside = model::tProbability(t, df);
        ranks.push_back(t < 0.0 ? outside / 2.0 : 1.0 - outside / 2.0);
    }
    return true;
}

CalibrationPoint pointOf(const std::vector<double>& ranks, double asked)
{
    using Binomial = boost::math::binomial_distribution<double>;
    const auto runs = static_cast<double>(ranks.size());
    const auto below =
        static_cast<double>(std::ranges::count_if(ranks, [asked](double rank) { return rank <= asked; }));
    return {asked,
            below / runs,
            {Binomial::find_lower_bound_on_p(runs, below, 0.025),
             Binomial::find_upper_bound_on_p(runs, below, 0.025)}};
}

} // namespace

Calibration calibrate(const model::Fit& fit, const std::vector<double>& probabilities, bool isFast)
{
    Calibration result;
    if (fit.predictor) {
        result.message =
            "How often such probabilities came true is told for polynomials; a Gaussian process predicts " +
            fit.response + ".";
        return result;
    }
    if (!fit.isOk() || fit.data == nullptr || fit.dfResidual == 0) {
        result.message = fit.isOk() ? "The model leaves no degrees of freedom for error." : fit.message;
        return result;
    }
    const std::vector<int>& groups = fit.data->replicateGroups;
    std::vector<std::vector<Eigen::Index>> settings(
        static_cast<std::size_t>(*std::ranges::max_element(groups)) + 1);
    for (std::size_t i = 0; i < groups.size(); ++i)
        settings[static_cast<std::size_t>(groups[i])].push_back(static_cast<Eigen::Index>(i));
    std::vector<double> ranks;
    for (const std::vector<Eigen::Index>& runs : settings) {
        const bool isJudged = addRanks(fit.data->regression, runs, ranks);
        result.settings += isJudged ? 1 : 0;
        result.kept += isJudged ? 0 : static_cast<int>(runs.size());
    }
    if (ranks.empty()) {
        result.message = "Without the runs of any one setting the model cannot be estimated.";
        return result;
    }
    const bool isTurned = isFast != (fit.transform.kind == study::TransformKind::Inverse);
    for (double& rank : ranks)
        rank = isTurned ? 1.0 - rank : rank;
    result.runs = static_cast<int>(ranks.size());
    for (const double asked : probabilities)
        result.points.push_back(pointOf(ranks, asked));
    return result;
}

} // namespace quadric::plan
