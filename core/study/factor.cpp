// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/factor.h"

#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

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

[[noreturn]] void fail(const Factor& factor, const std::string& what)
{
    throw std::invalid_argument("factor " + factor.name + ": " + what);
}

double centerOnScale(const Factor& factor)
{
    return (onScale(factor, factor.high) + onScale(factor, factor.low)) / 2.0;
}

double halfRangeOnScale(const Factor& factor)
{
    return (onScale(factor, factor.high) - onScale(factor, factor.low)) / 2.0;
}

void check(const Factor& factor)
{
    if (!factor.isNumeric()) {
        if (factor.categories.empty())
            fail(factor, "has no levels, expected at least two");
        return;
    }
    if (!std::isfinite(factor.low) || !std::isfinite(factor.high) || factor.low >= factor.high)
        fail(factor, "low is " + toText(factor.low) + " and high is " + toText(factor.high) +
                         ", expected low less than high");
    if (factor.scale == Scale::Log2 && factor.low <= 0.0)
        fail(factor, "low is " + toText(factor.low) + ", expected more than 0 on the log2 scale");
}

/// A search from the first level is faster up to here.
constexpr std::size_t kFewLevels = 32;

/// A continuous value without the noise of the coding where it is a short decimal but for that: 0.01, not
/// 0.010000000000000002. Others stay as they are (2/3 may lie on a constraint), and so do ends of the range.
double tidied(const Factor& factor, double value)
{
    constexpr int kDigits = 14; ///< significant ones, which the coding keeps on a log2 scale, too
    constexpr std::size_t kShort = 12;
    if (factor.type != FactorType::Continuous || value == factor.low || value == factor.high)
        return value;
    std::array<char, 32> text{};
    char* end =
        std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific, kDigits - 1).ptr;
    const std::string_view digits(text.data(), std::find(text.data(), end, 'e'));
    if (digits.find_last_not_of('0') > kShort + (value < 0.0 ? 1 : 0))
        return value;
    double tidy = value;
    std::from_chars(text.data(), end, tidy);
    return tidy;
}

std::size_t categoryIndex(const Factor& factor, double coded)
{
    const double last = static_cast<double>(factor.categories.size()) - 1.0;
    return std::isfinite(coded) ? static_cast<std::size_t>(std::clamp(std::round(coded), 0.0, last)) : 0;
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

Coding::Coding(std::vector<Factor> factors)
    : m_factors(std::move(factors))
{
    std::for_each(m_factors.begin(), m_factors.end(), check);
    for (const Factor& factor : m_factors) {
        auto& places = m_places.emplace_back();
        for (std::size_t i = 0; factor.categories.size() > kFewLevels && i < factor.categories.size(); ++i)
            places.emplace(factor.categories[i], static_cast<double>(i));
    }
}

double Coding::codedCategory(std::size_t factor, const Value& value) const
{
    const Factor& f = m_factors[factor];
    const std::string level = toText(value);
    const auto place = m_places[factor].find(level);
    if (place != m_places[factor].end())
        return place->second;
    const auto found = m_places[factor].empty() ? std::ranges::find(f.categories, level) : f.categories.end();
    if (found == f.categories.end())
        fail(f, "\"" + level + "\" is not one of its levels");
    return static_cast<double>(found - f.categories.begin());
}

int Coding::indexOf(std::string_view name) const
{
    const auto found =
        std::find_if(m_factors.begin(), m_factors.end(), [&](const Factor& f) { return f.name == name; });
    return found == m_factors.end() ? -1 : static_cast<int>(found - m_factors.begin());
}

double Coding::toCoded(std::size_t factor, double actual) const
{
    const Factor& f = m_factors.at(factor);
    if (!f.isNumeric())
        return actual;
    if (f.scale == Scale::Log2 && !(actual > 0.0))
        fail(f, "value " + toText(actual) + ", expected more than 0 on the log2 scale");
    return (onScale(f, actual) - centerOnScale(f)) / halfRangeOnScale(f);
}

double Coding::toActual(std::size_t factor, double coded) const
{
    const Factor& f = m_factors.at(factor);
    if (!f.isNumeric())
        return coded;
    if (coded == -1.0) // exact, also where exp2(log2(low)) is not
        return f.low;
    if (coded == 1.0)
        return f.high;
    const double place = centerOnScale(f) + coded * halfRangeOnScale(f);
    const double actual = f.scale == Scale::Log2 ? std::exp2(place) : place;
    return std::abs(coded) < 1.0 ? std::clamp(actual, f.low, f.high) : actual; // rounded past an end
}

CodedPoint Coding::toCoded(const Settings& settings) const
{
    CodedPoint point{Eigen::VectorXd(size())};
    for (std::size_t i = 0; i < m_factors.size(); ++i) {
        const Factor& factor = m_factors[i];
        const auto setting = settings.find(factor.name);
        if (setting == settings.end())
            fail(factor, "has no value in the settings");
        const auto row = static_cast<Eigen::Index>(i);
        if (!factor.isNumeric()) {
            point[row] = codedCategory(i, setting->second);
            continue;
        }
        const double actual = numberOf(setting->second);
        if (!std::isfinite(actual))
            fail(factor, "value \"" + toText(setting->second) + "\", expected a number");
        point[row] = toCoded(i, actual);
    }
    return point;
}

Settings Coding::toSettings(const CodedPoint& point) const
{
    if (point.size() != size())
        throw std::invalid_argument("a point of " + std::to_string(point.size()) + " values for " +
                                    std::to_string(size()) + " factors");
    Settings settings;
    for (std::size_t i = 0; i < m_factors.size(); ++i) {
        const Factor& factor = m_factors[i];
        const double coded = point[static_cast<Eigen::Index>(i)];
        if (factor.isNumeric())
            settings[factor.name] = toActual(i, coded);
        else
            settings[factor.name] = factor.categories[categoryIndex(factor, coded)];
    }
    return settings;
}

Settings Coding::toLegalSettings(const CodedPoint& point) const
{
    Settings settings = toSettings(point);
    for (const Factor& factor : m_factors) {
        if (factor.isNumeric())
            settings[factor.name] = tidied(factor, snapToLegal(factor, numberOf(settings[factor.name])));
    }
    return settings;
}

CodedPoint Coding::center() const
{
    return CodedPoint{Eigen::VectorXd::Zero(size())};
}

} // namespace quadric::study
