// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launcher_choice.h"

#include "core/machine/affinity.h"
#include "core/run/launch.h"
#include "core/run/recipe.h"
#include "core/run/slurm/slurm_launcher.h"
#include "core/run/slurm/slurm_options.h"

#include <nlohmann/json.hpp>

namespace quadric::run {

namespace {

constexpr const char* kParallelKey = "parallel";
constexpr const char* kVisibleGpus = "CUDA_VISIBLE_DEVICES";

void checkParallel(const std::string& where, const std::string& found, double runs)
{
    if (!(runs >= 1.0 && runs <= kMostParallelRuns))
        throw RecipeError(where + ": found " + found + ", expected a whole number from 1 to " +
                          std::to_string(kMostParallelRuns));
}

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
    checkParallel("--parallel", std::to_string(runs), runs);
    return runs == 1 ? makeLocalLauncher()
                     : makeParallelLauncher(runs, thisMachinesDevices(study, asked.devices));
}

} // namespace

int parallelRuns(const study::Study& study)
{
    const auto found = study.benchmark.unknown.find(kParallelKey);
    if (found == study.benchmark.unknown.end())
        return 1;
    const auto value = nlohmann::json::parse(found->second, nullptr, false);
    checkParallel("benchmark.parallel", found->second, value.is_number_integer() ? value.get<double>() : 0.0);
    return value.get<int>();
}

study::Study withParallelRuns(study::Study study, int runs)
{
    if (runs == 1)
        study.benchmark.unknown.erase(kParallelKey);
    else
        study.benchmark.unknown[kParallelKey] = std::to_string(runs);
    return study;
}

std::unique_ptr<Launcher> launcherFor(const study::Study& study, const std::filesystem::path& document,
                                      const LauncherChoice& asked)
{
    if (!asked.name.empty() && asked.name != "local" && asked.name != "slurm")
        throw RecipeError("--launcher: found " + asked.name + ", expected local or slurm");
    const bool isSlurm = asked.name.empty() ? usesSlurm(study) : asked.name == "slurm";
    const int stated = parallelRuns(study); // refused where it is none, also by those who do not need it
    if (!isSlurm)
        return localLauncher(study, asked, asked.parallel.value_or(stated));
    if (asked.parallel)
        throw RecipeError("--parallel: found " + std::to_string(*asked.parallel) +
                          ", but the runs are jobs of Slurm, of which benchmark.slurm.most_jobs (now " +
                          std::to_string(readSlurmOptions(study).mostJobs) +
                          ") are in its queue at once; --parallel is for runs on this machine");
    return makeSlurmLauncher(study, document);
}

} // namespace quadric::run
