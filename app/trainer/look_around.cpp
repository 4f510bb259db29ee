// SPDX-License-Identifier: GPL-3.0-or-later
#include "look_around.h"

#include "gpu_notes.h"

#include "core/machine/affinity.h"
#include "core/machine/contention.h"
#include "core/trainer/measure/validation.h"

#include <algorithm>
#include <iostream>

namespace quadric::app {

using trainer::EngineKind;

namespace {

constexpr std::chrono::milliseconds kPreflight{200};

/// Ranks take the GPUs in turn: the others do not matter.
std::span<const machine::Gpu> takenOf(const std::vector<machine::Gpu>& gpus, int ranks)
{
    return std::span(gpus).first(std::min(gpus.size(), static_cast<std::size_t>(ranks)));
}

std::string useOfGpus(std::span<const machine::Gpu> gpus)
{
    std::string use = machine::foreignUse(gpus);
    if (!use.empty())
        std::cerr << "quadric-trainer: before the run, " << use << "; its result is marked disturbed\n";
    return use;
}

} // namespace

Surroundings lookAround(trainer::Workload& workload)
{
    Surroundings here{trainer::readMachine(), {}};
    if (workload.engine == EngineKind::Cuda || workload.engine == EngineKind::Automatic) {
        here.gpus = trainer::cuda::readCudaSupport();
        trainer::cuda::addGpuLimits(here.machine.limits, here.gpus);
    }
    workload.engine = trainer::chosenEngine(workload, here.machine.limits);
    return here;
}

namespace {

nlohmann::json deviceHello(const trainer::Workload& workload, const Surroundings& here)
{
    if (workload.engine == EngineKind::Simulated)
        return simulatedHello(workload);
    const bool hasGpus = !here.gpus.survey.gpus.empty();
    return workload.engine == EngineKind::Cuda && hasGpus ? gpuHello(here.gpus) : hello(here.machine);
}

} // namespace

nlohmann::json helloOf(const trainer::Workload& workload, const Surroundings& here)
{
    nlohmann::json event = deviceHello(workload, here);
    if (const std::optional<double> memory = trainer::estimateMemoryMib(workload))
        event["memory_estimate_mib"] = *memory;
    return event;
}

std::string whyOwnBaseline(const trainer::Workload& workload, const std::string& measuredOn,
                           const Surroundings& here)
{
    const std::string device = deviceHello(workload, here)["device"].value("name", "");
    if (measuredOn.empty() || measuredOn == device || !workload.usesGivenBaseline())
        return {};
    return "it was measured on " + measuredOn + ", and this is " + device;
}

trainer::Workload withOwnBaseline(trainer::Workload workload)
{
    workload.baselineRate.reset();
    workload.baselineHalfWidth.reset();
    return workload;
}

trainer::RankCpus cpusOfRanks(const trainer::Workload& workload, const Surroundings& here)
{
    const std::vector<machine::Core> cores = machine::readCores("/", machine::allowedCpus());
    if (workload.engine != EngineKind::Cuda)
        return trainer::shareOfCores(workload, cores, trainer::userBindsThreads());
    std::vector<int> nodes;
    for (const machine::Gpu& gpu : here.gpus.survey.gpus)
        nodes.push_back(machine::readNodeOfPci("/", gpu.pciId));
    return trainer::coresBesideGpus(workload.ranks, nodes, cores);
}

RunNotes notesBefore(const std::string& commandLine, EngineKind asked, const trainer::Workload& workload,
                     int ranksHere, const Surroundings& here)
{
    RunNotes notes{commandLine};
    if (workload.engine == EngineKind::Simulated)
        return notes;
    notes.foreignLoadPct = machine::foreignLoadPct(kPreflight);
    if (workload.engine == EngineKind::Cuda) {
        const std::span<const machine::Gpu> taken = takenOf(here.gpus.survey.gpus, ranksHere);
        notes.gpuUse = useOfGpus(taken);
        notes.gpus = describeSettings(taken);
    } else if (asked == EngineKind::Automatic)
        notes.engineChoice = "engine auto computes on the processor: " + here.gpus.whyNot;
    return notes;
}

} // namespace quadric::app
