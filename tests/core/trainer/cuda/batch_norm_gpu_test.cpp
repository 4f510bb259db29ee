// SPDX-License-Identifier: GPL-3.0-or-later
// Batch normalization against plain loops in double precision over the same rounded numbers.
#include "core/trainer/gpu/channel_grid.h"

#include "kernel_fixture.h"

#include <algorithm>

namespace quadric::trainer::cuda {
namespace {

using testing::contents;
using testing::copied;
using testing::fromDevice;
using testing::normalNumbers;
using testing::onDevice;
using testing::rounded;

class BatchNormKernels : public testing::KernelsOnGpu {};
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
