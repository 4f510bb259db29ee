// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cpu/dnnl_interface.h"
#include "core/trainer/cpu/dnnl_plan.h"

namespace quadric::trainer {

/// Memory for a gradient of an activation, with the claim that keeps it from being reused.
struct GradientBuffer {
    dnnl::memory memory;
    BufferPool::Claim claim;
    bool isShared() const { return claim.use_count() > 1; }
};

/// What the layers need while they put themselves into a plan: shapes, activations, parameters, and the
/// gradients that flow backward. Values are named by the index of the layer that makes them.
class DnnlBuilder {
public:
    using Arguments = std::unordered_map<int, dnnl::memory>;

    DnnlBuilder(DnnlPlan& plan, const Network& network, const StepShape& shape);

    const dnnl::engine& engine() const { return m_plan.engine; }
    int batch() const { return m_shape.batch; }
    /// Number format of activations and of the weights that convolutions read; parameters are always fp32.
    dnnl::memory::data_type number() const { return m_number; }
    const Shape& shapeOf(int value) const;
    dnnl::memory activation(int value) const;

    /// Layout of a feature map: blocks of 16 channels with AVX-512, of 8 otherwise.
    dnnl::memory::desc blocked(const Shape& shape) const;
    /// Memory of the layer at work: of its forward pass until its backward pass is over, of its backward pass
    /// just as long.
    dnnl::memory newMemory(const dnnl::memory::desc& desc);
    void setActivation(int value, const dnnl::memory& memory);
    /// Whether a value is read by a single layer and not by the backward pass of the one that made it: the
    /// output of a batch normalization without ReLU.
    bool isReadOnlyOnce(int value) const;
    /// Gives the memory of such a value back.
    void releaseOutput(int value);

    /// Adds the next trained tensor in network order, in fp32: in `layout` where that is fp32, otherwise
    /// plain.
    DnnlParameter& addParameter(const dnnl::memory::desc& layout, const dnnl::memory::desc& plain);

    void forward(const dnnl::primitive& primitive, Arguments arguments);
    void backward(const dnnl::primitive& primitive, Arguments arguments);
    /// The same values in the wanted layout; adds a reorder where the layouts differ.
    dnnl::memory forwardIn(const dnnl::memory::desc& wanted, const dnnl::memory& memory);
    dnnl::memory backwardIn(const dnnl::memory::desc& wanted, const dnnl::memory& memory);
    void backwardReorder(const dnnl::memory& from, const dnnl::memory& to);

    GradientBuffer newGradient(const dnnl::memory::desc& desc);
    /// The same gradient in the wanted layout; adds a reorder where the layouts differ.
    GradientBuffer gradientIn(const dnnl::memory::desc& wanted, const GradientBuffer& gradient);
    /// The finished gradient of a layer's output; the layer may overwrite it when it is not shared.
    GradientBuffer takeGradient(int value);
    /// Adds to the gradient of a value. What flows to the images is dropped.
    void giveGradient(int value, GradientBuffer gradient);

    void beginForward(int layer) { m_layer = layer; }
    /// Opens the list of backward primitives of a layer (last layer first).
    void beginBackward(int layer);
    /// Gives back all memory of the layer, which nothing reads any more in this step.
    void endBackward();
    /// Notes a slow reference implementation.
    void check(const std::string& layer, const std::string& implementation);

private:
    /// Size of the gradients that later backward passes are going to take.
    std::size_t waitingGradientBytes() const;
    DnnlOp reorderOp(const dnnl::memory& from, const dnnl::memory& to);
    BufferPool::Claim claimFor(const dnnl::memory::desc& desc);

    DnnlPlan& m_plan;
    std::vector<Shape> m_shapes;
    std::vector<Layer> m_layers;
    std::vector<int> m_readers; ///< how many layers read each value
    StepShape m_shape;
    dnnl::memory::data_type m_number;
    dnnl::memory::format_tag m_blockedTag;
    int m_layer = 0; ///< at work
    std::size_t m_bytesBefore =
        0; ///< claimed before its backward pass, without the gradients that wait for it
    std::vector<std::vector<BufferPool::Claim>> m_owned;
    std::vector<dnnl::memory> m_activations;
    std::vector<GradientBuffer> m_gradients;
};

/// Whether an implementation name means oneDNN's slow fallback code.
bool isReferenceImplementation(const std::string& name);

} // namespace quadric::trainer
