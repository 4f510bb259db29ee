// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/spread_draws.h"

#include "core/model/base/distributions.h"
#include "core/model/base/random_draw.h"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/random/sobol.hpp>

#include <algorithm>
#include <cmath>

namespace quadric::plan {

namespace {

/// Without promotion to long double, which takes twice as long for digits that draws do not need.
using Fast = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

} // namespace

SpreadDraws::SpreadDraws(int draws, std::size_t numbers, std::uint64_t seed)
    : m_numbers(numbers)
{
    constexpr double kStep = 0x1p-53;
    model::RandomBits random(seed);
    std::vector<double> shifts(numbers);
    std::ranges::generate(shifts, [&random] { return model::drawUnit(random); });
    boost::random::sobol points(numbers);
    m_units.reserve(static_cast<std::size_t>(draws) * numbers);
    for (int draw = 0; draw < draws; ++draw) {
        for (const double shift : shifts) {
            const double place = static_cast<double>(points() >> 11U) * kStep + shift;
            m_units.push_back(std::clamp(place - std::floor(place), kStep, 1.0 - kStep));
        }
    }
}

double SpreadDraws::unit(int draw, std::size_t number) const
{
    return m_units[static_cast<std::size_t>(draw) * m_numbers + number];
}

double SpreadDraws::normal(int draw, std::size_t number) const
{
    return model::normalQuantile(unit(draw, number));
}

double SpreadDraws::student(int draw, std::size_t number, double df) const
{
    return boost::math::quantile(boost::math::students_t_distribution<double, Fast>(df), unit(draw, number));
}

double SpreadDraws::errorOverEstimate(int draw, std::size_t number, double df) const
{
    return std::sqrt(df / boost::math::quantile(boost::math::chi_squared_distribution<double, Fast>(df),
                                                unit(draw, number)));
}

} // namespace quadric::plan
