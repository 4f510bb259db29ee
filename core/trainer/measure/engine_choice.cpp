// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/measure/engine_choice.h"

#include "core/trainer/base/failure.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/gpu/cuda_support.h"

namespace quadric::trainer {

std::unique_ptr<Engine> makeEngine(const Workload& workload, Collective& collective)
{
    switch (workload.engine) {
    case EngineKind::Cpu:
        return makeCpuEngine(workload, collective);
    case EngineKind::Cuda:
        return cuda::makeCudaEngine(workload, collective);
    case EngineKind::Simulated:
    case EngineKind::Automatic:
        break;
    }
    throw Failure(kInternal, "this engine does not compute steps");
}

} // namespace quadric::trainer
