// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"

#include <boost/math/distributions/fisher_f.hpp>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadric::model {

namespace {

namespace bm = boost::math;

/// Results too small for a double become 0 instead of an exception.
using Quiet = bm::policies::policy<bm::policies::underflow_error<bm::policies::ignore_error>,
                                   bm::policies::overflow_error<bm::policies::ignore_error>,
                                   bm::policies::evaluation_error<bm::policies::ignore_error>>;

} // namespace

double tLimit(double alpha, double degreesOfFreedom)
{
    // Along a curve or a grid the same one is asked for at every point, and it takes longer than the point.
    struct Latest {
        double alpha = std::numeric_limits<double>::quiet_NaN(), degreesOfFreedom = 0.0, limit = 0.0;
    };
    thread_local Latest latest;
    if (alpha != latest.alpha || degreesOfFreedom != latest.degreesOfFreedom)
        latest = {alpha, degreesOfFreedom,
                  bm::quantile(bm::complement(bm::students_t_distribution<double, Quiet>(degreesOfFreedom),
                                              alpha / 2))};
    return latest.limit;
}

double tProbability(double t, double degreesOfFreedom)
{
    const bm::students_t_distribution<double, Quiet> distribution(degreesOfFreedom);
    return std::clamp(2 * bm::cdf(bm::complement(distribution, std::abs(t))), 0.0, 1.0);
}

double fProbability(double f, double numerator, double denominator)
{
    const bm::fisher_f_distribution<double, Quiet> distribution(numerator, denominator);
    return std::clamp(bm::cdf(bm::complement(distribution, f)), 0.0, 1.0);
}

double fLimit(double alpha, double numerator, double denominator)
{
    const bm::fisher_f_distribution<double, Quiet> distribution(numerator, denominator);
    return bm::quantile(bm::complement(distribution, alpha));
}

double normalQuantile(double p)
{
    if (p <= 0.0)
        return -std::numeric_limits<double>::infinity();
    if (p >= 1.0)
        return std::numeric_limits<double>::infinity();
    return bm::quantile(bm::normal_distribution<double, Quiet>(), p);
}

double normalUpper(double z)
{
    return bm::cdf(bm::complement(bm::normal_distribution<double, Quiet>(), z));
}

} // namespace quadric::model
