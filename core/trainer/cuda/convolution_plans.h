// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/convolution_timing.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/exchange/plan_record.h"
#include "core/trainer/gpu/convolution_choices.h"

#include <map>
#include <string>
#include <vector>

namespace quadric::trainer::cuda {

/// A convolution of the step: what it computes, and memory to time it in, which is overwritten.
struct ConvolutionTask {
    ConvolutionProblem problem;
    ConvolutionTensors tensors;
};

/// The plans of a step, by keyOf() of their problems.
struct ConvolutionPlans {
    std::map<std::string, ConvolutionPlan> plans;
    PlanRecord record;

    const ConvolutionPlan& of(const ConvolutionProblem& problem) const { return plans.at(keyOf(problem)); }
    std::size_t workspaceBytes() const; ///< of the plan that needs most
};

/// Chooses plans on all ranks together: the first rank of each kind of GPU, driver and cuDNN takes what an
/// earlier run has found or times the plans, and all ranks of that kind use its choice. So ranks compute with
/// equal kernels, and repeated runs too. `tasks` are the same on all ranks. Throws Failure.
ConvolutionPlans choosePlans(const std::vector<ConvolutionTask>& tasks, const CudnnHandle& handle,
                             const Stream& stream, Collective& collective, const std::string& driver);

} // namespace quadric::trainer::cuda
