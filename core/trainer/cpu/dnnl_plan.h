// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/gradient_arena.h"
#include "core/trainer/cpu/buffer_pool.h"
#include "core/trainer/workload/step_shape.h"

#include <oneapi/dnnl/dnnl.hpp>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace quadric::trainer {

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

} // namespace quadric::trainer
