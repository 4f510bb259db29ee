// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/convolution_graph.h"
#include "core/trainer/cuda/stream.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/exchange/engine.h"
#include "core/trainer/gpu/convolution_choices.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace quadric::trainer::cuda {

/// A handle of cuDNN that puts its work into one stream.
class CudnnHandle {
public:
    explicit CudnnHandle(const Stream& stream);
    cudnnHandle_t get() const { return m_handle.get(); }

private:
    struct Destroy {
        void operator()(cudnnHandle_t handle) const noexcept { cudnnDestroy(handle); }
    };
    std::unique_ptr<cudnnContext, Destroy> m_handle;
};

/// Finds the fastest of cuDNN's ten first plans by running them.
class ConvolutionTimer {
public:
    /// Plans that need more scratch memory than `workspaceLimit` are none.
    ConvolutionTimer(const CudnnHandle& handle, const Stream& stream, std::size_t workspaceLimit)
        : m_handle(handle)
        , m_stream(stream)
        , m_workspaceLimit(workspaceLimit)
    {
    }

    /// What cuDNN proposes for a problem, best first; at most the first `most`.
    std::vector<ConvolutionPlan> proposals(const ConvolutionProblem& problem,
                                           std::size_t most = kTimedPlans) const;
    /// Runs each plan for 5 ms. What `tensors` point to is overwritten. Throws Failure: internal where cuDNN
    /// has no plan, out-of-memory where none finds scratch memory.
    PlanChoice fastest(const ConvolutionProblem& problem, const ConvolutionTensors& tensors) const;

    static constexpr std::size_t kTimedPlans = 10;

private:
    double milliseconds(const ConvolutionPlan& plan, const ConvolutionTensors& tensors,
                        std::string& failure) const;
    double millisecondsOf(int runs, const ConvolutionPlan& plan, const ConvolutionTensors& tensors,
                          void* workspace) const;

    const CudnnHandle& m_handle;
    const Stream& m_stream;
    std::size_t m_workspaceLimit;
};

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
