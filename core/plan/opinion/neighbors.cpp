// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/opinion/learner.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace quadric::plan {

namespace {

constexpr int kMostNeighbors = 7;
constexpr double kSamePlace = 1e-9;

/// `leftOut`: runs of this group are not asked; −1: all are.
double meanOfNearest(const LearningData& data, const Eigen::VectorXd& at, int neighbors, int leftOut)
{
    std::vector<std::pair<double, double>> distances; // and values
    for (Eigen::Index row = 0; row < data.values.size(); ++row)
        if (leftOut < 0 || data.groups[static_cast<std::size_t>(row)] != leftOut)
            distances.emplace_back((data.features.row(row).transpose() - at).norm(), data.values[row]);
    if (distances.empty())
        return data.values.mean();
    const auto count = std::min<std::ptrdiff_t>(neighbors, std::ssize(distances));
    std::ranges::partial_sort(distances, distances.begin() + count);
    double sum = 0.0, weights = 0.0;
    for (auto each = distances.begin(); each != distances.begin() + count; ++each) {
        const double weight = 1.0 / (each->first + kSamePlace);
        sum += weight * each->second;
        weights += weight;
    }
    return sum / weights;
}

double errorLeftOut(const LearningData& data, int neighbors)
{
    double error = 0.0;
    for (Eigen::Index row = 0; row < data.values.size(); ++row)
        error +=
            std::pow(data.values[row] - meanOfNearest(data, data.features.row(row).transpose(), neighbors,
                                                      data.groups[static_cast<std::size_t>(row)]),
                     2);
    return error;
}

} // namespace

Predictor trainNeighbors(const LearningData& data)
{
    int best = 1;
    double least = errorLeftOut(data, 1);
    for (int neighbors = 2; neighbors <= kMostNeighbors; ++neighbors)
        if (const double error = errorLeftOut(data, neighbors); error < least) {
            best = neighbors;
            least = error;
        }
    auto kept = std::make_shared<LearningData>(data);
    return [kept, best](const Eigen::VectorXd& at) { return meanOfNearest(*kept, at, best, -1); };
}

} // namespace quadric::plan
