// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/launcher_choice.h"

#include "core/machine/affinity.h"
#include "core/run/launch/launch.h"
#include "core/run/recipe/recipe.h"
#include "core/run/slurm/slurm_launcher.h"

namespace quadric::run {

namespace {

constexpr const char* kVisibleGpus = "CUDA_VISIBLE_DEVICES";

/// Which GPUs the runs may use: by the option, the study's own command, the environment; not set: all.
std::optional<std::string> visibleGpus(const study::Study& study, const std::string& asked)
{
    const auto own = study.benchmark.env.find(kVisibleGpus);
    if (own != study.benchmark.env.end() && !placeholdersOf(own->second).empty())
        throw RecipeError(std::string("benchmark.env.") + kVisibleGpus + ": found \"" + own->second +
                          "\", which gives each run its GPUs; runs at once are given theirs, expected no "
                          "placeholder, or one run at a time");
    if (!asked.empty())
        return asked;
    if (own != study.benchmark.env.end())
        return own->second;
    const char* variable = std::getenv(kVisibleGpus);
    return variable ? std::optional<std::string>(variable) : std::nullopt;
}

/// Parts of a GPU cannot be told apart by what NVML lists.
void refuseParts(const std::optional<std::string>& visible)
{
    if (visible && visible->find("MIG-") != std::string::npos)
        throw RecipeError(std::string(kVisibleGpus) + ": found \"" + *visible +
                          "\"; parts of a GPU (MIG) cannot be shared out among runs at once, expected whole "
                          "GPUs, or one run at a time");
}

devices::Inventory thisMachinesDevices(const study::Study& study, const std::string& askedGpus)
{
    devices::InventoryOptions options;
    options.visibleGpus = visibleGpus(study, askedGpus);
    refuseParts(options.visibleGpus);
    options.cpus = machine::allowedCpus();
    options.mostCpus = static_cast<std::size_t>(thisMachine().cores);
    return devices::readInventory(options);
}

std::unique_ptr<Launcher> localLauncher(const study::Study& study, const LauncherChoice& asked, int runs)
{
    if (runs < 1 || runs > study::kMostParallelRuns)
        throw RecipeError("--parallel: found " + std::to_string(runs) +
                          ", expected a whole number from 1 to " + std::to_string(study::kMostParallelRuns));
    return runs == 1 ? makeLocalLauncher()
                     : makeParallelLauncher(runs, thisMachinesDevices(study, asked.devices));
}

} // namespace

std::unique_ptr<Launcher> launcherFor(const study::Study& study, const std::filesystem::path& document,
                                      const LauncherChoice& asked)
{
    if (!asked.name.empty() && asked.name != "local" && asked.name != "slurm")
        throw RecipeError("--launcher: found " + asked.name + ", expected local or slurm");
    refuseUnreadable(study.benchmark, {"parallel"}); // also where it is not needed
    if (asked.name.empty())
        refuseUnreadable(study.benchmark, {"launcher"});
    const bool isSlurm =
        asked.name.empty() ? study.benchmark.launcher == study::LauncherKind::Slurm : asked.name == "slurm";
    if (!isSlurm)
        return localLauncher(study, asked, asked.parallel.value_or(study.benchmark.parallel));
    if (asked.parallel)
        throw RecipeError("--parallel: found " + std::to_string(*asked.parallel) +
                          ", but the runs are jobs of Slurm, of which benchmark.slurm.most_jobs (now " +
                          std::to_string(study.benchmark.slurm.mostJobs) +
                          ") are in its queue at once; --parallel is for runs on this machine");
    return makeSlurmLauncher(study, document);
}

} // namespace quadric::run
