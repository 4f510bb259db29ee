// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/copies.h"

#include <boost/math/special_functions/beta.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace quadric::model {

namespace {

/// Agreements that rounding brings about in a smaller part of studies are copies.
constexpr double kChanceOfAgreement = 0.01;
/// Noise of a measurement, of its range and of its value, where no replicates show any.
constexpr double kLeastNoise = 0.005;
/// Steps below this part of the largest value are none that a number was rounded to.
constexpr double kFinestStep = 1e-8;
/// Replicates that differ by less than this part of the largest value differ by rounding only.
constexpr double kRoundingOfValue = 1e-12;

using Runs = std::vector<const study::Run*>;

double valueOf(const study::Run& run, std::string_view response)
{
    return run.results.find(response)->second;
}

Runs runsWith(const study::Study& study, std::string_view response)
{
    Runs runs;
    for (const study::Run& run : study.runs) {
        const auto result = run.results.find(response);
        if (run.status == study::RunStatus::Done && run.kind != study::RunKind::Confirmation &&
            result != run.results.end() && std::isfinite(result->second))
            runs.push_back(&run);
    }
    return runs;
}

std::vector<double> sortedValues(const Runs& runs, std::string_view response)
{
    std::vector<double> values;
    for (const study::Run* run : runs)
        values.push_back(valueOf(*run, response));
    std::ranges::sort(values);
    return values;
}

/// The runs of each setting that is repeated.
std::vector<Runs> replicatesAmong(const Runs& runs)
{
    std::map<study::Settings, Runs> bySettings;
    for (const study::Run* run : runs)
        bySettings[run->settings].push_back(run);
    std::vector<Runs> replicates;
    for (auto& [settings, group] : bySettings) {
        if (group.size() > 1)
            replicates.push_back(std::move(group));
    }
    return replicates;
}

/// The runs of each setting with the same value of `key`, where there are two or more.
template <typename Key> std::vector<Runs> equalAmong(const std::vector<Runs>& replicates, const Key& key)
{
    std::vector<Runs> equal;
    for (const Runs& group : replicates) {
        std::map<std::decay_t<decltype(key(*group.front()))>, Runs> byKey;
        for (const study::Run* run : group)
            byKey[key(*run)].push_back(run);
        for (auto& [value, runs] : byKey) {
            if (runs.size() > 1)
                equal.push_back(std::move(runs));
        }
    }
    return equal;
}

/// What all differences are multiples of (Euclid's algorithm); 0 where that is too fine to matter.
double commonStep(const std::vector<double>& sorted)
{
    const double finest = kFinestStep * std::max(std::abs(sorted.front()), std::abs(sorted.back()));
    double step = 0.0;
    for (std::size_t i = 1; i < sorted.size(); ++i) {
        double larger = sorted[i] - sorted[i - 1], rest = step;
        while (rest > finest)
            larger = std::exchange(rest, std::abs(std::remainder(larger, rest)));
        step = larger > finest ? larger : step;
    }
    return step > 2 * finest ? step : 0.0;
}

/// Significant digits of the shortest text that is this number.
int countDigits(double value)
{
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.begin(), text.end(), value, std::chars_format::scientific).ptr;
    const auto exponent = std::find(text.begin(), end, 'e');
    return static_cast<int>(
        std::count_if(text.begin(), exponent, [](char c) { return c >= '0' && c <= '9'; }));
}

/// The distance of a value to the next one that could have been noted.
class Resolution {
public:
    explicit Resolution(const std::vector<double>& sorted)
        : m_step(commonStep(sorted))
    {
        for (const double value : sorted)
            m_digits = std::max(m_digits, countDigits(value));
    }

    double at(double value) const
    {
        if (value == 0.0)
            return m_step;
        return std::max(m_step, std::pow(10.0, std::floor(std::log10(std::abs(value))) - m_digits + 1));
    }

private:
    double m_step;
    int m_digits = 1;
};

/// How far replicates are apart.
struct ReplicateNoise {
    double absolute = 0.0, relative = 0.0;
    double density = 0.0; ///< of the studentized difference at 0

    double at(double value) const
    {
        return value == 0.0 ? absolute : std::min(absolute, relative * std::abs(value));
    }
};

double studentDensityAtZero(double df)
{
    return std::exp(std::lgamma((df + 1) / 2) - std::lgamma(df / 2)) / std::sqrt(df * std::numbers::pi);
}

ReplicateNoise noiseOf(const std::vector<Runs>& replicates, std::string_view response,
                       const std::vector<double>& sorted)
{
    double squares = 0.0, relative = 0.0, df = 0.0;
    for (const Runs& group : replicates) {
        const std::vector<double> values = sortedValues(group, response);
        double mean = 0.0;
        for (const double value : values)
            mean += value / static_cast<double>(values.size());
        for (const double value : values) {
            squares += (value - mean) * (value - mean);
            relative += mean != 0.0 ? std::pow((value - mean) / mean, 2) : 0.0;
        }
        df += static_cast<double>(values.size()) - 1.0;
    }
    const double rounding = kRoundingOfValue * std::max(std::abs(sorted.front()), std::abs(sorted.back()));
    if (std::sqrt(squares / df) <= rounding)
        return {kLeastNoise * (sorted.back() - sorted.front()), kLeastNoise,
                1 / std::sqrt(2 * std::numbers::pi)};
    return {std::sqrt(squares / df), std::sqrt(relative / df), studentDensityAtZero(df)};
}

/// Whether rounding hardly explains how many replicates agree in this response.
bool isBeyondRounding(const Runs& runs, const std::vector<Runs>& replicates, std::string_view response)
{
    const std::vector<double> sorted = sortedValues(runs, response);
    if (sorted.front() == sorted.back() || std::ranges::adjacent_find(sorted) == sorted.end())
        return false;
    const Resolution resolution(sorted);
    const ReplicateNoise noise = noiseOf(replicates, response, sorted);
    double agreements = 0.0, likeliest = 0.0, pairs = 0.0;
    for (const Runs& group : replicates)
        pairs += static_cast<double>(group.size() * (group.size() - 1)) / 2;
    for (const Runs& equal :
         equalAmong(replicates, [&](const auto& run) { return valueOf(run, response); })) {
        const double value = valueOf(*equal.front(), response);
        agreements += static_cast<double>(equal.size()) - 1;
        likeliest = std::max(likeliest,
                             resolution.at(value) * noise.density / (std::numbers::sqrt2 * noise.at(value)));
    }
    return agreements > 0 && likeliest < 1 &&
           boost::math::ibeta(agreements, pairs - agreements + 1, likeliest) < kChanceOfAgreement;
}

bool isBeyondRounding(const study::Study& study, std::string_view response)
{
    const Runs runs = runsWith(study, response);
    const std::vector<Runs> replicates = replicatesAmong(runs);
    return !replicates.empty() && isBeyondRounding(runs, replicates, response);
}

Copies copiesOf(const std::vector<Runs>& replicates, const std::vector<Runs>& equal)
{
    Copies copies;
    for (const Runs& group : equal) {
        copies.groups.emplace_back();
        for (const study::Run* run : group)
            copies.groups.back().push_back(run->id);
    }
    copies.areAllReplicates = !equal.empty() && std::ranges::all_of(replicates, [&](const Runs& group) {
        return std::ranges::any_of(equal, [&](const Runs& runs) {
            return runs.size() == group.size() && runs.front() == group.front();
        });
    });
    return copies;
}

} // namespace

bool Copies::isRepetition(int run) const
{
    return std::ranges::any_of(groups, [run](const std::vector<int>& group) {
        return std::ranges::find(group.begin() + 1, group.end(), run) != group.end();
    });
}

Copies findCopies(const study::Study& study, std::string_view response)
{
    const Runs runs = runsWith(study, response);
    const std::vector<double> sorted = sortedValues(runs, response);
    if (sorted.empty() || sorted.front() == sorted.back() ||
        std::ranges::adjacent_find(sorted) == sorted.end())
        return {};
    const std::vector<Runs> replicates = replicatesAmong(runs);
    if (replicates.empty())
        return {};
    if (isBeyondRounding(runs, replicates, response))
        return copiesOf(replicates,
                        equalAmong(replicates, [&](const auto& run) { return valueOf(run, response); }));
    const std::vector<Runs> equal = equalAmong(replicates, [](const auto& run) { return run.results; });
    const bool isCopied = !equal.empty() && std::ranges::any_of(study.responses, [&](const auto& other) {
        return other.name != response && isBeyondRounding(study, other.name);
    });
    return isCopied ? copiesOf(replicates, equal) : Copies{};
}

} // namespace quadric::model
