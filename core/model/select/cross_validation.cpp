// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/cross_validation.h"

#include "core/model/base/distributions.h"
#include "core/model/fit/regression.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

int countOf(const std::vector<int>& groups)
{
    return groups.empty() ? 0 : *std::ranges::max_element(groups) + 1;
}

/// Groups in random order, each dealt to the fold that has the fewest runs so far.
std::vector<int> foldsOf(const std::vector<int>& groups, int folds, std::uint64_t seed)
{
    const int count = countOf(groups);
    std::vector<std::size_t> order(static_cast<std::size_t>(count));
    RandomBits random(seed);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[drawBelow(random, i)]);

    std::vector<std::ptrdiff_t> sizes(static_cast<std::size_t>(folds), 0);
    std::vector<int> foldOfGroup(order.size());
    for (const std::size_t group : order) {
        const auto smallest = std::ranges::min_element(sizes);
        foldOfGroup[group] = static_cast<int>(smallest - sizes.begin());
        *smallest += std::ranges::count(groups, static_cast<int>(group));
    }
    std::vector<int> foldOf;
    foldOf.reserve(groups.size());
    for (const int group : groups)
        foldOf.push_back(foldOfGroup[static_cast<std::size_t>(group)]);
    return foldOf;
}

void judge(const Fit& fit, const Eigen::VectorXd& deleted, CrossValidation& result)
{
    const Observations& data = fit.data->observations;
    double squares = 0.0;
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        const double predicted = toResponseUnit(fit, data.z[i] - deleted[i]);
        result.predicted.push_back(predicted);
        squares += (data.y[i] - predicted) * (data.y[i] - predicted);
    }
    const double n = static_cast<double>(data.size());
    result.error = std::sqrt(squares / n);
    result.s = std::sqrt(deleted.squaredNorm() / n);
    if (const double sst = fit.data->regression.sstInBlocks; sst > 0)
        result.r2 = 1 - deleted.squaredNorm() / sst;
}

} // namespace

CrossValidation crossValidate(const Fit& fit, int folds, std::uint64_t seed)
{
    CrossValidation result;
    result.seed = seed;
    if (!fit.isOk() || fit.data == nullptr) {
        result.message = fit.message.empty() ? "There is no fit to validate." : fit.message;
        return result;
    }
    const std::vector<int>& groups = fit.data->replicateGroups;
    const int settings = countOf(groups);
    result.runs = fit.data->observations.runs;
    result.folds = folds > 0 ? folds : settings;
    if (result.folds < 2 || result.folds > settings) {
        result.message = "Cross-validation in " + std::to_string(result.folds) +
                         " folds needs between 2 and as many folds as there are different settings (" +
                         std::to_string(settings) + ").";
        return result;
    }
    result.foldOf = folds > 0 ? foldsOf(groups, folds, seed) : groups;
    if (const auto deleted = deletedResiduals(fit.data->regression, result.foldOf))
        judge(fit, *deleted, result);
    else
        result.message = "Without the runs of one fold the model cannot be estimated, so there is no "
                         "cross-validation with these folds.";
    return result;
}

RepeatedValidation repeatValidation(const Fit& fit, int folds, int repeats)
{
    RepeatedValidation repeated;
    repeated.folds = folds;
    std::vector<double> errors, shares;
    for (int seed = 1; seed <= repeats; ++seed) {
        const CrossValidation single = crossValidate(fit, folds, static_cast<std::uint64_t>(seed));
        repeated.message = single.message;
        if (single.error)
            errors.push_back(*single.error);
        if (single.r2)
            shares.push_back(*single.r2);
    }
    if (errors.empty())
        return repeated;
    const auto meanOf = [](const std::vector<double>& values) {
        double sum = 0.0;
        for (const double value : values)
            sum += value;
        return sum / static_cast<double>(values.size());
    };
    repeated.message.clear();
    repeated.repeats = static_cast<int>(errors.size());
    repeated.error = meanOf(errors);
    for (const double error : errors)
        repeated.errorSd += (error - repeated.error) * (error - repeated.error);
    repeated.errorSd = std::sqrt(repeated.errorSd / std::max(1.0, static_cast<double>(errors.size()) - 1.0));
    if (!shares.empty()) {
        repeated.r2 = meanOf(shares);
        repeated.r2Low = *std::ranges::min_element(shares);
        repeated.r2High = *std::ranges::max_element(shares);
    }
    return repeated;
}

} // namespace quadric::model
