// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/rounding.h"

#include "core/optimize/merit/desirability.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <cmath>

namespace quadric::optimize {

namespace {

constexpr int kMostDigits = 6;

/// The values of so many digits around a value that the factor can have, the nearest first.
std::vector<double> roundings(const study::Factor& factor, double value, int digits)
{
    if (value == 0.0)
        return {};
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
    std::vector<double> values;
    for (const double rounded :
         {std::round(value / unit), std::floor(value / unit), std::ceil(value / unit)}) {
        const double legal = study::snapToLegal(factor, rounded * unit);
        const bool isRounded = std::abs(legal - rounded * unit) <= 1e-9 * unit;
        if (isRounded && legal >= factor.low && legal <= factor.high &&
            std::ranges::find(values, legal) == values.end())
            values.push_back(legal);
    }
    return values;
}

/// Digits that the value is written with, at most one more than are tried.
int countDigits(double value)
{
    for (int digits = 1; digits <= kMostDigits; ++digits) {
        const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) + 1 - digits);
        if (std::abs(value / unit - std::round(value / unit)) < 1e-9)
            return digits;
    }
    return kMostDigits + 1;
}

class Rounder {
public:
    Rounder(const study::Study& study, const std::vector<model::Fit>& fits, study::Settings settings)
        : m_study(study)
        , m_fits(fits)
        , m_settings(std::move(settings))
    {
    }

    /// Fewer digits of one factor, where the overall desirability stays at `least` or more.
    bool round(const study::Factor& factor, double least)
    {
        const double value = study::numberOf(m_settings.at(factor.name));
        for (int digits = 1; value != 0.0 && digits < countDigits(value); ++digits)
            for (const double rounded : roundings(factor, value, digits)) {
                study::Settings trial = m_settings;
                trial[factor.name] = rounded;
                if (study::isLegal(m_study, trial) && assess(m_study, m_fits, trial).overall >= least) {
                    m_settings = std::move(trial);
                    return true;
                }
            }
        return false;
    }

    const study::Settings& settings() const { return m_settings; }

private:
    const study::Study& m_study;
    const std::vector<model::Fit>& m_fits;
    study::Settings m_settings;
};

} // namespace

std::optional<Solution> findRounded(const study::Study& study, const std::vector<model::Fit>& fits,
                                    const Optimum& optimum, const study::Settings& held)
{
    std::vector<const study::Factor*> free;
    for (const study::Factor& factor : study.factors)
        if (factor.isNumeric() && !held.contains(factor.name))
            free.push_back(&factor);
    Rounder rounder(study, fits, optimum.settings);
    bool isRounded = false;
    for (std::size_t i = 0; i < free.size(); ++i) {
        const double share = static_cast<double>(i + 1) / static_cast<double>(free.size());
        isRounded |= rounder.round(*free[i], optimum.overall * (1.0 - kRoundingCost * share));
    }
    if (!isRounded)
        return std::nullopt;
    const Optimum there = assess(study, fits, rounder.settings());
    Solution rounded{.overall = there.overall, .settings = rounder.settings(), .isOptimum = false};
    rounded.isRounded = true;
    for (const ResponseAtOptimum& at : there.responses)
        rounded.predicted.emplace_back(at.response, at.predicted);
    return rounded;
}

study::Settings withFewDigits(const study::Study& study, study::Settings settings, int digits,
                              const study::Settings& held)
{
    for (const study::Factor& factor : study.factors) {
        if (factor.type != study::FactorType::Continuous || held.contains(factor.name))
            continue;
        const double value = study::numberOf(settings.at(factor.name));
        for (const double rounded : roundings(factor, value, digits)) {
            study::Settings trial = settings;
            trial[factor.name] = rounded;
            if (study::isLegal(study, trial)) {
                settings = std::move(trial);
                break;
            }
        }
    }
    return settings;
}

std::vector<Solution> withRounded(const Optimum& optimum)
{
    std::vector<Solution> solutions = optimum.solutions;
    if (optimum.rounded && !solutions.empty())
        solutions.insert(solutions.begin() + 1, *optimum.rounded);
    return solutions;
}

} // namespace quadric::optimize
