// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/legal_count.h"

#include "core/study/coding.h"
#include "core/study/constraint.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::study {
namespace {

/// What a factor can be set to: listed values, or any number of its range.
struct Choices {
    std::vector<Value> values; ///< empty for a continuous factor, and for a range with too many values
    bool isListed = false;
};

Choices choicesOf(const Factor& factor, long most)
{
    Choices choices;
    if (!factor.isNumeric())
        choices.values.assign(factor.categories.begin(), factor.categories.end());
    else if (factor.type != FactorType::Continuous)
        for (const double value :
             legalValues(factor, factor.low, factor.high, static_cast<std::size_t>(most)))
            choices.values.emplace_back(value);
    choices.isListed = !choices.values.empty();
    return choices;
}

/// All constraints, read once.
class Conditions {
public:
    explicit Conditions(const Study& study)
    {
        for (const std::string& text : study.constraints) {
            try {
                m_constraints.emplace_back(text);
            } catch (const std::invalid_argument&) {
                m_isReadable = false;
            }
        }
    }
    bool hold(const Settings& settings) const
    {
        try {
            return m_isReadable && std::ranges::all_of(m_constraints, [&](const Constraint& constraint) {
                       return constraint.holds(settings);
                   });
        } catch (const std::invalid_argument&) {
            return false; // a name without a value
        }
    }

private:
    std::vector<Constraint> m_constraints;
    bool m_isReadable = true;
};

/// The only positive root of x^(d+1) = x + 1: powers of its inverse fill the d-dimensional cube most evenly.
double generalisedGoldenRatio(std::size_t dimensions)
{
    double root = 2.0;
    for (int i = 0; i < 60; ++i)
        root = std::pow(1.0 + root, 1.0 / (static_cast<double>(dimensions) + 1.0));
    return root;
}

Value valueAt(const Coding& coding, std::size_t factor, const Choices& choices, double fraction)
{
    if (choices.isListed) {
        const auto count = static_cast<double>(choices.values.size());
        return choices.values[static_cast<std::size_t>(std::min(fraction * count, count - 1.0))];
    }
    return snapToLegal(coding.factors()[factor], coding.toActual(factor, 2.0 * fraction - 1.0));
}

long countAll(const Study& study, const std::vector<Choices>& choices, long combinations)
{
    const Conditions conditions(study);
    Settings settings = study.fixed;
    long legal = 0;
    for (long i = 0; i < combinations; ++i) {
        long rest = i;
        for (std::size_t f = 0; f < choices.size(); ++f) {
            const auto count = static_cast<long>(choices[f].values.size());
            settings[study.factors[f].name] = choices[f].values[static_cast<std::size_t>(rest % count)];
            rest /= count;
        }
        legal += conditions.hold(settings) ? 1 : 0;
    }
    return legal;
}

double shareOfSpreadPoints(const Study& study, const std::vector<Choices>& choices, long points)
{
    const Coding coding(study.factors);
    const Conditions conditions(study);
    const double ratio = generalisedGoldenRatio(choices.size());
    Settings settings = study.fixed;
    long legal = 0;
    for (long i = 0; i < points; ++i) {
        for (std::size_t f = 0; f < choices.size(); ++f) {
            const double step = std::pow(ratio, -static_cast<double>(f + 1));
            const double place = 0.5 + step * static_cast<double>(i + 1);
            settings[study.factors[f].name] = valueAt(coding, f, choices[f], place - std::floor(place));
        }
        legal += conditions.hold(settings) ? 1 : 0;
    }
    return static_cast<double>(legal) / static_cast<double>(points);
}

} // namespace

LegalCount countLegal(const Study& study, long most)
{
    const Coding check(study.factors); // throws for factors that are not sound
    std::vector<Choices> choices;
    double combinations = 1.0;
    for (const Factor& factor : study.factors) {
        choices.push_back(choicesOf(factor, most));
        combinations *=
            choices.back().isListed ? static_cast<double>(choices.back().values.size()) : INFINITY;
    }
    LegalCount count;
    if (combinations <= static_cast<double>(most)) {
        count.combinations = static_cast<long>(combinations);
        count.legal = countAll(study, choices, *count.combinations);
        count.share = combinations > 0.0 ? static_cast<double>(*count.legal) / combinations : 0.0;
    } else {
        if (std::isfinite(combinations) && study.constraints.empty())
            count.combinations = count.legal = static_cast<long>(std::min(combinations, 1e15));
        count.share = study.constraints.empty() ? 1.0 : shareOfSpreadPoints(study, choices, most);
    }
    return count;
}

} // namespace quadric::study
