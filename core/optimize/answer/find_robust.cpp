// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/answer/optimism.h"
#include "core/optimize/merit/error_model.h"
#include "core/optimize/search/pattern_search.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace quadric::optimize {

namespace {

constexpr std::size_t kPoints = 400;
constexpr std::size_t kClimbs = 6;
constexpr int kSettingPoints = 24; ///< of settings that vary, while it is searched

/// Far away from all limits the logarithm of a probability of 0 goes on like this, so that climbs find in.
constexpr double kSmallestProbability = 1e-300;

/// Starts: points spread over the region and the best settings by desirability.
std::vector<Eigen::VectorXd> startsOf(const SearchSpace& space, const Optimum& best,
                                      const OptimizeOptions& options)
{
    std::vector<Eigen::VectorXd> starts = legalSample(space, kPoints, options.seed);
    for (const Solution& solution : best.solutions) {
        const std::optional<Eigen::VectorXd> x = space.pointAt(solution.settings);
        if (x && space.isLegal(*x))
            starts.push_back(*x);
    }
    return starts;
}

/// The probability that all limits hold with predictions as they are after correction.
std::optional<double> findCorrected(const study::Study& study, const std::vector<model::Fit>& fits,
                                    const Optimum& best, const study::Settings& settings,
                                    const OptimizeOptions& options, ProbabilityOptions probability)
{
    const OptimumCorrection correction = correctOptimum(study, fits, best, options);
    for (const CorrectedPrediction& row : correction.responses)
        probability.shifts[row.response] = row.shift;
    return correction.responses.empty() ? std::nullopt
                                        : limitProbabilities(study, fits, settings, probability).probability;
}

RobustOptimum search(const study::Study& study, const std::vector<model::Fit>& fits, const Goals& goals,
                     const OptimizeOptions& options, const ProbabilityOptions& probability)
{
    RobustOptimum result;
    const SearchSpace space(study, fits, options);
    const ErrorModel errors(goals, probability.isCorrelated);
    const VaryingSettings varying(study, probability.varying);
    const auto logarithm = [&](const Eigen::VectorXd& x) {
        const auto points = varying.around(study::CodedPoint(x), kSettingPoints);
        double p = 0.0;
        for (const study::CodedPoint& point : points)
            p += errors.probability(point, probability.samples, probability.seed);
        return std::log(std::max(p / static_cast<double>(points.size()), kSmallestProbability));
    };
    const Optimum best = findOptimum(study, fits, options);
    const std::vector<Eigen::VectorXd> starts = startsOf(space, best, options);
    const Candidate found = PatternSearch(space, logarithm, options.stop).best(starts, kClimbs);
    if (found.merit == kNoMerit) {
        result.status =
            options.stop.stop_requested() ? OptimumStatus::Stopped : OptimumStatus::NoLegalSetting;
        result.message = options.stop.stop_requested()
                             ? "Stopped."
                             : "No setting in the region satisfies the constraints.";
        return result;
    }
    result.status = options.stop.stop_requested() ? OptimumStatus::Stopped : OptimumStatus::Ok;
    result.settings = space.settingsAt(found.x);
    result.limits = limitProbabilities(study, fits, result.settings, probability);
    result.corrected = findCorrected(study, fits, best, result.settings, options, probability);
    std::map<std::string, double> ownBests;
    for (const ResponseAtOptimum& row : best.responses)
        ownBests[row.response] = row.bestAlone;
    result.assessment = assess(study, fits, result.settings, ownBests);
    return result;
}

} // namespace

RobustOptimum findRobust(const study::Study& study, const std::vector<model::Fit>& fits,
                         const OptimizeOptions& options, const ProbabilityOptions& probability)
{
    RobustOptimum result;
    const Goals goals = goalsOf(study, fits);
    const ErrorModel errors(goals, false);
    if (errors.count() == 0 || !errors.unknown().empty()) {
        result.message =
            errors.count() == 0
                ? "No response has a goal, a weight above 0 and a usable model."
                : "The model leaves no degrees of freedom to estimate the error of " + errors.unknown() + ".";
        return result;
    }
    try {
        return search(study, fits, goals, options, probability);
    } catch (const std::invalid_argument& error) {
        result.status = OptimumStatus::NoLegalSetting;
        result.message = error.what();
        return result;
    }
}

} // namespace quadric::optimize
