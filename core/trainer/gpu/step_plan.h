// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/workload/network.h"
#include "core/trainer/workload/workload.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace quadric::trainer::cuda {

/// A stretch of device memory, in bytes from the start of the arena that it lies in.
struct Block {
    std::size_t offset = 0;
    std::size_t bytes = 0;
    friend bool operator==(const Block&, const Block&) = default;
};

/// Hands out stretches of an arena that does not exist yet: a plan is made first, then as much memory as it
/// needs at most is taken at once.
class OffsetAllocator {
public:
    static constexpr std::size_t kAlignment = 256; ///< what vector loads and cuDNN like best

    /// The smallest free stretch that is large enough, or new space at the end.
    Block allocate(std::size_t bytes);
    /// Throws std::logic_error for a stretch that is not handed out.
    void release(const Block& block);
    /// Size of the arena that everything handed out so far fits into.
    std::size_t arenaBytes() const { return m_end; }

private:
    std::map<std::size_t, std::size_t> m_free; ///< offset → bytes
    std::map<std::size_t, std::size_t> m_used;
    std::size_t m_end = 0;
};

/// One layer as the GPU computes it. A sum is part of the batch normalization before it, so that kinds are
/// those of LayerKind without Add. Maps lie in memory as images × height × width × channels.
struct PlannedLayer {
    LayerKind kind = LayerKind::Convolution;
    std::string name;
    int kernel = 1;
    int stride = 1;
    int padding = 0;
    bool relu = false;
    Shape in;
    Shape out;
    std::optional<Block> input;    ///< nothing: the images
    Block output;                  ///< fp32 for the dense layer at the end, otherwise of the plan's precision
    std::optional<Block> shortcut; ///< BatchNorm: second summand
    std::optional<Block> choices;  ///< MaxPool: place of the maximum in its window, one byte an output
    std::size_t parameter = 0;     ///< index of the first of its parameters, where it has some
    std::size_t statistics = 0;    ///< BatchNorm: its first channel among the channels of all of them

    /// One or two gradients of the output; their sum is meant.
    std::vector<Block> outputGradients;
    std::optional<Block> inputGradient; ///< nothing where nobody reads it; may lie on an output gradient
    std::optional<Block> shortcutGradient;
    std::vector<std::size_t> finishedBuckets; ///< buckets that are complete after its backward pass
};

/// A training step on a GPU before there is any memory: layers in the order of the forward pass (the backward
/// pass goes the other way), where everything lies, and when each bucket of gradients may leave.
struct StepPlan {
    StepShape shape;
    int classes = 0;
    std::vector<PlannedLayer> layers;
    std::vector<Parameter> parameters;
    std::vector<ArenaSpan> spans; ///< of the parameters, in numbers
    std::vector<Bucket> buckets;  ///< in the order in which they complete
    std::size_t arenaBytes = 0; ///< activations and their gradients; later ones reuse memory of earlier ones
    std::size_t channels = 0;   ///< of all batch normalizations
    std::size_t parameterCount() const
    {
        return spans.empty() ? 0 : spans.back().offset + spans.back().count;
    }
};

/// Bytes of a number of activations.
std::size_t bytesOf(Precision precision);

/// Plans a step. `bucketBytes` as for makeBuckets(). Throws std::invalid_argument for a network whose layers
/// do not fit together, whose last layer is not dense, or whose sums do not follow a batch normalization that
/// nothing else reads.
StepPlan planStep(const Network& network, const StepShape& shape, std::size_t bucketBytes);

/// Scratch memory that a convolution may use, in bytes, where `free` are left once the step has its own: the
/// largest power of two of at most half of them, so that NCCL finds the other half, and at most 2 GiB. The
/// steps of two make runs that differ a little in memory choose among the same plans.
std::size_t workspaceLimit(std::size_t free);

/// What one rank is going to keep in the memory of its GPU, in bytes. Activations come from the plan of the
/// step; the rest of the process (context, kernels, 512 MiB of scratch memory of the convolutions, buffers of
/// NCCL) is a generous guess.
MemoryEstimate estimateGpuMemory(const Workload& workload, const Network& network);

} // namespace quadric::trainer::cuda
