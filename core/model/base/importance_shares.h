// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"

#include <Eigen/Core>

namespace quadric::model {

/// What one factor has of the covariance of two columns over the region: alone, and with all others.
struct FactorShare {
    std::size_t factor = 0;
    double main = 0.0, total = 0.0;
};

/// Covariance of columns a and b over the region; pairs that have no factor in common have none.
struct CovarianceShares {
    std::size_t a = 0, b = 0;
    double whole = 0.0;
    std::vector<FactorShare> factors;
};

/// Of all pairs of columns but the first, which is the constant.
std::vector<CovarianceShares> makeCovarianceShares(const std::vector<Column>& columns,
                                                   const std::vector<study::Factor>& factors);

/// Variance of a model over the region, and of each factor alone and with its interactions.
struct VarianceParts {
    double whole = 0.0;
    std::vector<double> main, total;
};

/// Σ shares × products(a, b): `products` are ββ' for a model, or a covariance of the coefficients for what
/// their errors add on average.
VarianceParts sumShares(const std::vector<CovarianceShares>& shares, const Eigen::MatrixXd& products,
                        std::size_t factors);

} // namespace quadric::model
