// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/wire_type.h"
#include "core/trainer/exchange/selection.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace quadric::trainer {
namespace {

std::vector<float> normalNumbers(std::size_t count, unsigned seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    std::vector<float> values(count);
    std::ranges::generate(values, [&] { return normal(random); });
    return values;
}

/// The definition itself: all positions sorted by magnitude, then by position.
std::vector<std::uint32_t> sortedSelection(const std::vector<float>& values, std::size_t count)
{
    std::vector<std::uint32_t> order(values.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order,
                             [&](auto a, auto b) { return std::abs(values[a]) > std::abs(values[b]); });
    order.resize(count);
    std::ranges::sort(order);
    return order;
}

std::vector<std::uint32_t> selected(const std::vector<float>& values, std::size_t count)
{
    std::vector<std::uint32_t> positions;
    selectLargest(values, count, positions);
    return positions;
}

TEST(Selection, KeepsTheCeilingOfTheShare)
{
    EXPECT_EQ(sentEntries(1000, 90.0), 100U);
    EXPECT_EQ(sentEntries(1001, 90.0), 101U); // 100.1
    EXPECT_EQ(sentEntries(7, 99.9), 1U);
    EXPECT_EQ(sentEntries(7, 0.0), 7U);
    EXPECT_EQ(sentEntries(1000, 1e-6), 1000U) << "so little compression lets everything pass";
    EXPECT_EQ(sentEntries(0, 50.0), 0U);
}

TEST(Selection, FindsTheLargestMagnitudes)
{
    for (const unsigned seed : {1U, 2U, 3U}) {
        const std::vector<float> values = normalNumbers(5000, seed);
        for (const std::size_t count : {1U, 2U, 50U, 500U, 2500U, 4999U, 5000U})
            EXPECT_EQ(selected(values, count), sortedSelection(values, count)) << count;
    }
}

TEST(Selection, TakesTheEarlierOfEqualMagnitudes)
{
    std::vector<float> values = normalNumbers(400, 9);
    for (float& value : values)
        value = std::round(2.0F * value); // many ties, both signs, zeros
    for (const std::size_t count : {1U, 10U, 133U, 399U})
        EXPECT_EQ(selected(values, count), sortedSelection(values, count)) << count;
    EXPECT_EQ(selected(std::vector<float>(6, 0.0F), 2), (std::vector<std::uint32_t>{0, 1}));
}

TEST(Selection, SurvivesNumbersThatAreNone)
{
    const float infinite = std::numeric_limits<float>::infinity();
    const std::vector<float> values = {1.0F, std::nanf(""), -infinite, 2.0F};
    EXPECT_EQ(selected(values, 1), (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(selected(values, 3), (std::vector<std::uint32_t>{1, 2, 3}));
}

TEST(WireType, SixteenBitsRoundToTheNearestNumber)
{
    // Known bit patterns of both formats (IEEE 754-2008 binary16; bfloat16 is the upper half of binary32).
    EXPECT_EQ(encode16(WireType::Fp16, 1.0F), 0x3c00);
    EXPECT_EQ(encode16(WireType::Fp16, -2.0F), 0xc000);
    EXPECT_EQ(encode16(WireType::Fp16, 65504.0F), 0x7bff);
    EXPECT_EQ(encode16(WireType::Fp16, 65519.0F), 0x7bff);
    EXPECT_EQ(encode16(WireType::Fp16, 65520.0F), 0x7c00);
    EXPECT_EQ(encode16(WireType::Fp16, 0x1p-14F), 0x0400);
    EXPECT_EQ(encode16(WireType::Fp16, 0x1p-24F), 0x0001);
    EXPECT_EQ(encode16(WireType::Fp16, 0x1p-25F), 0x0000) << "half way, to even";
    EXPECT_EQ(encode16(WireType::Fp16, 0x1.8p-24F), 0x0002) << "half way, to even";
    EXPECT_EQ(encode16(WireType::Fp16, 1.0F / 3.0F), 0x3555);
    EXPECT_EQ(encode16(WireType::Bf16, 1.0F), 0x3f80);
    EXPECT_EQ(encode16(WireType::Bf16, 0x1.01p0F), 0x3f80) << "half way, to even";
    EXPECT_EQ(encode16(WireType::Bf16, 0x1.03p0F), 0x3f82) << "half way, to even";
    EXPECT_EQ(encode16(WireType::Bf16, -3.14159274F), 0xc049);
}

TEST(WireType, EveryHalfComesBackAsItself)
{
    for (const WireType type : {WireType::Fp16, WireType::Bf16}) {
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            const auto half = static_cast<std::uint16_t>(bits);
            const float value = decode16(type, half);
            if (std::isnan(value))
                EXPECT_TRUE(std::isnan(decode16(type, encode16(type, value))));
            else
                ASSERT_EQ(encode16(type, value), half);
        }
    }
}

TEST(WireType, ArraysAreNumbersOneByOne)
{
    const std::vector<float> values = normalNumbers(1003, 4);
    for (const WireType type : {WireType::Fp16, WireType::Bf16}) {
        std::vector<std::uint16_t> bits(values.size());
        encode16(type, values, bits);
        std::vector<float> back(values.size());
        decode16(type, bits, back);
        const float step = type == WireType::Fp16 ? 0x1p-11F : 0x1p-8F;
        for (std::size_t i = 0; i < values.size(); ++i) {
            EXPECT_EQ(back[i], roundedToWire(type, values[i]));
            EXPECT_NEAR(back[i], values[i], step * std::abs(values[i]) + 0x1p-25F);
        }
    }
    EXPECT_EQ(roundedToWire(WireType::Fp32, 0.1F), 0.1F);
}

} // namespace
} // namespace quadric::trainer
