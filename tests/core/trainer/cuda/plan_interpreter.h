// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/gpu/step_plan.h"

#include <span>
#include <vector>

namespace quadric::trainer::testing {

/// Carries a step of the GPU's plan out on the processor, in fp32 and with plain loops, in the memory that
/// the plan lays out: what the kernels do, element by element, with the same functions. Wherever the plan
/// reuses memory too early, or sends a gradient the wrong way, the numbers are wrong.
class PlanInterpreter {
public:
    explicit PlanInterpreter(const cuda::StepPlan& plan);

    /// One tensor in the plain order of its dimensions.
    void setValue(std::size_t parameter, std::span<const float> plain);
    std::vector<float> gradient(std::size_t parameter) const;

    /// Images as batch × channels × height × width; returns the mean loss.
    double forward(std::span<const float> images, std::span<const int> labels);
    void backward();

private:
    float* at(const cuda::Block& block);
    const float* inputOf(const cuda::PlannedLayer& layer);
    void convolve(const cuda::PlannedLayer& layer);
    void normalize(const cuda::PlannedLayer& layer);
    void pool(const cuda::PlannedLayer& layer);
    void average(const cuda::PlannedLayer& layer);
    void multiply(const cuda::PlannedLayer& layer);
    double loss(std::span<const int> labels);
    void convolveBack(const cuda::PlannedLayer& layer);
    void normalizeBack(const cuda::PlannedLayer& layer);
    void poolBack(const cuda::PlannedLayer& layer);
    void averageBack(const cuda::PlannedLayer& layer);
    void multiplyBack(const cuda::PlannedLayer& layer);
    std::vector<float> outputGradient(const cuda::PlannedLayer& layer);

    const cuda::StepPlan& m_plan;
    std::vector<float> m_arena;
    std::vector<float> m_images; ///< batch × height × width × channels
    std::vector<std::vector<float>> m_values;
    std::vector<std::vector<float>> m_gradients;
    std::vector<float> m_means;
    std::vector<float> m_deviations; ///< their inverses
};

} // namespace quadric::trainer::testing
