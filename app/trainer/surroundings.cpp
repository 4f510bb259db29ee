// SPDX-License-Identifier: GPL-3.0-or-later
#include "surroundings.h"

#include "core/trainer/contention.h"

namespace quadric::app {

using trainer::EngineKind;

namespace {

constexpr std::chrono::milliseconds kPreflight{200};

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

nlohmann::json helloOf(const trainer::Workload& workload, const Surroundings& here)
{
    if (workload.engine == EngineKind::Simulated)
        return simulatedHello(workload);
    const bool hasGpus = !here.gpus.survey.gpus.empty();
    return workload.engine == EngineKind::Cuda && hasGpus ? gpuHello(here.gpus) : hello(here.machine);
}

RunNotes notesBefore(const std::string& commandLine, EngineKind asked, const trainer::Workload& workload,
                     const Surroundings& here)
{
    RunNotes notes{commandLine};
    if (workload.engine == EngineKind::Simulated)
        return notes;
    notes.foreignLoadPct = trainer::foreignLoadPct(kPreflight);
    if (workload.engine == EngineKind::Cuda)
        notes.gpuUse = trainer::cuda::foreignUse(here.gpus.survey.gpus);
    else if (asked == EngineKind::Automatic)
        notes.engineChoice = "engine auto computes on the processor: " + here.gpus.whyNot;
    return notes;
}

} // namespace quadric::app
