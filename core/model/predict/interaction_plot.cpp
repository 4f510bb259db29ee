// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/predict/curves.h"
#include "core/model/predict/observed_runs.h"

#include <cmath>

namespace quadric::model {

namespace {

/// Runs count as being at a level of a factor when they are this near to it, coded.
constexpr double kNearLevel = 0.1;

std::vector<double> levelsOf(const study::Factor& factor)
{
    if (factor.isNumeric())
        return {-1.0, 1.0};
    std::vector<double> levels;
    for (std::size_t i = 0; i < factor.categories.size(); ++i)
        levels.push_back(static_cast<double>(i));
    return levels;
}

std::string levelText(const study::Coding& coding, std::size_t factor, double coded)
{
    const study::Factor& source = coding.factors()[factor];
    const study::Value value = source.isNumeric()
                                   ? study::Value(coded < 0 ? source.low : source.high)
                                   : study::Value(source.categories[static_cast<std::size_t>(coded)]);
    return source.name + " = " + study::toText(value) + (source.unit.empty() ? "" : " " + source.unit);
}

/// Adjusted means of the runs at one level of the second factor, by level of the first.
void observeAt(const Fit& fit, const std::vector<ObservedRun>& runs, std::size_t factor, std::size_t by,
               const study::CodedPoint& at, InteractionLine& line)
{
    std::vector<ObservedRun> there;
    std::ranges::copy_if(runs, std::back_inserter(there), [&](const ObservedRun& run) {
        return std::abs(run.point[static_cast<Eigen::Index>(by)] - line.coded) <= kNearLevel;
    });
    addAdjustedMeans(fit, there, factor, at, line.curve);
}

} // namespace

InteractionPlot interactionPlot(const Fit& fit, const study::Study& study, std::size_t factor, std::size_t by,
                                const study::CodedPoint& at, int points, Span span)
{
    InteractionPlot plot{fit.factors.at(factor).name, fit.factors.at(by).name, {}};
    if (!fit.isOk() || factor == by)
        return plot;
    const study::Coding coding(fit.factors);
    const std::vector<ObservedRun> runs = observedRuns(fit, study);
    for (const double coded : levelsOf(fit.factors[by])) {
        study::CodedPoint point = at;
        point[static_cast<Eigen::Index>(by)] = coded;
        InteractionLine line{levelText(coding, by, coded), coded,
                             effectCurve(fit, factor, point, points, span)};
        observeAt(fit, runs, factor, by, point, line);
        plot.lines.push_back(std::move(line));
    }
    return plot;
}

} // namespace quadric::model
