// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/random_draw.h"
#include "core/plan/opinion/learner.h"

#include <algorithm>

namespace quadric::plan {

LearningData LearningData::rows(const std::vector<Eigen::Index>& chosen) const
{
    LearningData part{features(chosen, Eigen::all), values(chosen), {}};
    for (const Eigen::Index row : chosen)
        part.groups.push_back(groups[static_cast<std::size_t>(row)]);
    return part;
}

std::vector<int> foldsOfGroups(const std::vector<int>& groups, int folds, std::uint64_t seed)
{
    std::vector<int> names = groups;
    std::ranges::sort(names);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    model::RandomBits random(seed);
    for (std::size_t i = names.size(); i > 1; --i)
        std::swap(names[i - 1], names[model::drawBelow(random, i)]);
    std::vector<int> of(groups.size());
    for (std::size_t row = 0; row < groups.size(); ++row)
        of[row] = static_cast<int>(std::ranges::find(names, groups[row]) - names.begin()) % folds;
    return of;
}

} // namespace quadric::plan
