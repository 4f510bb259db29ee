// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/workload.h"

#include "core/trainer/base/failure.h"
#include "core/trainer/workload/knobs.h"

namespace quadric::trainer {

Workload resolved(Workload workload)
{
    if (workload.scaling == Scaling::Weak)
        return workload;
    const long shares = static_cast<long>(workload.ranks) * workload.aggregation;
    if (workload.globalBatch < shares)
        throw Failure(kBadSettings, "global_batch " + std::to_string(workload.globalBatch) +
                                        ": strong scaling needs at least one image for each of the " +
                                        std::to_string(shares) + " micro-batches (ranks × aggregation)");
    workload.batchPerRank = static_cast<int>(workload.globalBatch / shares);
    return workload;
}

Workload baselineOf(const Workload& workload)
{
    Workload alone = workload;
    alone.ranks = 1;
    alone.shortLook.reset(); // a baseline is always measured in full
    if (workload.scaling == Scaling::Strong)
        alone.aggregation = workload.aggregation * workload.ranks;
    return alone;
}

Workload sharedBaselineOf(const Workload& workload)
{
    Workload alone = baselineOf(workload);
    for (const KnobAccess& access : knobs()) {
        if (access.knob.oneRank == workload::OneRank::Ignores)
            setKnob(alone, access, std::string(access.knob.usual));
    }
    return alone;
}

EngineKind chosenEngine(const Workload& workload, const MachineLimits& limits)
{
    if (workload.engine != EngineKind::Automatic)
        return workload.engine;
    if (limits.whyNoGpu.empty())
        return EngineKind::Cuda;
    return limits.whyNoCpu.empty() ? EngineKind::Cpu : EngineKind::Automatic;
}

} // namespace quadric::trainer
