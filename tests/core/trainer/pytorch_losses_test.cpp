// SPDX-License-Identifier: GPL-3.0-or-later
// ResNet-18 against PyTorch in double precision: the same parameters, images and steps; numbers and script in
// tests/references/trainer.
#include "core/trainer/cpu/cpu_network.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/cpu/sgd.h"
#include "core/trainer/workload/synthetic.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <random>

namespace quadric::trainer {
namespace {

constexpr std::size_t kSteps = 3;
using Losses = std::array<double, kSteps>;

Workload workloadOf(const nlohmann::json& reference)
{
    Workload workload;
    workload.network = reference.at("network");
    workload.imageSize = reference.at("image_size");
    workload.batchPerRank = reference.at("batch");
    workload.seed = reference.at("seed");
    workload.learningRate = reference.at("learning_rate");
    workload.momentum = reference.at("momentum");
    return workload;
}

/// The largest relative error of any sum in a step, but for one step in a hundred. An implementation may add
/// in any order. Whatever the order, the computed sum of n products is the exact sum of products that are
/// changed by at most γ̃ = exp(λ √n u + n u² / (1 − u)) − 1 each, with a probability of at least 1 − 2 exp(−λ²
/// (1 − u)² / 2) (Higham and Mary, SIAM Journal on Scientific Computing 41, 2019, theorem 2.4; u = 2⁻²⁴ for
/// fp32). The longest sums are those of the first convolution's weight gradients and of its statistics, over
/// all places of its output in all images.
double errorOfSums(const Workload& workload, const Network& network)
{
    const std::vector<Shape> shapes = inferShapes(network, {3, workload.imageSize, workload.imageSize});
    const double longest = 1.0 * workload.batchPerRank * shapes[0].height * shapes[0].width;
    double sums = 0.0;
    for (const Shape& shape : shapes) // values, and their gradients
        sums += 2.0 * workload.batchPerRank * shape.channels * shape.height * shape.width;
    constexpr double kMissed = 0.01;
    constexpr double kUnit = 0x1p-24;
    const double lambda = std::sqrt(2.0 * std::log(2.0 * sums / kMissed)) / (1.0 - kUnit);
    return std::expm1(lambda * std::sqrt(longest) * kUnit + longest * kUnit * kUnit / (1.0 - kUnit));
}

/// Changes each number by that share of it, up or down.
void disturb(std::span<float> numbers, double share, std::mt19937_64& random)
{
    const float changed[] = {static_cast<float>(1.0 - share), static_cast<float>(1.0 + share)};
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i, bits >>= 1U) {
        if (i % 64 == 0)
            bits = random();
        numbers[i] *= changed[bits & 1U];
    }
}

/// Losses of the steps when factors of all sums are disturbed: parameters before the forward pass, gradients
/// before the update.
Losses disturbedLosses(const Workload& workload, const Network& network, double share, unsigned seed)
{
    const Shape image{3, workload.imageSize, workload.imageSize};
    CpuNetwork computed(network, {image, workload.batchPerRank});
    initialize(computed, static_cast<std::uint64_t>(workload.seed));
    const std::uint64_t firstRank = static_cast<std::uint64_t>(workload.seed) * 1000003ULL + 1;
    const SyntheticBatch batch = makeSyntheticBatch(image, workload.batchPerRank, network.classes, firstRank);
    computed.setBatch(batch.images, batch.labels);
    std::mt19937_64 random(seed);
    std::vector<float> velocity(computed.values().size(), 0.0F);
    Losses losses{};
    for (double& loss : losses) {
        disturb(computed.values(), share, random);
        loss = computed.forward();
        computed.backward();
        disturb(computed.gradients(), share, random);
        sgdStep(computed.values(), computed.gradients(), velocity,
                {static_cast<float>(workload.learningRate), static_cast<float>(workload.momentum), 1.0F});
    }
    return losses;
}

TEST(PyTorch, LossesOfThreeStepsAgree)
{
    std::ifstream file(sourcePath("tests/references/trainer/resnet18_losses.json"));
    const nlohmann::json reference = nlohmann::json::parse(file);
    const Workload workload = workloadOf(reference);
    const std::unique_ptr<Collective> alone = makeLocalCollective();
    const std::unique_ptr<Engine> engine = makeCpuEngine(workload, *alone);
    Losses losses{};
    for (double& loss : losses)
        loss = engine->step(Peers::Alone).loss;

    // Where a sum is close to zero, ReLU or the maximum may decide otherwise when numbers are added in
    // another order, and the next losses show that far beyond the error itself. How far is measured, with
    // disturbed factors.
    const Network network = *makeNetwork(workload.network);
    const double error = errorOfSums(workload, network);
    const Losses undisturbed = disturbedLosses(workload, network, 0.0, 0);
    Losses allowed{};
    for (unsigned seed = 1; seed <= 5; ++seed) {
        const Losses disturbed = disturbedLosses(workload, network, error, seed);
        for (std::size_t step = 0; step < kSteps; ++step)
            allowed[step] = std::max(allowed[step], std::abs(disturbed[step] - undisturbed[step]));
    }
    for (std::size_t step = 0; step < kSteps; ++step)
        EXPECT_NEAR(losses[step], reference.at("losses").at(step).get<double>(), allowed[step])
            << "step " << step + 1;
}

} // namespace
} // namespace quadric::trainer
