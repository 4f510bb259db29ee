// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/residual_correlation.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

double residualCorrelation(const model::Fit& a, const model::Fit& b)
{
    double ab = 0.0;
    double aa = 0.0;
    double bb = 0.0;
    int common = 0;
    for (const model::Diagnostic& row : a.diagnostics) {
        const auto other = std::ranges::find(b.diagnostics, row.run, &model::Diagnostic::run);
        if (other == b.diagnostics.end())
            continue;
        ++common;
        ab += row.residual * other->residual;
        aa += row.residual * row.residual;
        bb += other->residual * other->residual;
    }
    return common < 3 || !(aa > 0.0) || !(bb > 0.0) ? 0.0 : std::clamp(ab / std::sqrt(aa * bb), -1.0, 1.0);
}

Eigen::MatrixXd residualCorrelations(const std::vector<const model::Fit*>& fits)
{
    const auto size = std::ssize(fits);
    Eigen::MatrixXd correlations = Eigen::MatrixXd::Identity(size, size);
    for (Eigen::Index a = 0; a < size; ++a)
        for (Eigen::Index b = 0; b < a; ++b)
            correlations(a, b) = correlations(b, a) =
                residualCorrelation(*fits[static_cast<std::size_t>(a)], *fits[static_cast<std::size_t>(b)]);
    return correlations;
}

} // namespace quadric::optimize
