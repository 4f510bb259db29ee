// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/convolution_timing.h"

#include "core/trainer/cuda/device_memory.h"
#include "core/trainer/cuda/kernels/check.h"

#include <algorithm>
#include <limits>

namespace quadric::trainer::cuda {

namespace {

constexpr double kTimedMs = 5.0;
constexpr int kMostRuns = 256; ///< of 20 µs each, as short as a convolution gets
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

std::vector<ConvolutionPlan> ConvolutionTimer::proposals(const ConvolutionProblem& problem,
                                                         std::size_t most) const
{
    return proposePlans({m_handle.get()}, problem, most, m_workspaceLimit);
}

PlanChoice ConvolutionTimer::fastest(const ConvolutionProblem& problem,
                                     const ConvolutionTensors& tensors) const
{
    std::vector<ConvolutionPlan> plans = proposals(problem);
    std::string kind = kInternal;
    for (ConvolutionPlan& plan : plans)
        plan.milliseconds = milliseconds(plan, tensors, kind);
    const auto best = std::ranges::min_element(plans, {}, &ConvolutionPlan::milliseconds);
    if (best == plans.end() || best->milliseconds == kFailed)
        throw Failure(kind, "cuDNN has no plan for the convolution " + keyOf(problem));
    return {static_cast<std::size_t>(best - plans.begin()), best->engine};
}

/// Of one run, as the mean over at least kTimedMs; a plan that fails when it runs, or finds no scratch
/// memory, is as slow as can be, and `failure` gets the kind.
double ConvolutionTimer::milliseconds(const ConvolutionPlan& plan, const ConvolutionTensors& tensors,
                                      std::string& failure) const
{
    try {
        const DeviceMemory workspace(plan.workspaceBytes);
        execute(m_handle.get(), plan, tensors, workspace.data()); // loads the kernel
        int runs = 1;
        for (;;) {
            const double all = millisecondsOf(runs, plan, tensors, workspace.data());
            if (all >= kTimedMs || runs >= kMostRuns)
                return all / runs;
            runs = std::clamp(static_cast<int>(1.1 * kTimedMs * runs / std::max(all, 1e-6)), runs + 1,
                              kMostRuns);
        }
    } catch (const Failure& thrown) {
        failure = thrown.kind();
        return kFailed;
    }
}

double ConvolutionTimer::millisecondsOf(int runs, const ConvolutionPlan& plan,
                                        const ConvolutionTensors& tensors, void* workspace) const
{
    const Event begin;
    const Event end;
    m_stream.note(begin);
    for (int run = 0; run < runs; ++run)
        execute(m_handle.get(), plan, tensors, workspace);
    m_stream.note(end);
    m_stream.wait();
    return millisecondsBetween(begin, end);
}

} // namespace quadric::trainer::cuda
