// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/importance_certainty.h"

#include "core/model/base/importance_shares.h"
#include "core/model/base/normal_draws.h"
#include "core/model/base/thresholds.h"

#include <algorithm>

namespace quadric::model {

namespace {

constexpr int kShareDraws = 600;
constexpr std::uint64_t kShareSeed = 1;
constexpr std::size_t kMostShares = 4000; ///< pairs of columns that are still drawn from

/// The shares of one draw, each variance less what the errors add; 0 where nothing is left.
struct DrawnShares {
    std::vector<double> main, total;
};

DrawnShares lessErrors(const VarianceParts& drawn, const VarianceParts& errors)
{
    const auto left = [](double variance, double error) { return std::max(0.0, variance - error); };
    const double whole = left(drawn.whole, errors.whole);
    DrawnShares shares;
    for (std::size_t i = 0; i < drawn.main.size(); ++i) {
        const auto shareOf = [&](double variance, double error) {
            return whole > 0.0 ? std::min(1.0, left(variance, error) / whole) : 0.0;
        };
        shares.main.push_back(shareOf(drawn.main[i], errors.main[i]));
        shares.total.push_back(shareOf(drawn.total[i], errors.total[i]));
    }
    return shares;
}

Interval middleOf(std::vector<double> values, double confidence)
{
    std::ranges::sort(values);
    const double tail = (1.0 - confidence) / 2.0 * static_cast<double>(values.size());
    const auto below = static_cast<std::size_t>(tail);
    return {values[below], values[values.size() - 1 - below]};
}

std::vector<DrawnShares> drawShares(const Fit& fit, const std::vector<CovarianceShares>& shares)
{
    const Eigen::MatrixXd covariance = fit.sigma * fit.sigma * fit.unscaledCovariance;
    const Eigen::MatrixXd root = rootOfCovariance(covariance);
    const std::size_t factors = fit.factors.size();
    const VarianceParts errors = sumShares(shares, 2.0 * covariance, factors); // of estimate and of draw
    NormalDraws normals(kShareSeed);
    std::vector<DrawnShares> drawn;
    for (int draw = 0; draw < kShareDraws; ++draw) {
        const Eigen::VectorXd error = root * normals.vector(root.cols());
        const Eigen::VectorXd beta = fit.beta + normals.errorOverEstimate(fit.dfResidual) * error;
        drawn.push_back(lessErrors(sumShares(shares, beta * beta.transpose(), factors), errors));
    }
    return drawn;
}

} // namespace

bool ImportanceCertainty::isNoise() const
{
    return p && *p >= kSignificance;
}

ImportanceCertainty judgeImportance(const Fit& fit)
{
    ImportanceCertainty certainty;
    if (!fit.isOk() || fit.dfResidual == 0 || !(fit.sigma > 0.0))
        return certainty;
    if (const AnovaRow* row = rowOf(fit, "Model"))
        certainty.p = row->p;
    const std::vector<CovarianceShares> shares = makeCovarianceShares(fit.columns, fit.factors);
    if (shares.empty() || shares.size() > kMostShares)
        return certainty;
    const std::vector<DrawnShares> drawn = drawShares(fit, shares);
    for (std::size_t i = 0; i < fit.factors.size(); ++i) {
        std::vector<double> main, total;
        for (const DrawnShares& each : drawn) {
            main.push_back(each.main[i]);
            total.push_back(each.total[i]);
        }
        certainty.factors.push_back({fit.factors[i].name, middleOf(std::move(main), fit.confidence),
                                     middleOf(std::move(total), fit.confidence)});
    }
    return certainty;
}

} // namespace quadric::model
