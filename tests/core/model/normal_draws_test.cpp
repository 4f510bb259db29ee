// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/base/normal_draws.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace quadric::model {

/// Kolmogorov's distance to the normal distribution, and the second moment of χ²/df.
TEST(NormalDraws, areNormalAndIndependent)
{
    constexpr Eigen::Index kCount = 20'000;
    Eigen::VectorXd drawn = NormalDraws(7).vector(kCount);
    const double serial = drawn.head(kCount - 1).dot(drawn.tail(kCount - 1)) / kCount;
    EXPECT_LT(std::abs(serial), 4.0 / std::sqrt(kCount));
    std::ranges::sort(drawn);
    double distance = 0.0;
    for (Eigen::Index i = 0; i < kCount; ++i)
        distance = std::max(distance,
                            std::abs(1.0 - normalUpper(drawn[i]) - (static_cast<double>(i) + 0.5) / kCount));
    EXPECT_LT(distance, 1.95 / std::sqrt(kCount)); // exceeded once in 1000 seeds
}

TEST(NormalDraws, estimateTheirErrorAsOftenAsStudentSays)
{
    NormalDraws draws(3);
    int outside = 0;
    for (int i = 0; i < 20'000; ++i)
        outside += std::abs(draws.next() * draws.errorOverEstimate(4)) > 2.776445 ? 1 : 0; // t(0.975; 4)
    EXPECT_NEAR(outside / 20'000.0, 0.05, 4.0 * std::sqrt(0.05 * 0.95 / 20'000.0));
}

TEST(NormalDraws, rootGivesTheCovarianceBack)
{
    const Eigen::Matrix3d covariance{{4.0, 2.0, 0.6}, {2.0, 3.0, 0.4}, {0.6, 0.4, 1.0}};
    const Eigen::MatrixXd root = rootOfCovariance(covariance);
    EXPECT_TRUE((root * root.transpose()).isApprox(covariance, 1e-12));
}

} // namespace quadric::model
