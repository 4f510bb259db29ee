// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/run_need.h"

#include "core/run/recipe/ranks.h"
#include "core/run/recipe/recipe.h"

#include <algorithm>
#include <cmath>

namespace quadric::run {

namespace {

constexpr double kMostThreads = 1e6;

std::string engineOf(const study::Settings& settings)
{
    const auto found = settings.find("engine");
    const auto* name = found == settings.end() ? nullptr : std::get_if<std::string>(&found->second);
    return name ? *name : "auto";
}

/// Threads of a rank; a value that is none is left to the worker to refuse.
double threadsPerRank(const study::Settings& settings)
{
    const auto found = settings.find("threads_per_rank");
    const auto* threads = found == settings.end() ? nullptr : std::get_if<double>(&found->second);
    return threads && *threads >= 1.0 ? std::min(std::ceil(*threads), kMostThreads) : 1.0;
}

devices::Need gpus(int count, const devices::Inventory& inventory)
{
    const double share = static_cast<double>(count) / std::max<double>(1.0, double(inventory.gpus.size()));
    const double cores = std::floor(std::min(1.0, share) * static_cast<double>(inventory.cores.size()));
    return {.gpus = count, .cores = static_cast<int>(cores)};
}

devices::Need cores(double count, const devices::Inventory& inventory)
{
    return {.gpus = 0,
            .cores = static_cast<int>(std::min(count, static_cast<double>(inventory.cores.size())))};
}

} // namespace

devices::Need needOf(const study::Study& study, const study::Run& run, const devices::Inventory& inventory,
                     int mostRuns)
{
    const study::Settings settings = workerSettings(study, run);
    const std::optional<int> ranks = ranksOf(study, run);
    const bool isBuiltin = study.benchmark.workload == "builtin";
    const std::string engine = isBuiltin ? engineOf(settings) : "auto";
    if (engine == "simulated")
        return {};
    if (engine == "cuda" || (engine != "cpu" && !inventory.gpus.empty()))
        return gpus(ranks.value_or(1), inventory);
    if (isBuiltin)
        return cores(ranks.value_or(1) * threadsPerRank(settings), inventory);
    const double equalShare = std::max(1.0, std::floor(double(inventory.cores.size()) / mostRuns));
    return cores(ranks ? *ranks : equalShare, inventory);
}

} // namespace quadric::run
