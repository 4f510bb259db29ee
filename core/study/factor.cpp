// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/factor.h"

#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace quadric::study {
namespace {

/// Relative slack when a limit is divided by `multiple_of`, so that 0.1 + 0.2 counts as 0.3.
constexpr double kLimitSlack = 1e-12;

/// A step of the grid of legal integers; never 0, so that a broken factor cannot divide by it.
double stepOf(const Factor& factor)
{
    return factor.multipleOf > 0 ? static_cast<double>(factor.multipleOf) : 1.0;
}

double firstMultiple(const Factor& factor, double from)
{
    const double step = stepOf(factor);
    const double first = std::ceil(from / step - kLimitSlack * std::abs(from / step)) * step;
    return factor.scale == Scale::Log2 ? std::max(first, step) : first;
}

double lastMultiple(const Factor& factor, double to)
{
    const double step = stepOf(factor);
    return std::floor(to / step + kLimitSlack * std::abs(to / step)) * step;
}

double nearer(const Factor& factor, double actual, double a, double b)
{
    const double place = onScale(factor, actual);
    return std::abs(onScale(factor, a) - place) <= std::abs(onScale(factor, b) - place) ? a : b;
}

double snapToMultiple(const Factor& factor, double actual)
{
    const double step = stepOf(factor);
    if (factor.scale == Scale::Log2 && actual <= step)
        return step;
    const double below = std::floor(actual / step) * step;
    double best = nearer(factor, actual, below, below + step);
    const double first = firstMultiple(factor, factor.low);
    const double last = lastMultiple(factor, factor.high);
    const bool isInside = actual >= factor.low && actual <= factor.high;
    if (isInside && first <= last)
        best = std::clamp(best, first, last);
    return best + 0.0; // no negative zero
}

double snapToLevel(const Factor& factor, double actual)
{
    if (factor.levels.empty())
        return actual;
    const auto above = std::ranges::lower_bound(factor.levels, actual);
    if (above == factor.levels.begin())
        return *above;
    const auto below = std::prev(above);
    return above == factor.levels.end() ? *below : nearer(factor, actual, *below, *above);
}

} // namespace

double onScale(const Factor& factor, double actual)
{
    return factor.scale == Scale::Log2 ? std::log2(actual) : actual;
}

std::string toText(const Value& value)
{
    if (const auto* text = std::get_if<std::string>(&value))
        return *text;
    return text::formatExactly(std::get<double>(value));
}

double numberOf(const Value& value)
{
    const auto* number = std::get_if<double>(&value);
    return number ? *number : std::numeric_limits<double>::quiet_NaN();
}

double snapToLegal(const Factor& factor, double actual)
{
    if (!std::isfinite(actual))
        return actual;
    switch (factor.type) {
    case FactorType::Integer:
        return snapToMultiple(factor, actual);
    case FactorType::Discrete:
        return snapToLevel(factor, actual);
    case FactorType::Continuous:
    case FactorType::Categorical:
        return actual;
    }
    return actual;
}

std::vector<double> legalValues(const Factor& factor, double from, double to, std::size_t most)
{
    std::vector<double> values;
    if (factor.type == FactorType::Discrete) {
        std::copy_if(factor.levels.begin(), factor.levels.end(), std::back_inserter(values),
                     [&](double level) { return level >= from && level <= to; });
        return values.size() > most ? std::vector<double>{} : values;
    }
    if (factor.type != FactorType::Integer || !std::isfinite(from) || !std::isfinite(to))
        return values;
    const double first = firstMultiple(factor, from);
    const double count = std::floor((lastMultiple(factor, to) - first) / stepOf(factor)) + 1.0;
    if (count < 1.0 || count > static_cast<double>(most))
        return values;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i)
        values.push_back(first + static_cast<double>(i) * stepOf(factor) + 0.0);
    return values;
}

} // namespace quadric::study
