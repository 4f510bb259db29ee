// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"
#include "core/trainer/gpu/cuda_support.h"
#include "core/trainer/measure/rank_group.h"
#include "core/trainer/workload/workload.h"
#include "event_output.h"

#include <nlohmann/json.hpp>

#include <span>
#include <string>
#include <vector>

namespace quadric::app {

/// Which GPUs computed, and how they were set: an array of objects.
nlohmann::json describeSettings(std::span<const machine::Gpu> gpus);

/// What of their settings makes GPUs of one run unequal, or slower than they could be; sentences without
/// their full stop. The slowest of all decides how fast a run is.
std::vector<std::string> findGpuWarnings(const nlohmann::json& settings);

/// The machine that a run is started on. GPUs are looked for only where the run may use them.
struct Surroundings {
    trainer::Machine machine;
    trainer::cuda::CudaSupport gpus;
};

/// Looks at the machine, and turns the automatic engine of the workload into the one that it gets here.
Surroundings surveyMachine(trainer::Workload& workload);

/// Who is going to compute, and how much memory it is expected to need: said before anything can fail.
nlohmann::json makeHelloEvent(const trainer::Workload& workload, const Surroundings& here);

/// Why the baseline that the workload is given does not count: it was measured on another kind of device than
/// rank 0 has. Empty where it does, or none is given.
std::string whyOwnBaseline(const trainer::Workload& workload, const std::string& measuredOn,
                           const Surroundings& here);

/// The processors of each rank where this host computes all of them: near its memory, or its GPU.
trainer::RankCpus assignRankCpus(const trainer::Workload& workload, const Surroundings& here);

/// What is to be remembered of the time before the run. `asked` is the engine before surveyMachine(),
/// `ranksHere` how many ranks this host computes. Who uses their GPUs is also said on standard error.
RunNotes makeRunNotes(const std::string& commandLine, trainer::EngineKind asked,
                      const trainer::Workload& workload, int ranksHere, const Surroundings& here);

} // namespace quadric::app
