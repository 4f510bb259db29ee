// SPDX-License-Identifier: GPL-3.0-or-later
// The trainer's network against an independent double-precision implementation: loss, and every gradient
// against central differences of the reference loss.
#include "core/trainer/cpu/cpu_network.h"
#include "core/trainer/measure/validation.h"
#include "core/workload/knob_table.h"

#include "reference_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace quadric::trainer {
namespace {

using testing::Batch;
using Tensors = std::vector<std::vector<double>>;

/// Stem, max pooling, one block with projection and stride, one block with identity, pooling and classifier:
/// every kind of layer, and a value that is read twice.
Network smallNetwork(int channels)
{
    Network net{"small", 5, {}};
    const auto put = [&](Layer layer) {
        net.layers.push_back(std::move(layer));
        return static_cast<int>(net.layers.size()) - 1;
    };
    const auto unit = [&](const std::string& name, int input, int width, int kernel, int stride, bool relu) {
        const int conv =
            put({LayerKind::Convolution, name, input, kImages, width, kernel, stride, kernel / 2, false});
        return put({.kind = LayerKind::BatchNorm, .name = name + ".bn", .input = conv, .relu = relu});
    };
    int value = unit("stem", kImages, channels, 3, 1, true);
    value = put({LayerKind::MaxPool, "max", value, kImages, 0, 3, 2, 1, false});
    const int main = unit("b1.2", unit("b1.1", value, 2 * channels, 3, 2, true), 2 * channels, 3, 1, false);
    const int down = unit("b1.down", value, 2 * channels, 1, 2, false);
    value = put({LayerKind::Add, "b1.add", main, down, 0, 1, 1, 0, true});
    const int second = unit("b2.2", unit("b2.1", value, 2 * channels, 1, 1, true), 2 * channels, 3, 1, false);
    value = put({LayerKind::Add, "b2.add", second, value, 0, 1, 1, 0, true});
    value = put({.kind = LayerKind::AveragePool, .name = "mean", .input = value});
    put({.kind = LayerKind::Dense, .name = "dense", .input = value, .channels = net.classes});
    return net;
}

Batch randomBatch(int size, Shape shape, int classes, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Batch batch{size, shape, {}, {}};
    const int values = size * shape.channels * shape.height * shape.width;
    for (int i = 0; i < values; ++i)
        batch.images.push_back(normal(random));
    for (int i = 0; i < size; ++i)
        batch.labels.push_back(static_cast<int>(random() % static_cast<unsigned>(classes)));
    return batch;
}

std::vector<float> floats(const std::vector<double>& values)
{
    return {values.begin(), values.end()};
}

/// Sets random parameters in the network and returns the same numbers.
Tensors randomize(CpuNetwork& network, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, 0.4F);
    Tensors tensors;
    for (std::size_t i = 0; i < network.parameters().size(); ++i) {
        const bool isScale = network.parameters()[i].name.ends_with(".scale");
        std::vector<double> tensor(network.parameters()[i].count());
        for (double& value : tensor)
            value = normal(random) + (isScale ? 1.0F : 0.0F);
        const std::vector<float> rounded = floats(tensor);
        network.setValue(i, rounded);
        tensors.emplace_back(rounded.begin(), rounded.end());
    }
    return tensors;
}

struct Case {
    int channels;
    int imageSize;
    int batch;
};

class GradientCheck : public ::testing::TestWithParam<Case> {};

TEST_P(GradientCheck, LossAndGradientsMatchAnIndependentImplementation)
{
    const auto [channels, imageSize, size] = GetParam();
    const Network description = smallNetwork(channels);
    const Shape image{3, imageSize, imageSize};
    CpuNetwork network(description, {image, size});
    Tensors tensors = randomize(network, 7);
    const Batch batch = randomBatch(size, image, description.classes, 11);
    network.setBatch(floats(batch.images), batch.labels);

    EXPECT_NEAR(network.forward(), testing::referenceLoss(description, tensors, batch), 2e-5);
    network.backward();

    constexpr double kStep = 1e-5;
    constexpr std::size_t kChecked = 12;
    for (std::size_t p = 0; p < tensors.size(); ++p) {
        const std::vector<float> gradient = network.gradient(p);
        const auto magnitude = [](float a, float b) { return std::abs(a) < std::abs(b); };
        const double largest = std::abs(*std::max_element(gradient.begin(), gradient.end(), magnitude));
        const std::size_t stride = std::max<std::size_t>(1, gradient.size() / kChecked);
        for (std::size_t i = 0; i < gradient.size(); i += stride) {
            const double kept = tensors[p][i];
            tensors[p][i] = kept + kStep;
            const double above = testing::referenceLoss(description, tensors, batch);
            tensors[p][i] = kept - kStep;
            const double below = testing::referenceLoss(description, tensors, batch);
            tensors[p][i] = kept;
            EXPECT_NEAR(gradient[i], (above - below) / (2 * kStep), 1e-3 * largest + 2e-6)
                << network.parameters()[p].name << '[' << i << ']';
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, GradientCheck,
                         ::testing::Values(Case{16, 12, 3}, Case{5, 10, 2}, Case{8, 9, 4}),
                         [](const auto& instance) {
                             return "Channels" + std::to_string(instance.param.channels) + "Size" +
                                    std::to_string(instance.param.imageSize);
                         });

TEST(CpuNetwork, FinishedOffsetsFallToZeroAndCoverEveryGradient)
{
    const Shape image{3, 12, 12};
    CpuNetwork network(smallNetwork(16), {image, 2});
    randomize(network, 3);
    const Batch batch = randomBatch(2, image, 5, 5);
    network.setBatch(floats(batch.images), batch.labels);
    network.forward();
    network.backward();
    const std::vector<float> expected(network.gradients().begin(), network.gradients().end());

    std::ranges::fill(network.gradients(), 0.0F);
    network.forward();
    std::size_t last = expected.size();
    network.backward([&](std::size_t offset) {
        EXPECT_LE(offset, last);
        last = offset;
        for (std::size_t i = offset; i < expected.size(); ++i)
            ASSERT_EQ(network.gradients()[i], expected[i]) << "gradient " << i << " was said to be final";
    });
    EXPECT_EQ(last, 0U);
}

TEST(CpuNetwork, ValuesSurviveTheTripThroughTheBlockedLayout)
{
    CpuNetwork network(smallNetwork(5), {{3, 10, 10}, 2});
    const Tensors tensors = randomize(network, 1);
    for (std::size_t i = 0; i < tensors.size(); ++i)
        EXPECT_EQ(network.value(i), floats(tensors[i]));
}

double angleBetween(std::span<const float> a, std::span<const float> b)
{
    const double ab = std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    const double aa = std::inner_product(a.begin(), a.end(), a.begin(), 0.0);
    const double bb = std::inner_product(b.begin(), b.end(), b.begin(), 0.0);
    return std::acos(std::min(1.0, ab / std::sqrt(aa * bb)));
}

TEST(CpuNetwork, Bf16GivesTheSameLossAndGradientsButForItsRounding)
{
    if (!readMachine().limits.hasBf16)
        GTEST_SKIP() << "this processor has no bfloat16";
    const Network description = smallNetwork(16);
    const Shape image{3, 24, 24};
    const Batch batch = randomBatch(8, image, description.classes, 11);
    CpuNetwork exact(description, {image, 8});
    CpuNetwork rounded(description, {image, 8, Precision::Bf16});
    double losses[2] = {};
    for (CpuNetwork* network : {&exact, &rounded}) {
        randomize(*network, 7);
        network->setBatch(floats(batch.images), batch.labels);
        losses[network == &rounded] = network->forward();
        network->backward();
    }
    EXPECT_NEAR(losses[1], losses[0], 0.02 * losses[0]);
    EXPECT_NE(losses[1], losses[0]) << "nothing was rounded";
    EXPECT_TRUE(rounded.warnings().empty()) << rounded.warnings().front();
    for (std::size_t p = 0; p < exact.parameters().size(); ++p)
        EXPECT_LT(angleBetween(exact.gradient(p), rounded.gradient(p)), 0.25) << exact.parameters()[p].name;
}

TEST(CpuNetwork, MemoryOfFinishedLayersServesTheGradients)
{
    // How much the backward pass of a layer needs depends on the processor (copies of weights in the layouts
    // that its code wants), so that the plan itself says it: W. Whatever waits in a free buffer serves for
    // less, down to half its size. Free buffers of W, W/2, W/4 … are therefore enough for any sequence of
    // layers: 2 W in all.
    for (const int batch : {1, 32}) {
        const CpuNetwork::BufferUse use =
            CpuNetwork(*makeNetwork("resnet18"), {{3, 64, 64}, batch}).bufferUse();
        EXPECT_LE(use.total, use.forward + 2 * use.backwardAtWork);
        EXPECT_LT(use.forward + 2 * use.backwardAtWork, use.unshared) << "the bound must say something";
    }
}

TEST(CpuNetwork, TheForwardPassKeepsWhatTheBackwardPassReadsAndNoMore)
{
    constexpr int kBatch = 32; // activations are most of it
    const Shape image{3, 64, 64};
    const Network network = *makeNetwork("resnet18");
    const std::vector<Shape> shapes = inferShapes(network, image);
    const auto bytes = [](const Shape& shape) {
        return std::size_t{4} * kBatch *
               static_cast<std::size_t>(shape.channels * shape.height * shape.width);
    };
    std::size_t kept = bytes(image);
    std::size_t sums = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        (network.layers[i].kind == LayerKind::Add ? sums : kept) += bytes(shapes[i]);
    const CpuNetwork planned(network, {image, kBatch});
    // Beside the outputs: a bit or byte a value says what ReLU and the maximum let pass.
    EXPECT_LT(planned.bufferUse().forward, kept + sums) << "a sum must overwrite its summand";
    EXPECT_GT(planned.bufferUse().forward, kept / 2);
}

TEST(CpuNetwork, MemoryIsWhatWasEstimated)
{
    Workload workload;
    workload.network = "resnet18";
    workload.imageSize = 64;
    workload.batchPerRank = 32;
    const Network network = *makeNetwork(workload.network);
    CpuNetwork planned(network, {{3, 64, 64}, workload.batchPerRank});
    const auto used = static_cast<double>(planned.bufferUse().total);
    const MemoryEstimate estimate = estimateMemory(workload, network);
    // Copies of weights in other layouts lie in the same buffers; the estimate counts them as parameters,
    // beside values, gradients and momentum.
    const double arenas = 3.0 * static_cast<double>(planned.gradients().size_bytes());
    const auto activations = static_cast<double>(estimate.activations);
    EXPECT_LT(0.7 * activations, used);
    EXPECT_GT(1.25 * activations + static_cast<double>(estimate.parameters) - arenas, used);
}

TEST(CpuNetwork, NothingRunsInReferenceCode)
{
    for (const std::string_view name : choicesOf(workload::knob("network"))) {
        const CpuNetwork network(*makeNetwork(name), {{3, 64, 64}, 1});
        EXPECT_TRUE(network.warnings().empty()) << name << ": " << network.warnings().front();
    }
}

TEST(CpuNetwork, RefusesWhatItCannotCompute)
{
    EXPECT_THROW(CpuNetwork({"empty", 1, {}}, {{3, 8, 8}, 1}), std::invalid_argument);
    CpuNetwork network(smallNetwork(16), {{3, 12, 12}, 2});
    EXPECT_THROW(network.setBatch(std::vector<float>(7), std::vector<int>(2)), std::invalid_argument);
    EXPECT_THROW(network.setValue(0, std::vector<float>(7)), std::invalid_argument);
}

} // namespace
} // namespace quadric::trainer
