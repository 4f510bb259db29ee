// SPDX-License-Identifier: GPL-3.0-or-later
// Every kernel against plain loops in double precision over the same rounded numbers.
#include "core/trainer/cpu/sgd.h"
#include "core/trainer/cuda/kernels/kernels.h"
#include "core/trainer/gpu/weight_layout.h"
#include "device_fixture.h"

#include <algorithm>
#include <cmath>

namespace quadric::trainer::cuda {
namespace {

using testing::contents;
using testing::copied;
using testing::fromDevice;
using testing::normalNumbers;
using testing::onDevice;
using testing::rounded;
using testing::roundingOf;

/// What tests of kernels share: the precision, and how near its results must be.
class KernelsOnGpu : public testing::OnGpuWithPrecision {
protected:
    Precision precision() const { return GetParam(); }
    /// Values near `expected`, but for one rounding of the result and what fp32 sums lose.
    void expectNear(const std::vector<float>& found, const std::vector<double>& expected) const
    {
        ASSERT_EQ(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            ASSERT_NEAR(found[i], expected[i], 2 * roundingOf(precision()) * std::abs(expected[i]) + 2e-5)
                << i;
    }
    DeviceMemory scaleOf(float scale) const { return copied(std::vector<LossScale>{{scale, 0, 0}}); }
};

class Kernels : public KernelsOnGpu {};
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

// Batch normalization against plain loops in double precision over the same rounded numbers.

class BatchNormKernels : public KernelsOnGpu {};
INSTANTIATE_TEST_SUITE_P(Precisions, BatchNormKernels,
                         ::testing::Values(Precision::Fp32, Precision::Bf16, Precision::Fp16),
                         testing::nameOf);

/// A batch normalization with everything that it reads.
struct NormCase {
    std::size_t rows;
    int channels;
    std::vector<float> x, shortcut, gradient, second, scale, shift;

    NormCase(Precision precision, std::size_t rowCount, int channelCount)
        : rows(rowCount)
        , channels(channelCount)
        , x(rounded(precision, normalNumbers(size(), 1.0F, 1)))
        , shortcut(rounded(precision, normalNumbers(size(), 0.0F, 2)))
        , gradient(rounded(precision, normalNumbers(size(), 0.1F, 3)))
        , second(rounded(precision, normalNumbers(size(), 0.0F, 4)))
        , scale(normalNumbers(static_cast<std::size_t>(channelCount), 1.0F, 5))
        , shift(normalNumbers(static_cast<std::size_t>(channelCount), 0.0F, 6))
    {
    }
    std::size_t size() const { return rows * static_cast<std::size_t>(channels); }
};

struct NormMemory {
    DeviceMemory scale, shift, means, deviations, partials, coefficients;
    NormLayer layer;

    explicit NormMemory(const NormCase& c)
        : scale(copied(c.scale))
        , shift(copied(c.shift))
        , means(c.scale.size() * sizeof(float))
        , deviations(c.scale.size() * sizeof(float))
        , partials(partialSums(c.channels) * sizeof(float))
        , coefficients(3 * c.scale.size() * sizeof(float))
        , layer{c.rows,
                c.channels,
                true,
                scale.as<float>(),
                shift.as<float>(),
                means.as<float>(),
                deviations.as<float>(),
                partials.as<float>(),
                coefficients.as<float>()}
    {
    }
};

struct Moments {
    double mean = 0.0;
    double inverse = 0.0;
};

Moments momentsOfChannel(const NormCase& c, std::size_t channel)
{
    const auto stride = static_cast<std::size_t>(c.channels);
    Moments found;
    double variance = 0.0;
    for (std::size_t row = 0; row < c.rows; ++row)
        found.mean += c.x[row * stride + channel] / static_cast<double>(c.rows);
    for (std::size_t row = 0; row < c.rows; ++row)
        variance += std::pow(c.x[row * stride + channel] - found.mean, 2) / static_cast<double>(c.rows);
    found.inverse = 1.0 / std::sqrt(variance + 1e-5);
    return found;
}

std::vector<double> normalizedOnProcessor(const NormCase& c)
{
    std::vector<double> y(c.size());
    const auto channels = static_cast<std::size_t>(c.channels);
    for (std::size_t channel = 0; channel < channels; ++channel) {
        const Moments m = momentsOfChannel(c, channel);
        for (std::size_t i = channel; i < c.size(); i += channels)
            y[i] = std::max(0.0, (c.x[i] - m.mean) * m.inverse * c.scale[channel] + c.shift[channel] +
                                     c.shortcut[i]);
    }
    return y;
}

TEST_P(BatchNormKernels, ForwardWithShortcutAndRelu)
{
    for (const auto& [rows, channels] :
         {std::pair<std::size_t, int>{1000, 64}, {37, 2048}, {4099, 5}, {2, 24}}) {
        const NormCase c(precision(), rows, channels);
        const NormMemory memory(c);
        const DeviceMemory x = onDevice(precision(), c.x);
        const DeviceMemory shortcut = onDevice(precision(), c.shortcut);
        const DeviceMemory y = onDevice(precision(), c.x);
        normalizeForward(precision(), memory.layer, x.data(), shortcut.data(), y.data(), stream());
        queue().wait();
        expectNear(fromDevice(precision(), y, c.size()), normalizedOnProcessor(c));
    }
}

TEST_P(BatchNormKernels, BackwardInPlace)
{
    for (const auto& [rows, channels] : {std::pair<std::size_t, int>{1000, 64}, {37, 2048}, {4099, 5}}) {
        const NormCase c(precision(), rows, channels);
        const NormMemory memory(c);
        const DeviceMemory x = onDevice(precision(), c.x);
        const DeviceMemory shortcut = onDevice(precision(), c.shortcut);
        const DeviceMemory y = onDevice(precision(), c.x);
        const DeviceMemory gradient = onDevice(precision(), c.gradient);
        const DeviceMemory second = onDevice(precision(), c.second);
        const auto n = static_cast<std::size_t>(channels);
        const DeviceMemory scaleGradient = copied(std::vector<float>(n, 2.0F));
        const DeviceMemory shiftGradient = copied(std::vector<float>(n, 3.0F));
        const DeviceMemory lossScale = scaleOf(4.0F);
        normalizeForward(precision(), memory.layer, x.data(), shortcut.data(), y.data(), stream());
        normalizeBackward(precision(), memory.layer,
                          {x.data(), y.data(), gradient.data(), second.data(), gradient.data(), second.data(),
                           scaleGradient.as<float>(), shiftGradient.as<float>()},
                          {lossScale.as<LossScale>(), true}, stream());
        queue().wait();
        const std::vector<float> output = fromDevice(precision(), y, c.size());
        std::vector<double> input(c.size());
        std::vector<double> passed(c.size());
        std::vector<double> byScale(n), byShift(n);
        for (std::size_t channel = 0; channel < n; ++channel) {
            const Moments m = momentsOfChannel(c, channel);
            double sum = 0.0;
            double product = 0.0;
            for (std::size_t i = channel; i < c.size(); i += n) {
                passed[i] = output[i] > 0.0F ? static_cast<double>(c.gradient[i]) + c.second[i] : 0.0;
                sum += passed[i];
                product += passed[i] * (c.x[i] - m.mean) * m.inverse;
            }
            const double count = static_cast<double>(rows);
            for (std::size_t i = channel; i < c.size(); i += n)
                input[i] = c.scale[channel] * m.inverse *
                           (passed[i] - sum / count - (c.x[i] - m.mean) * m.inverse * product / count);
            byScale[channel] = 2.0 + product / 4.0;
            byShift[channel] = 3.0 + sum / 4.0;
        }
        expectNear(fromDevice(precision(), gradient, c.size()), input);
        expectNear(fromDevice(precision(), second, c.size()), passed);
        const std::vector<float> scales = contents<float>(scaleGradient, n);
        const std::vector<float> shifts = contents<float>(shiftGradient, n);
        for (std::size_t channel = 0; channel < n; ++channel) {
            EXPECT_NEAR(scales[channel], byScale[channel], 1e-5 * static_cast<double>(rows));
            EXPECT_NEAR(shifts[channel], byShift[channel], 1e-5 * static_cast<double>(rows));
        }
    }
}

} // namespace
} // namespace quadric::trainer::cuda
