// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/workload/network.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace quadric::trainer {

/// Forward and backward pass of a network on this machine's CPU (oneDNN). Parameters and gradients are fp32
/// and lie in two flat arenas of equal layout, in network order; the layout of a tensor inside depends on the
/// CPU. With bf16 activations and their gradients have 16 bits, and products are added in fp32.
class CpuNetwork {
public:
    /// Throws std::invalid_argument for a network that cannot be computed, std::bad_alloc, std::runtime_error
    /// from oneDNN.
    CpuNetwork(const Network& network, const StepShape& shape);
    ~CpuNetwork();
    CpuNetwork(const CpuNetwork&) = delete;
    CpuNetwork& operator=(const CpuNetwork&) = delete;

    const std::vector<Parameter>& parameters() const { return m_parameters; }
    std::vector<ArenaSpan> spans() const;
    std::span<float> values();
    std::span<float> gradients();

    /// Copies a batch in: batch × channels × height × width values, and one class per image.
    void setBatch(std::span<const float> images, std::span<const int> labels);

    /// Computes the outputs and returns the mean softmax cross-entropy of the batch.
    double forward();

    /// Computes all gradients of the mean loss of the last forward pass, once: it overwrites what that pass
    /// kept. `finished(offset)` is called as soon as the gradients from that arena offset to the end are
    /// final; offsets fall down to 0.
    void backward(const std::function<void(std::size_t)>& finished = {});

    /// One tensor in the plain order of its dimensions.
    std::vector<float> value(std::size_t parameter) const;
    std::vector<float> gradient(std::size_t parameter) const;
    void setValue(std::size_t parameter, std::span<const float> plain);

    /// Memory of activations, their gradients and copies in other layouts, in bytes.
    struct BufferUse {
        std::size_t total = 0;
        std::size_t forward = 0; ///< what the forward pass takes of it
        std::size_t backwardAtWork =
            0; ///< most that the backward pass of one layer needs, with gradients that wait
        std::size_t unshared = 0; ///< what all would take without a buffer that is used twice
    };
    BufferUse bufferUse() const;
    const std::vector<std::string>& warnings() const;
    std::uint64_t layoutHash() const;

private:
    struct Implementation;
    std::vector<Parameter> m_parameters;
    std::unique_ptr<Implementation> m_implementation;
};

/// Sets the first parameters of that seed; see firstParameters().
void initialize(CpuNetwork& network, std::uint64_t seed);

} // namespace quadric::trainer
