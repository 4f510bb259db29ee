// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/cpu/dnnl_interface.h"
#include "core/trainer/workload/network.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace quadric::trainer {

/// Memory that lives as long as the pool and is given out again once nobody claims it. Claims matter only
/// while a plan is built: whoever runs later reuses the bytes of whoever has finished by then.
class BufferPool {
public:
    using Claim = std::shared_ptr<std::byte>;

    /// A zeroed or reused buffer of at least that many bytes and less than twice as many, aligned to a cache
    /// line. It returns to the pool when the last copy of the claim is gone. Throws std::bad_alloc.
    Claim claim(std::size_t bytes);

    /// A zeroed buffer that nobody has had before.
    Claim claimNew(std::size_t bytes);

    std::size_t bytes() const;

    /// Sum of what was asked for so far: what the pool would hold if nothing were given out twice.
    std::size_t claimedBytes() const { return m_claimedBytes; }

private:
    struct Free {
        void operator()(std::byte* memory) const;
    };
    struct Buffer {
        std::unique_ptr<std::byte, Free> memory;
        std::size_t bytes = 0;
        bool claimed = false;
    };
    using Buffers = std::vector<std::unique_ptr<Buffer>>;

    static Claim handOut(const std::shared_ptr<Buffers>& buffers, Buffer* buffer);
    Claim addBuffer(std::size_t bytes);

    std::size_t m_claimedBytes = 0;
    std::shared_ptr<Buffers> m_buffers = std::make_shared<Buffers>();
};

/// One oneDNN primitive with everything that it reads and writes.
struct DnnlOp {
    dnnl::primitive primitive;
    std::unordered_map<int, dnnl::memory> arguments;
};

/// A trained tensor: where it and its gradient lie in the arenas, in the layout that the convolutions want.
struct DnnlParameter {
    dnnl::memory value;
    dnnl::memory gradient;
    dnnl::memory::desc plain; ///< the same tensor in the plain order of its dimensions
    ArenaSpan span;
};

/// The backward work of one layer. Once it has run, all gradients from `finishedFrom` to the end of the arena
/// are final.
struct DnnlBackwardStep {
    std::vector<DnnlOp> ops;
    std::size_t finishedFrom = 0;
};

/// A training step of one network, batch and image size as two lists of primitives over memory that the plan
/// owns.
struct DnnlPlan {
    dnnl::engine engine{dnnl::engine::kind::cpu, 0};
    std::vector<DnnlOp> forward;
    std::vector<DnnlBackwardStep> backward;
    std::vector<DnnlParameter> parameters;
    dnnl::memory images;         ///< batch × channels × height × width
    dnnl::memory logits;         ///< batch × classes
    dnnl::memory logitGradients; ///< batch × classes
    std::vector<float> values;   ///< arena of the parameters
    std::vector<float> gradients;
    std::vector<std::string> warnings; ///< slow implementations, in words
    std::uint64_t layoutHash = 0;      ///< equal on two machines when their arenas can be added
    BufferPool buffers;
    std::vector<BufferPool::Claim> claims;
    std::size_t forwardBytes = 0; ///< of the buffers, taken by the forward pass
    std::size_t backwardAtWork =
        0; ///< most that a layer's backward pass asks for and finds waiting, in bytes
};

/// Plans the step; memory of layers whose backward pass is over serves for the gradients of earlier ones.
/// Throws std::invalid_argument for a network that cannot be computed (layers that do not fit, last layer not
/// dense), dnnl::error and std::bad_alloc.
DnnlPlan planTrainingStep(const Network& network, const StepShape& shape);

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
    const Shape& shapeOf(int value) const
    {
        return value == kImages ? m_shape.image : m_shapes.at(static_cast<std::size_t>(value));
    }
    dnnl::memory activation(int value) const
    {
        return value == kImages ? m_plan.images : m_activations.at(static_cast<std::size_t>(value));
    }

    /// Layout of a feature map: blocks of 16 channels with AVX-512, of 8 otherwise.
    dnnl::memory::desc blocked(const Shape& shape) const
    {
        return {{batch(), shape.channels, shape.height, shape.width}, m_number, m_blockedTag};
    }
    /// Memory of the layer at work: of its forward pass until its backward pass is over, of its backward pass
    /// just as long.
    dnnl::memory newMemory(const dnnl::memory::desc& desc);
    void setActivation(int value, const dnnl::memory& memory)
    {
        m_activations.at(static_cast<std::size_t>(value)) = memory;
    }
    /// Whether a value is read by a single layer and not by the backward pass of the one that made it: the
    /// output of a batch normalization without ReLU.
    bool isReadOnlyOnce(int value) const;
    /// Gives the memory of such a value back.
    void releaseOutput(int value);

    /// Adds the next trained tensor in network order, in fp32: in `layout` where that is fp32, otherwise
    /// plain.
    DnnlParameter& addParameter(const dnnl::memory::desc& layout, const dnnl::memory::desc& plain);

    void forward(const dnnl::primitive& primitive, Arguments arguments)
    {
        m_plan.forward.push_back({primitive, std::move(arguments)});
    }
    void backward(const dnnl::primitive& primitive, Arguments arguments)
    {
        m_plan.backward.back().ops.push_back({primitive, std::move(arguments)});
    }
    /// The same values in the wanted layout; adds a reorder where the layouts differ.
    dnnl::memory forwardIn(const dnnl::memory::desc& wanted, const dnnl::memory& memory);
    dnnl::memory backwardIn(const dnnl::memory::desc& wanted, const dnnl::memory& memory);
    void backwardReorder(const dnnl::memory& from, const dnnl::memory& to)
    {
        m_plan.backward.back().ops.push_back(reorderOp(from, to));
    }

    GradientBuffer newGradient(const dnnl::memory::desc& desc);
    /// The same gradient in the wanted layout; adds a reorder where the layouts differ.
    GradientBuffer gradientIn(const dnnl::memory::desc& wanted, const GradientBuffer& gradient);
    /// The finished gradient of a layer's output; the layer may overwrite it when it is not shared.
    GradientBuffer takeGradient(int value)
    {
        return std::move(m_gradients.at(static_cast<std::size_t>(value)));
    }
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
