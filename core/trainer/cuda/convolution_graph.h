// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/number_format.h"
#include "core/trainer/workload/network.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <cudnn.h>

namespace quadric::trainer::cuda {

/// A descriptor of cuDNN's graph API. It is filled attribute by attribute, then finished. Copies are the same
/// descriptor; it keeps those alive that it refers to.
class GraphDescriptor {
public:
    explicit GraphDescriptor(cudnnBackendDescriptorType_t type);

    cudnnBackendDescriptor_t get() const { return m_descriptor.get(); }
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
             const void* values);
    void set(cudnnBackendAttributeName_t name, const GraphDescriptor& other);
    void set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values);
    void keep(const GraphDescriptor& other) { m_parts.push_back(other); }
    void finish();
    /// Whether cuDNN takes the descriptor; it does not where a plan is not supported here.
    bool tryFinish();

private:
    std::shared_ptr<void> m_descriptor;
    std::vector<GraphDescriptor> m_parts;
};

enum class ConvolutionPass { Forward, InputGradient, WeightGradient };

/// One pass of one convolution.
struct ConvolutionProblem {
    ConvolutionPass pass = ConvolutionPass::Forward;
    Precision precision = Precision::Fp32;
    int batch = 1;
    Shape in;
    Shape out;
    int kernel = 1;
    int stride = 1;
    int padding = 0;
};

/// Equal for passes that the same plan computes.
std::string keyOf(const ConvolutionProblem& problem);

// Identifiers of the tensors of a convolution, whatever the pass.
inline constexpr std::int64_t kInputTensor = 1;
inline constexpr std::int64_t kWeightTensor = 2;
inline constexpr std::int64_t kOutputTensor = 3;

/// A plan that can be executed, and the scratch memory that it needs.
struct ConvolutionPlan {
    GraphDescriptor plan;
    std::size_t workspaceBytes = 0;
    std::string engine = {};   ///< see engineName()
    double milliseconds = 0.0; ///< as it was timed; 0 before
};

/// What plans are made for: the GPU of a handle, or one that is described (cuDNN 9.8) and need not be here;
/// its plans cannot be executed.
struct PlanTarget {
    cudnnHandle_t handle = nullptr;
    std::optional<GraphDescriptor> device = std::nullopt; ///< see describedDevice()
};

/// A GPU as cuDNN's JSON describes one. Throws Failure where this cuDNN does not understand it.
GraphDescriptor describedDevice(const std::string& json);

/// The plans that cuDNN holds best for a problem, best first, at most `most`, and none that needs more
/// scratch memory than `workspaceLimit`. With fp32 only plans that really multiply in fp32, with tf32 none
/// that rounds to 16 bits: others are passed over before the best are taken.
std::vector<ConvolutionPlan> proposePlans(const PlanTarget& target, const ConvolutionProblem& problem,
                                          std::size_t most, std::size_t workspaceLimit);

/// The tensors of a convolution in memory: maps as images × height × width × channels, weights as outputs ×
/// height × width × inputs.
struct ConvolutionTensors {
    void* input = nullptr;
    void* weight = nullptr;
    void* output = nullptr;
};
/// Puts one execution into the handle's stream.
void execute(cudnnHandle_t handle, const ConvolutionPlan& plan, const ConvolutionTensors& tensors,
             void* workspace);

} // namespace quadric::trainer::cuda
