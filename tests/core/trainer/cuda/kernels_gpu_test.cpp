// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel against plain loops in double precision over the same rounded numbers.
#include "core/trainer/cpu/loss.h"
#include "core/trainer/cpu/sgd.h"
#include "core/trainer/cuda/kernels/kernels.h"

#include "kernel_fixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace quadric::trainer::cuda {
namespace {

using testing::contents;
using testing::copied;
using testing::fromDevice;
using testing::normalNumbers;
using testing::onDevice;
using testing::rounded;
using testing::roundingOf;

class Kernels : public testing::KernelsOnGpu {};
INSTANTIATE_TEST_SUITE_P(Precisions, Kernels,
                         ::testing::Values(Precision::Fp32, Precision::Bf16, Precision::Fp16),
                         testing::nameOf);

struct PoolCase {
    PoolLayer layer;
    std::size_t inputs() const { return values(layer.in); }
    std::size_t outputs() const { return values(layer.out); }
    std::size_t values(const Shape& s) const
    {
        return static_cast<std::size_t>(layer.batch * s.height * s.width * s.channels);
    }
    static std::size_t at(const Shape& s, int n, int y, int x, int c)
    {
        return static_cast<std::size_t>(((n * s.height + y) * s.width + x) * s.channels + c);
    }
};

/// For every output the input that is its maximum, the first of equal ones.
std::vector<std::size_t> maximaOnProcessor(const PoolCase& p, const std::vector<float>& x)
{
    std::vector<std::size_t> chosen(p.outputs());
    const PoolLayer& l = p.layer;
    for (int n = 0; n < l.batch; ++n)
        for (int y = 0; y < l.out.height; ++y)
            for (int column = 0; column < l.out.width; ++column)
                for (int c = 0; c < l.out.channels; ++c) {
                    std::size_t& best = chosen[PoolCase::at(l.out, n, y, column, c)];
                    bool isFirst = true;
                    for (int sy = std::max(0, y * l.stride - l.padding);
                         sy < std::min(l.in.height, y * l.stride - l.padding + l.kernel); ++sy)
                        for (int sx = std::max(0, column * l.stride - l.padding);
                             sx < std::min(l.in.width, column * l.stride - l.padding + l.kernel); ++sx) {
                            const std::size_t i = PoolCase::at(l.in, n, sy, sx, c);
                            if (isFirst || x[i] > x[best])
                                best = i;
                            isFirst = false;
                        }
                }
    return chosen;
}

TEST_P(Kernels, MaxPoolThereAndBack)
{
    for (const int channels : {64, 3}) {
        const PoolCase p{{2, {channels, 13, 10}, {channels, 7, 5}, 3, 2, 1}};
        const std::vector<float> x = rounded(precision(), normalNumbers(p.inputs(), 0.0F, 1));
        const std::vector<float> first = rounded(precision(), normalNumbers(p.outputs(), 0.0F, 2));
        const std::vector<float> second = rounded(precision(), normalNumbers(p.outputs(), 0.0F, 3));
        const DeviceMemory in = onDevice(precision(), x);
        const DeviceMemory out = onDevice(precision(), first);
        const DeviceMemory choices(p.outputs());
        const DeviceMemory a = onDevice(precision(), first);
        const DeviceMemory b = onDevice(precision(), second);
        const DeviceMemory back = onDevice(precision(), x);
        maxPoolForward(precision(), p.layer, in.data(), out.data(), choices.as<std::uint8_t>(), stream());
        maxPoolBackward(precision(), p.layer, a.data(), b.data(), choices.as<std::uint8_t>(), back.data(),
                        stream());
        queue().wait();
        const std::vector<std::size_t> chosen = maximaOnProcessor(p, x);
        std::vector<double> outputs(p.outputs());
        std::vector<double> gradients(p.inputs(), 0.0);
        for (std::size_t o = 0; o < chosen.size(); ++o) {
            outputs[o] = x[chosen[o]];
            gradients[chosen[o]] += static_cast<double>(first[o]) + second[o];
        }
        expectNear(fromDevice(precision(), out, p.outputs()), outputs);
        expectNear(fromDevice(precision(), back, p.inputs()), gradients);
    }
}

TEST_P(Kernels, AveragePoolThereAndBack)
{
    const PoolCase p{{3, {24, 7, 5}, {24, 1, 1}, 1, 1, 0}};
    const std::vector<float> x = rounded(precision(), normalNumbers(p.inputs(), 0.5F, 1));
    const std::vector<float> g = rounded(precision(), normalNumbers(p.outputs(), 0.0F, 2));
    const DeviceMemory in = onDevice(precision(), x);
    const DeviceMemory out = onDevice(precision(), g);
    const DeviceMemory gradient = onDevice(precision(), g);
    const DeviceMemory back = onDevice(precision(), x);
    averagePoolForward(precision(), p.layer, in.data(), out.data(), stream());
    averagePoolBackward(precision(), p.layer, gradient.data(), back.data(), stream());
    queue().wait();
    std::vector<double> means(p.outputs(), 0.0);
    std::vector<double> spread(p.inputs());
    for (std::size_t i = 0; i < x.size(); ++i) {
        const std::size_t o = i / (24 * 35) * 24 + i % 24;
        means[o] += x[i] / 35.0;
        spread[i] = g[o] / 35.0;
    }
    expectNear(fromDevice(precision(), out, p.outputs()), means);
    expectNear(fromDevice(precision(), back, p.inputs()), spread);
}

TEST_P(Kernels, CrossEntropyAndTheGradientOfTheBias)
{
    constexpr int kBatch = 37;
    constexpr int kClasses = 1000;
    const std::vector<float> logits = normalNumbers(std::size_t{kBatch} * kClasses, 3.0F, 1);
    std::vector<int> labels(kBatch);
    for (int i = 0; i < kBatch; ++i)
        labels[static_cast<std::size_t>(i)] = i * 27 % kClasses;
    const DeviceMemory scale = scaleOf(8.0F);
    const DeviceMemory logitMemory = copied(logits);
    const DeviceMemory labelMemory = copied(labels);
    const DeviceMemory rowLosses(kBatch * sizeof(float));
    const DeviceMemory loss = copied(std::vector<float>{1.0F});
    const DeviceMemory gradients = onDevice(precision(), logits);
    const DeviceMemory bias = copied(std::vector<float>(kClasses, 0.5F));
    const GradientTarget target{scale.as<LossScale>(), true};
    crossEntropy(precision(),
                 {kBatch, kClasses, logitMemory.as<float>(), labelMemory.as<int>(), rowLosses.as<float>(),
                  loss.as<float>()},
                 target, gradients.data(), stream());
    biasGradient(precision(), kBatch, kClasses, gradients.data(), bias.as<float>(), target, stream());
    queue().wait();
    std::vector<float> wanted(logits.size());
    const double mean = softmaxCrossEntropy(logits, labels, wanted);
    EXPECT_NEAR(contents<float>(loss, 1)[0], 1.0 + mean, 1e-5);
    const std::vector<float> found = fromDevice(precision(), gradients, logits.size());
    std::vector<double> sums(kClasses, 0.5);
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NEAR(found[i], 8.0 * wanted[i], 8 * roundingOf(precision()) * std::abs(wanted[i]) * 2 + 1e-6);
        sums[i % kClasses] += found[i] / 8.0;
    }
    const std::vector<float> biases = contents<float>(bias, kClasses);
    for (std::size_t i = 0; i < biases.size(); ++i)
        EXPECT_NEAR(biases[i], sums[i], 1e-6);
}

TEST_P(Kernels, GradientsAreUnscaledAndAdded)
{
    const std::vector<float> computed = rounded(precision(), normalNumbers(70001, 0.0F, 1));
    const std::vector<float> earlier = normalNumbers(70001, 0.0F, 2);
    const DeviceMemory scale = scaleOf(16.0F);
    const DeviceMemory source = onDevice(precision(), computed);
    for (const bool accumulates : {false, true}) {
        const DeviceMemory gradient = copied(earlier);
        finishGradient(precision(), source.data(), gradient.as<float>(), earlier.size(),
                       {scale.as<LossScale>(), accumulates}, stream());
        queue().wait();
        const std::vector<float> found = contents<float>(gradient, earlier.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_EQ(found[i], (accumulates ? earlier[i] : 0.0F) + computed[i] / 16.0F);
    }
}

TEST_P(Kernels, SgdEqualsTheProcessorAndStopsAtAnOverflow)
{
    std::vector<float> values = normalNumbers(100003, 0.0F, 1);
    std::vector<float> velocity = normalNumbers(100003, 0.0F, 2);
    std::vector<float> gradients = normalNumbers(100003, 0.0F, 3);
    const DeviceMemory valueMemory = copied(values);
    const DeviceMemory velocityMemory = copied(velocity);
    const DeviceMemory copy = onDevice(precision(), values);
    const DeviceMemory scale = scaleOf(1024.0F);
    const auto update = [&] {
        const DeviceMemory gradientMemory = copied(gradients);
        SgdArguments a{valueMemory.as<float>(),
                       velocityMemory.as<float>(),
                       gradientMemory.as<float>(),
                       copy.data(),
                       values.size(),
                       0.1F,
                       0.9F,
                       0.5F};
        findOverflow(a.gradients, a.count, scale.as<LossScale>(), stream());
        sgdUpdate(precision(), a, scale.as<LossScale>(), stream());
        advanceLossScale(scale.as<LossScale>(), stream());
        queue().wait();
    };
    update();
    sgdStep(values, gradients, velocity, {0.1F, 0.9F, 0.5F});
    const std::vector<float> found = contents<float>(valueMemory, values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(found[i], values[i],
                    1e-6 * std::abs(values[i]) + 1e-7); // products may be fused with sums
    EXPECT_EQ(fromDevice(precision(), copy, values.size()), rounded(precision(), found));
    gradients[70000] = std::numeric_limits<float>::infinity();
    update();
    EXPECT_EQ(contents<float>(valueMemory, values.size()), found) << "an overflow changes nothing";
    EXPECT_EQ(contents<LossScale>(scale, 1)[0].scale, 512.0F);
}

} // namespace
} // namespace quadric::trainer::cuda
