// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/base/variance_search.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quadric::model {

/// R: qf(0.95, 2, 10), qf(0.99, 5, 3), qt(0.975, 7).
TEST(Distributions, quantilesAreThoseOfR)
{
    EXPECT_NEAR(fLimit(0.05, 2, 10), 4.10282101513, 1e-9);
    EXPECT_NEAR(fLimit(0.01, 5, 3), 28.23708083776, 1e-9);
    EXPECT_NEAR(tLimit(0.05, 7), 2.3646242516, 1e-9);
    EXPECT_NEAR(fProbability(fLimit(0.05, 3, 8), 3, 8), 0.05, 1e-12);
}

/// n log v + s/v, twice the negative log likelihood of n normal numbers, is smallest at v = s/n.
TEST(VarianceSearch, findsTheLikeliestVariance)
{
    const auto deviance = [](double v) { return v > 0.0 ? 8.0 * std::log(v) + 20.0 / v : INFINITY; };
    EXPECT_NEAR(findVariance(deviance, 1.0, -6, 6), 2.5, 1e-6);
    EXPECT_NEAR(findVariance(deviance, 1e4, -6, 6), 2.5, 1e-6);
    EXPECT_DOUBLE_EQ(findVariance([](double v) { return 1.0 + v; }, 1.0, -6, 6), 0.0);
}

} // namespace quadric::model
