// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels compute for one element, without a GPU.
#include "core/trainer/base/exchange_options.h"
#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/gpu/kernel_math.h"

#include "normal_numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace quadric::trainer::cuda {
namespace {

using testing::normalNumbers;

/// The textbook: two passes in double precision.
double mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}
double variance(const std::vector<double>& values)
{
    const double center = mean(values);
    double sum = 0.0;
    for (const double value : values)
        sum += (value - center) * (value - center);
    return sum / static_cast<double>(values.size());
}

TEST(BatchNorm, MomentsOfAChannelFarFromZeroAreExact)
{
    const std::vector<float> values = normalNumbers(5000, 3000.0F, 1);
    float sum = 0.0F;
    float squares = 0.0F;
    for (const float value : values) {
        sum += value - values.front();
        squares += (value - values.front()) * (value - values.front());
    }
    const ChannelMoments found = computeMoments(sum, squares, 5000.0, values.front());
    const std::vector<double> exact(values.begin(), values.end());
    EXPECT_NEAR(found.mean, mean(exact), 3e-4);
    EXPECT_NEAR(found.inverseDeviation, 1.0 / std::sqrt(variance(exact) + 1e-5), 2e-4);
    EXPECT_NEAR(computeMoments(0.0, 0.0, 8.0, 2.0F).inverseDeviation, 1.0 / std::sqrt(1e-5), 0.01)
        << "a constant";
}

/// Sum of weight · batch normalization of x: its derivatives are what the backward pass must give.
double normedSum(const std::vector<double>& x, const std::vector<float>& weights, double scale, double shift)
{
    const double center = mean(x);
    const double deviation = std::sqrt(variance(x) + 1e-5);
    double sum = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
        sum += weights[i] * (scale * (x[i] - center) / deviation + shift);
    return sum;
}

TEST(BatchNorm, GradientsEqualCentralDifferences)
{
    constexpr double kStep = 1e-5;
    constexpr float kScale = 1.7F;
    constexpr float kShift = -0.3F;
    const std::vector<float> gradients = normalNumbers(9, 0.2F, 2);
    const std::vector<float> inputs = normalNumbers(9, 1.0F, 3);
    std::vector<double> x(inputs.begin(), inputs.end());
    const ChannelMoments moments{static_cast<float>(mean(x)),
                                 static_cast<float>(1.0 / std::sqrt(variance(x) + 1e-5))};
    double sum = 0.0;
    double products = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum += gradients[i];
        products += gradients[i] * (x[i] - moments.mean);
    }
    const NormGradient norm = computeNormGradient(sum, products, 9.0, moments, kScale);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double kept = x[i];
        x[i] = kept + kStep;
        const double above = normedSum(x, gradients, kScale, kShift);
        x[i] = kept - kStep;
        const double below = normedSum(x, gradients, kScale, kShift);
        x[i] = kept;
        EXPECT_NEAR(inputGradient(gradients[i], inputs[i], moments.mean, norm), (above - below) / (2 * kStep),
                    2e-6);
    }
    const double byScale =
        (normedSum(x, gradients, kScale + kStep, kShift) - normedSum(x, gradients, kScale - kStep, kShift)) /
        (2 * kStep);
    EXPECT_NEAR(norm.scaleGradient, byScale, 2e-6);
    EXPECT_NEAR(norm.shiftGradient, sum, 2e-6);
    EXPECT_NEAR(normalized(inputs[4], moments, kScale, kShift),
                kScale * (x[4] - mean(x)) / std::sqrt(variance(x) + 1e-5) + kShift, 2e-6);
}

TEST(Relu, PassesWhatIsPositiveAndKeepsNan)
{
    EXPECT_EQ(rectified(-1.0F, true), 0.0F);
    EXPECT_EQ(rectified(-1.0F, false), -1.0F);
    EXPECT_EQ(rectified(2.0F, true), 2.0F);
    EXPECT_TRUE(std::isnan(rectified(std::nanf(""), true))) << "a diverged run must not look well";
    EXPECT_EQ(gradientBeforeRelu(3.0F, 0.0F, true), 0.0F);
    EXPECT_EQ(gradientBeforeRelu(3.0F, 0.5F, true), 3.0F);
    EXPECT_EQ(gradientBeforeRelu(3.0F, -1.0F, false), 3.0F);
}

/// Selection as the kernels do it: three digits, each with a histogram and its sums by group.
RadixState radixSelect(const std::vector<float>& values, std::size_t count)
{
    RadixState state{0, static_cast<std::uint32_t>(count)};
    for (int index = 0; index < kRadixDigits; ++index) {
        const RadixDigit digit = radixDigit(index);
        std::vector<std::uint32_t> histogram(kRadixBins, 0);
        std::vector<std::uint32_t> groups(kRadixBins / kBinsPerGroup, 0);
        for (const float value : values) {
            const std::uint32_t magnitude = magnitudeBits(value);
            if (!sharesPrefix(magnitude, state.threshold, digit))
                continue;
            ++histogram[extractRadixDigit(magnitude, digit)];
            ++groups[extractRadixDigit(magnitude, digit) / kBinsPerGroup];
        }
        state = chooseBin(histogram.data(), groups.data(), digit, state);
    }
    return state;
}

void expectSelection(const std::vector<float>& values, std::size_t count)
{
    const RadixState state = radixSelect(values, count);
    std::vector<std::uint32_t> positions;
    std::uint32_t ties = 0;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        const std::uint32_t magnitude = magnitudeBits(values[i]);
        if (magnitude > state.threshold || (magnitude == state.threshold && ties++ < state.missing))
            positions.push_back(i);
    }
    std::vector<std::uint32_t> expected;
    selectLargest(values, count, expected);
    EXPECT_EQ(positions, expected) << count << " of " << values.size();
}

TEST(RadixSelection, FindsWhatTheProcessorFinds)
{
    for (const std::size_t size : {1U, 2U, 31U, 257U, 20000U}) {
        std::vector<float> values = normalNumbers(size, 0.0F, static_cast<unsigned>(size));
        for (const std::size_t count : {std::size_t{1}, (size + 9) / 10, size / 2 + 1, size})
            expectSelection(values, count);
    }
}

TEST(RadixSelection, TakesTheFirstOfEqualMagnitudesAndNanFirst)
{
    std::vector<float> values(1000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i % 3) * (i % 2 == 0 ? 1.0F : -1.0F);
    for (const std::size_t count : {1U, 100U, 333U, 334U, 500U, 999U})
        expectSelection(values, count);
    values[777] = std::numeric_limits<float>::quiet_NaN();
    values[778] = -std::numeric_limits<float>::infinity();
    expectSelection(values, 1);
    expectSelection(values, 2);
    expectSelection(std::vector<float>(50, 0.0F), 7);
    expectSelection({1e-45F, 0.0F, -1e-45F, 1e-38F}, 2);
}

TEST(Residual, ForgetsWhatAnOverflowLeftAndKeepsTheRest)
{
    EXPECT_EQ(addResidual(0.25F, 1.0F), 1.25F);
    EXPECT_EQ(addResidual(std::numeric_limits<float>::infinity(), 1.0F), 1.0F);
    EXPECT_EQ(addResidual(std::nanf(""), -2.0F), -2.0F);
    EXPECT_TRUE(std::isinf(addResidual(1.0F, std::numeric_limits<float>::infinity())))
        << "the overflow itself shows";
}

TEST(LossScaling, HalvesOnOverflowAndDoublesAfterALongTime)
{
    LossScale scale{kFirstLossScale, 5, 1};
    scale = nextLossScale(scale);
    EXPECT_EQ(scale.scale, kFirstLossScale / 2);
    EXPECT_EQ(scale.overflow, 0U);
    for (std::uint32_t step = 1; step < kStepsToDouble; ++step)
        scale = nextLossScale(scale);
    EXPECT_EQ(scale.scale, kFirstLossScale / 2);
    scale = nextLossScale(scale);
    EXPECT_EQ(scale.scale, kFirstLossScale);
    EXPECT_EQ(nextLossScale({1.0F, 0, 1}).scale, 1.0F);
    EXPECT_EQ(nextLossScale({kLargestLossScale, kStepsToDouble, 0}).scale, kLargestLossScale);
}

TEST(NumberFormats, EverySixteenBitNumberSurvivesAndNeighborsRoundToTheNearest)
{
    for (const WireType type : {WireType::Bf16, WireType::Fp16}) {
        const auto decode = [type](std::uint32_t bits) {
            return decode16(type, static_cast<std::uint16_t>(bits));
        };
        for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
            const float value = decode(bits);
            if (std::isnan(value))
                EXPECT_TRUE(std::isnan(roundedToWire(type, value)));
            else
                ASSERT_EQ(encode16(type, value), bits);
        }
        for (std::uint32_t bits = 0; bits + 1 < (type == WireType::Bf16 ? 0x7f80U : 0x7c00U); ++bits) {
            const double low = decode(bits);
            const double high = decode(bits + 1);
            const auto middle = static_cast<float>((low + high) / 2);
            ASSERT_EQ(encode16(type, middle), bits % 2 == 0 ? bits : bits + 1)
                << "a tie goes to the even one";
            ASSERT_EQ(encode16(type, std::nextafter(middle, 0.0F)), bits);
            ASSERT_EQ(encode16(type, std::nextafter(middle, std::numeric_limits<float>::max())), bits + 1);
        }
    }
}

} // namespace
} // namespace quadric::trainer::cuda
