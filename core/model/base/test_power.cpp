// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/test_power.h"

#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"

#include <boost/math/distributions/non_central_f.hpp>

#include <algorithm>

namespace quadric::model {

namespace {

/// Noncentralities from here on give a power of 1; beyond them the series of the distribution is slow.
constexpr double kSurelySeen = 1000.0;

} // namespace

double computeTestPower(int df, int dfError, double noncentrality)
{
    if (noncentrality > kSurelySeen)
        return 1.0;
    const double critical = fLimit(kSignificance, df, dfError);
    const boost::math::non_central_f alternative(df, dfError, noncentrality);
    return std::clamp(boost::math::cdf(boost::math::complement(alternative, critical)), kSignificance, 1.0);
}

} // namespace quadric::model
