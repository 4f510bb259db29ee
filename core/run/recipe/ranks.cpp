// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/ranks.h"

#include "core/run/recipe/recipe.h"
#include "core/study/node_size.h"

#include <algorithm>
#include <cmath>

namespace quadric::run {

namespace {

constexpr const char* kRanks = "ranks";
constexpr int kMostRanks = 1'000'000;

/// The factor that says how many ranks or GPUs a run has; null without one.
const study::Factor* boundToRanks(const study::Study& study)
{
    const auto found = std::find_if(study.factors.begin(), study.factors.end(),
                                    [](const study::Factor& factor) { return factor.binds == kRanks; });
    return found == study.factors.end() ? nullptr : &*found;
}

} // namespace

std::optional<int> ranksOf(const study::Study& study, const study::Run& run)
{
    const study::Settings settings = workerSettings(study, run);
    const study::Factor* factor = boundToRanks(study);
    auto found = factor ? settings.find(factor->name) : settings.end();
    if (found == settings.end())
        found = settings.find(kRanks);
    if (found == settings.end())
        return std::nullopt;
    const double ranks = study::numberOf(found->second);
    if (!(ranks >= 1.0) || ranks > kMostRanks || ranks != std::floor(ranks))
        throw RecipeError("run " + std::to_string(run.id) + ": " + found->first + " is " +
                          study::toText(found->second) + ", expected a whole number of ranks");
    return static_cast<int>(ranks);
}

int gpusPerRank(const study::Study& study, const study::SlurmOptions& options)
{
    const study::Factor* ranks = boundToRanks(study);
    const bool isForGpus =
        study.benchmark.engine == "cuda" || (ranks != nullptr && study::hasUnitGpus(*ranks));
    return options.gpusPerRank.value_or(isForGpus ? 1 : 0);
}

} // namespace quadric::run
