// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/merit/normal_box.h"
#include "core/algebra/cholesky.h"
#include "core/model/base/distributions.h"
#include "core/model/base/random_draw.h"
#include "core/optimize/merit/kronecker.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

/// Share by which a correlation matrix is drawn towards independence until it can be factored.
constexpr double kShrinkage = 1e-6;

Eigen::MatrixXd factorOf(const Eigen::MatrixXd& correlation)
{
    double shrinkage = kShrinkage;
    algebra::Cholesky factor(correlation);
    while (!factor.isPositiveDefinite()) {
        Eigen::MatrixXd matrix = correlation * (1.0 - shrinkage);
        matrix.diagonal().setOnes();
        factor = algebra::Cholesky(matrix);
        shrinkage = std::min(1.0, shrinkage * 10.0);
    }
    return factor.lower();
}

double share(double value)
{
    return value - std::floor(value);
}

} // namespace

double normalCdf(double z)
{
    return 0.5 * std::erfc(-z / std::sqrt(2.0));
}

double normalBoxProbability(const Eigen::VectorXd& low, const Eigen::VectorXd& high,
                            const Eigen::MatrixXd& correlation, int samples, std::uint64_t seed)
{
    const Eigen::Index size = low.size();
    if (size == 0)
        return 1.0;
    const Eigen::MatrixXd factor = factorOf(correlation);
    const bool isIndependent = factor.isIdentity(0.0);
    model::RandomBits generator(seed);
    std::vector<double> shift(static_cast<std::size_t>(size));
    for (double& value : shift)
        value = model::drawUnit(generator);
    const int count = isIndependent || size == 1 ? 1 : samples;
    double sum = 0.0;
    Eigen::VectorXd z = Eigen::VectorXd::Zero(size);
    for (int sample = 0; sample < count; ++sample) {
        double product = 1.0;
        for (Eigen::Index i = 0; i < size && product > 0.0; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const double known = factor.row(i).head(i).dot(z.head(i));
            const double from = normalCdf((low[i] - known) / factor(i, i));
            const double to = normalCdf((high[i] - known) / factor(i, i));
            product *= std::max(0.0, to - from);
            const double step = share((sample + 1) * kroneckerStep(at) + shift[at]);
            const double folded = std::abs(2.0 * step - 1.0); // a tent makes the points periodic
            z[i] = isIndependent
                       ? 0.0
                       : model::normalQuantile(std::clamp(from + folded * (to - from), 1e-16, 1.0 - 1e-16));
        }
        sum += product;
    }
    return sum / count;
}

} // namespace quadric::optimize
