// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/cross_validation.h"
#include "core/model/base/random_draw.h"
#include "core/model/fit/deleted_residuals.h"
#include "core/model/fit/prediction_scale.h"

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
        result.r2 = 1 - weighted(data, deleted).squaredNorm() / sst;
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

} // namespace quadric::model
