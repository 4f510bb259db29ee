// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/convolution_timing.h"

#include "core/trainer/cuda/check.h"
#include "core/trainer/cuda/device_memory.h"
#include "core/trainer/gpu/gpu_memory.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace quadric::trainer::cuda {

namespace {

constexpr std::size_t kPlans = 10;
constexpr int kTimedRuns = 3;
constexpr double kFailed = std::numeric_limits<double>::infinity();

cudnnHandle_t newHandle(const Stream& stream)
{
    cudnnHandle_t handle = nullptr;
    QUADRIC_CHECKED(cudnnCreate(&handle));
    QUADRIC_CHECKED(cudnnSetStream(handle, stream.get()));
    return handle;
}

} // namespace

CudnnHandle::CudnnHandle(const Stream& stream)
    : m_handle(newHandle(stream))
{
}

ConvolutionPlan ConvolutionTimer::fastest(const ConvolutionProblem& problem,
                                          const ConvolutionTensors& tensors)
{
    return m_cache.get(keyOf(problem), [&] { return timeAll(problem, tensors); });
}

ConvolutionPlan ConvolutionTimer::timeAll(const ConvolutionProblem& problem,
                                          const ConvolutionTensors& tensors) const
{
    std::vector<ConvolutionPlan> plans = proposePlans(m_handle.get(), problem, kPlans, kWorkspaceLimit);
    std::string kind = kInternal;
    for (ConvolutionPlan& plan : plans)
        plan.milliseconds = milliseconds(plan, tensors, kind);
    const auto best = std::ranges::min_element(plans, {}, &ConvolutionPlan::milliseconds);
    if (best == plans.end() || best->milliseconds == kFailed)
        throw Failure(kind, "cuDNN has no plan for the convolution " + keyOf(problem));
    return *best;
}

/// The shortest of some runs; a plan that fails when it runs, or finds no scratch memory, is as slow as can
/// be, and `failure` gets the kind.
double ConvolutionTimer::milliseconds(const ConvolutionPlan& plan, const ConvolutionTensors& tensors,
                                      std::string& failure) const
{
    try {
        const DeviceMemory workspace(plan.workspaceBytes);
        const Event begin;
        const Event end;
        double shortest = kFailed;
        execute(m_handle.get(), plan, tensors, workspace.data()); // loads the kernel
        for (int run = 0; run < kTimedRuns; ++run) {
            m_stream.note(begin);
            execute(m_handle.get(), plan, tensors, workspace.data());
            m_stream.note(end);
            m_stream.wait();
            shortest = std::min(shortest, millisecondsBetween(begin, end));
        }
        return shortest;
    } catch (const Failure& thrown) {
        failure = thrown.kind();
        return kFailed;
    }
}

} // namespace quadric::trainer::cuda
