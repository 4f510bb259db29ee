// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/information.h"

#include "core/algebra/cholesky.h"
#include "core/model/base/test_power.h"

#include <algorithm>

namespace quadric::design {

namespace {

/// Coefficient of a term whose values change the response by `effect` over the cube.
double coefficientOf(const model::Term& term, double effect)
{
    const bool isEven =
        std::all_of(term.powers.begin(), term.powers.end(), [](int power) { return power % 2 == 0; });
    return isEven ? effect : effect / 2.0;
}

/// The least over the pairs of levels of a categorical term that differ by the effect, the other levels
/// between them: one coefficient is the effect's, or one is and another is its negative.
double noncentrality(const Eigen::MatrixXd& covariance, double coefficient)
{
    const Eigen::MatrixXd weights = algebra::Cholesky(covariance).inverse();
    double smallest = weights.diagonal().minCoeff();
    for (Eigen::Index i = 0; i < weights.rows(); ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            smallest = std::min(smallest, weights(i, i) + weights(j, j) - 2.0 * weights(i, j));
    return coefficient * coefficient * smallest;
}

} // namespace

std::vector<PowerRow> powerOf(const Information& information, double effectSd)
{
    std::vector<PowerRow> rows;
    if (information.dfResidual() < 1)
        return rows;
    for (Eigen::Index first = 0; first < information.p();) {
        const model::Term& term = information.columns[static_cast<std::size_t>(first)].term;
        Eigen::Index size = 1;
        while (first + size < information.p() &&
               information.columns[static_cast<std::size_t>(first + size)].term == term)
            ++size;
        if (!term.isIntercept()) {
            const double lambda = noncentrality(information.covariance.block(first, first, size, size),
                                                coefficientOf(term, effectSd));
            rows.push_back(
                {model::nameOf(term, information.factors), effectSd,
                 model::computeTestPower(static_cast<int>(size), information.dfResidual(), lambda)});
        }
        first += size;
    }
    return rows;
}

} // namespace quadric::design
