// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/convolution_plans.h"
#include "core/trainer/cuda/dense.h"
#include "core/trainer/cuda/kernels/kernels.h"
#include "core/trainer/cuda/stream.h"
#include "core/trainer/gpu/step_plan.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace quadric::trainer::cuda {

/// Forward and backward pass of a planned step on the current GPU. Values and gradients of the parameters are
/// fp32 and lie in flat arenas; weights of convolutions lie there as outputs × height × width × inputs. With
/// 16-bit precisions the layers read rounded copies.
class CudaNetwork {
public:
    /// Takes all memory and chooses the plans of the convolutions, with all ranks of `collective`; `driver`
    /// is its version, for which choices are kept. Throws Failure (out-of-memory, internal).
    CudaNetwork(StepPlan plan, const Stream& stream, Collective& collective, const std::string& driver);

    const StepPlan& plan() const { return m_plan; }
    const PlanRecord& planRecord() const { return m_planRecord; }
    /// A batch as images × channels × height × width, and one class per image.
    void setBatch(std::span<const float> images, std::span<const int> labels);
    /// One tensor in the plain order of its dimensions.
    void setValue(std::size_t parameter, std::span<const float> plain);
    std::vector<float> gradient(std::size_t parameter) const;
    /// Makes the rounded copies after values were set, and starts the scale of the loss anew.
    void finishValues();

    float* values() const { return m_values.as<float>(); }
    float* gradients() const { return m_gradients.as<float>(); }
    void* rounded() const { return m_rounded.data(); } ///< null for fp32
    LossScale* lossScale() const { return m_lossScale.as<LossScale>(); }
    float* loss() const { return m_loss.as<float>(); }

    // These put work into the stream. With `accumulates`, loss and gradients are added to those before.
    void forward(bool accumulates) const;
    /// `finished(bucket)` is called as soon as the work that completes a bucket is in the stream.
    void backward(bool accumulates, const std::function<void(std::size_t)>& finished = {}) const;

private:
    struct LayerPlans {
        std::optional<ConvolutionPlan> forward;
        std::optional<ConvolutionPlan> inputGradient;
        std::optional<ConvolutionPlan> weightGradient;
    };

    using ConvolutionVisitor = std::function<void(const ConvolutionTask&, std::optional<ConvolutionPlan>&)>;

    /// Visits each pass of each convolution, with the place of its plan.
    void forConvolutions(const ConvolutionVisitor& visit);
    void planConvolutions(Collective& collective, const std::string& driver);
    void forwardLayer(std::size_t index) const;
    void backwardLayer(std::size_t index, const GradientTarget& target) const;
    void convolveBack(std::size_t index, const GradientTarget& target) const;
    void normalizeBack(const PlannedLayer& layer, const GradientTarget& target) const;
    void multiplyBack(const PlannedLayer& layer, const GradientTarget& target) const;
    void execute(const ConvolutionPlan& plan, const ConvolutionTensors& tensors) const;

    void* at(const Block& block) const { return m_arena.as<std::byte>(block.offset); }
    void* inputOf(const PlannedLayer& layer) const
    {
        return layer.input ? at(*layer.input) : m_images.data();
    }
    /// Value as the layers read it, and the place where they put a gradient before it is finished.
    void* weight(std::size_t parameter) const;
    void* computedGradient(std::size_t parameter) const;
    float* value(std::size_t parameter) const { return values() + m_plan.spans[parameter].offset; }
    float* gradientAt(std::size_t parameter) const { return gradients() + m_plan.spans[parameter].offset; }
    NormLayer normLayer(const PlannedLayer& layer) const;
    PoolLayer poolLayer(const PlannedLayer& layer) const;
    LossRows lossRows() const;

    StepPlan m_plan;
    const Stream& m_stream;
    Precision m_precision;
    DeviceMemory m_arena, m_images, m_labels, m_rowLosses, m_loss, m_lossScale;
    DeviceMemory m_values, m_rounded, m_gradients, m_computed;
    DeviceMemory m_means, m_inverseDeviations, m_partials, m_coefficients, m_workspace;
    CudnnHandle m_cudnn;
    Dense m_dense;
    std::vector<LayerPlans> m_plans; ///< by layer
    PlanRecord m_planRecord;
};

} // namespace quadric::trainer::cuda
