// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/gpu.h"
#include "core/trainer/exchange/engine.h"

namespace quadric::trainer::cuda {

/// What this machine can measure on GPUs.
struct CudaSupport {
    machine::GpuSurvey survey; ///< GPUs that CUDA_VISIBLE_DEVICES leaves
    std::string versions;      ///< of the libraries; empty where they cannot be loaded
    std::string whyNot;        ///< a sentence without its full stop; empty where GPUs are measured
};
CudaSupport readCudaSupport();

/// Puts the answers of the driver and of the module together; the driver's reason comes first, because
/// without a GPU no module helps.
CudaSupport joined(machine::GpuSurvey survey, const std::string& moduleVersions,
                   const std::string& moduleWhyNot);

/// In a sentence or two: what can be measured on the GPUs, or why nothing.
std::string measuredWords(const CudaSupport& support);

/// The same after a list of the GPUs.
std::string describe(const CudaSupport& support);

/// Fills in what the GPUs allow.
void addGpuLimits(MachineLimits& limits, const CudaSupport& support);

/// The engine that computes on GPUs. Throws Failure: bad-settings where there are none, out-of-memory,
/// communication, internal.
std::unique_ptr<Engine> makeCudaEngine(const Workload& workload, Collective& collective);

} // namespace quadric::trainer::cuda
