// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/convolution_graph.h"
#include "core/trainer/cuda/stream.h"
#include "core/trainer/gpu/plan_cache.h"

#include <cstddef>
#include <string>

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
    ConvolutionTimer(const CudnnHandle& handle, const Stream& stream)
        : m_handle(handle)
        , m_stream(stream)
    {
    }

    /// The fastest plan for a problem; timed once for equal problems. What `tensors` point to is overwritten.
    /// Throws Failure: internal where cuDNN has no plan, out-of-memory where none finds scratch memory.
    ConvolutionPlan fastest(const ConvolutionProblem& problem, const ConvolutionTensors& tensors);

private:
    ConvolutionPlan timeAll(const ConvolutionProblem& problem, const ConvolutionTensors& tensors) const;
    double milliseconds(const ConvolutionPlan& plan, const ConvolutionTensors& tensors,
                        std::string& failure) const;

    const CudnnHandle& m_handle;
    const Stream& m_stream;
    PlanCache<ConvolutionPlan> m_cache;
};

} // namespace quadric::trainer::cuda
