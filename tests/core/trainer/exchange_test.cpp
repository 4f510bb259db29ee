// SPDX-License-Identifier: GPL-3.0-or-later
// What travels between ranks: compression, number formats, bytes, emulated links.
#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/exchange/collective.h"

#include "core/trainer/base/exchange_options.h"
#include "rank_threads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <numeric>
#include <random>
#include <sys/socket.h>

namespace quadric::trainer {
namespace {

using testing::asRanks;

/// Bytes that the kernel has sent, and seen acknowledged, over all TCP connections that this process has
/// open.
double bytesAcknowledged()
{
    double total = 0.0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        tcp_info info{};
        socklen_t size = sizeof(info);
        if (getsockopt(std::stoi(entry.path().filename()), IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
            total += static_cast<double>(info.tcpi_bytes_acked);
    }
    return total;
}

constexpr std::size_t kGradients = 5000; // not a whole number of chunks
constexpr Bucket kBucket{1000, 3333, 3333};

std::vector<float> gradientsOf(int rank, int step)
{
    std::mt19937 random(static_cast<unsigned>(100 * step + rank));
    std::normal_distribution<float> normal;
    std::vector<float> values(kGradients);
    for (float& value : values)
        value = normal(random);
    return values;
}

const std::vector<ExchangeOptions> kCompressions = {
    {CompressionMethod::Topk, 90.0, WireType::Fp32},    {CompressionMethod::Topk, 70.0, WireType::Bf16},
    {CompressionMethod::Topk, 99.9, WireType::Fp16},    {CompressionMethod::Aligned, 90.0, WireType::Fp32},
    {CompressionMethod::Aligned, 50.0, WireType::Bf16}, {CompressionMethod::Aligned, 99.9, WireType::Fp16}};

std::string words(const ExchangeOptions& options)
{
    return std::string(options.method == CompressionMethod::Topk ? "topk " : "aligned ") +
           std::to_string(options.compressionPct) + " % at " + std::to_string(bytesOf(options.wire)) +
           " bytes";
}

/// What every rank holds after some steps: sums of each step, then the residual.
struct Trace {
    std::vector<std::vector<float>> sums;
    std::vector<float> residual;
};

std::vector<Trace> exchanged(int ranks, int steps, const ExchangeOptions& options)
{
    std::vector<Trace> traces(static_cast<std::size_t>(ranks));
    asRanks(ranks, [&](Collective& collective) {
        Trace& trace = traces[static_cast<std::size_t>(collective.rank())];
        const auto exchange = makeBucketExchange(collective, options, kGradients);
        for (int step = 0; step < steps; ++step) {
            trace.sums.push_back(gradientsOf(collective.rank(), step));
            exchange->sum(trace.sums.back(), kBucket);
        }
        trace.residual.assign(exchange->residual().begin(), exchange->residual().end());
    });
    return traces;
}

std::vector<float> inBucket(const std::vector<float>& all)
{
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(kBucket.offset);
    return {begin, begin + static_cast<std::ptrdiff_t>(kBucket.count)};
}

/// Sum over all ranks and steps, in double precision.
std::vector<double> everythingGiven(int ranks, int steps)
{
    std::vector<double> sum(kGradients, 0.0);
    for (int rank = 0; rank < ranks; ++rank) {
        for (int step = 0; step < steps; ++step) {
            const std::vector<float> gradients = gradientsOf(rank, step);
            for (std::size_t i = 0; i < kGradients; ++i)
                sum[i] += gradients[i];
        }
    }
    return sum;
}

TEST(BucketExchange, WhatIsSentAndWhatIsKeptIsAllThereWas)
{
    constexpr int kRanks = 3;
    constexpr int kSteps = 4;
    const std::vector<double> given = everythingGiven(kRanks, kSteps);
    for (const ExchangeOptions& options : kCompressions) {
        const std::vector<Trace> traces = exchanged(kRanks, kSteps, options);
        // Partial sums of 16 bits are rounded on the way, which no rank can put into its residual; top-k adds
        // in full precision.
        const bool isExact = options.wire == WireType::Fp32 || options.method == CompressionMethod::Topk;
        for (std::size_t i = kBucket.offset; i < kBucket.offset + kBucket.count; ++i) {
            double found = 0.0;
            for (const Trace& trace : traces)
                found += trace.residual[i];
            for (const std::vector<float>& sums : traces[0].sums)
                found += sums[i];
            ASSERT_NEAR(found, given[i], isExact ? 1e-5 : 0.15) << words(options) << ", gradient " << i;
        }
    }
}

TEST(BucketExchange, AllRanksEndUpWithTheSameBits)
{
    for (const int ranks : {2, 3}) {
        for (const ExchangeOptions& options : kCompressions) {
            const std::vector<Trace> traces = exchanged(ranks, 3, options);
            for (const Trace& trace : traces)
                for (std::size_t step = 0; step < trace.sums.size(); ++step)
                    ASSERT_EQ(inBucket(trace.sums[step]), inBucket(traces[0].sums[step])) << words(options);
        }
    }
}

TEST(BucketExchange, LeavesOtherBucketsAlone)
{
    for (const ExchangeOptions& options : kCompressions) {
        const std::vector<Trace> traces = exchanged(2, 1, options);
        const std::vector<float> given = gradientsOf(0, 0);
        for (std::size_t i = 0; i < kGradients; ++i) {
            const bool isOutside = i < kBucket.offset || i >= kBucket.offset + kBucket.count;
            ASSERT_TRUE(!isOutside || traces[0].sums[0][i] == given[i]) << words(options);
        }
    }
}

TEST(BucketExchange, TopkSendsTheLargestGradientsOfEachRank)
{
    const std::vector<Trace> traces = exchanged(2, 1, {CompressionMethod::Topk, 90.0, WireType::Fp32});
    std::vector<float> expected(kBucket.count, 0.0F);
    for (int rank = 0; rank < 2; ++rank) {
        const std::vector<float> all = gradientsOf(rank, 0);
        const std::span<const float> mine = std::span(all).subspan(kBucket.offset, kBucket.count);
        std::vector<std::uint32_t> positions;
        selectLargest(mine, 334, positions); // ⌈3333 × 0.1⌉
        for (const std::uint32_t position : positions)
            expected[position] += mine[position];
    }
    for (std::size_t i = 0; i < kBucket.count; ++i)
        ASSERT_EQ(traces[1].sums[0][kBucket.offset + i], expected[i]);
}

TEST(BucketExchange, AlignedSendsTheChunksThatAreLargestOverAllRanks)
{
    const std::vector<Trace> traces = exchanged(2, 1, {CompressionMethod::Aligned, 80.0, WireType::Fp32});
    // ⌈3333 × 0.2⌉ = 667 gradients are three chunks of 256, of the fourteen; the rest is zero.
    const std::vector<float> first = gradientsOf(0, 0);
    const std::vector<float> second = gradientsOf(1, 0);
    std::vector<std::pair<double, std::size_t>> scores;
    for (std::size_t begin = 0; begin < kBucket.count; begin += kAlignedChunk) {
        double score = 0.0;
        for (std::size_t i = begin; i < std::min(begin + kAlignedChunk, kBucket.count); ++i)
            score += std::pow(first[kBucket.offset + i], 2) + std::pow(second[kBucket.offset + i], 2);
        scores.emplace_back(score, begin);
    }
    std::ranges::sort(scores, std::greater<>());
    for (std::size_t rank = 0; rank < scores.size(); ++rank) {
        const std::size_t at = kBucket.offset + scores[rank].second;
        EXPECT_EQ(traces[0].sums[0][at], rank < 3 ? first[at] + second[at] : 0.0F) << "chunk at " << at;
    }
}

TEST(BucketExchange, ASelectionThatLetsAllPassIsNoCompression)
{
    const std::vector<Trace> plain = exchanged(2, 2, {});
    for (const CompressionMethod method : {CompressionMethod::Topk, CompressionMethod::Aligned}) {
        const std::vector<Trace> all = exchanged(2, 2, {method, 1e-6, WireType::Fp32});
        EXPECT_EQ(all[0].sums, plain[0].sums);
        for (const float left : all[1].residual)
            ASSERT_EQ(left, 0.0F);
    }
}

TEST(BucketExchange, SixteenBitsOnTheWireRoundEachGradient)
{
    for (const WireType wire : {WireType::Bf16, WireType::Fp16}) {
        const std::vector<Trace> traces = exchanged(2, 1, {CompressionMethod::Topk, 0.0, wire});
        const std::vector<float> first = gradientsOf(0, 0);
        const std::vector<float> second = gradientsOf(1, 0);
        for (std::size_t i = kBucket.offset; i < kBucket.offset + kBucket.count; ++i) {
            const float sum = roundedToWire(wire, first[i]) + roundedToWire(wire, second[i]);
            ASSERT_EQ(traces[0].sums[0][i], roundedToWire(wire, sum));
        }
    }
}

/// Bytes that a rank says it sent for one bucket.
std::uint64_t bytesFor(int ranks, const ExchangeOptions& options)
{
    std::uint64_t bytes = 0;
    asRanks(ranks, [&](Collective& collective) {
        std::vector<float> gradients = gradientsOf(collective.rank(), 0);
        makeBucketExchange(collective, options, kGradients)->sum(gradients, kBucket);
        if (collective.rank() == 0)
            bytes = collective.bytesSent();
    });
    return bytes;
}

TEST(BucketExchange, CountsTheBytesOfItsMessages)
{
    EXPECT_EQ(bytesFor(2, {}), 3333U * 4U);
    EXPECT_EQ(bytesFor(2, {CompressionMethod::Topk, 0.0, WireType::Bf16}), 3333U * 2U);
    EXPECT_EQ(bytesFor(3, {}), 2U * 2U * 3333U * 4U / 3U);
    EXPECT_EQ(bytesFor(2, {CompressionMethod::Topk, 90.0, WireType::Fp32}), 334U * 8U);
    EXPECT_EQ(bytesFor(3, {CompressionMethod::Topk, 90.0, WireType::Fp16}), 2U * 334U * 6U);
    // 14 scores and two chunks of 256.
    EXPECT_EQ(bytesFor(2, {CompressionMethod::Aligned, 90.0, WireType::Fp32}), (14U + 512U) * 4U);
}

TEST(BucketExchange, TheKernelCountsTheSameBytes)
{
    const std::vector<ExchangeOptions> all = {{},
                                              {CompressionMethod::Topk, 75.0, WireType::Fp32},
                                              {CompressionMethod::Aligned, 50.0, WireType::Bf16}};
    constexpr std::size_t kMany = 1'000'000;
    for (const ExchangeOptions& options : all) {
        asRanks(2, [&](Collective& collective) {
            std::vector<float> gradients(kMany, 1.0F);
            double ready = 0.0;
            collective.sum(std::span(&ready, 1));
            const double before = bytesAcknowledged();
            const std::uint64_t counted = collective.bytesSent();
            makeBucketExchange(collective, options, kMany)->sum(gradients, {0, kMany, kMany});
            collective.sum(std::span(&ready, 1));
            if (collective.rank() == 0) {
                // Both ranks are in this process and send the same.
                const double ours = 2.0 * static_cast<double>(collective.bytesSent() - counted);
                EXPECT_NEAR(bytesAcknowledged() - before, ours, 0.02 * ours) << words(options);
            }
            collective.sum(std::span(&ready, 1));
        });
    }
}

TEST(EmulatedLink, TakesLatencyAndBandwidth)
{
    EXPECT_DOUBLE_EQ(transferSeconds({1.0, 0.0}, 125e6, 2), 1.0);
    EXPECT_DOUBLE_EQ(transferSeconds({10.0, 50.0}, 1.25e6, 2), 1e-3 + 100e-6);
    EXPECT_DOUBLE_EQ(transferSeconds({0.0, 50.0}, 1e9, 3), 150e-6);
    EXPECT_FALSE(LinkSpeed{}.isEmulated());
}

TEST(EmulatedLink, IsNeverFasterThanTheNetworkThatItStandsFor)
{
    asRanks(2, [](Collective& collective) {
        const std::unique_ptr<Collective> slow = makeEmulatedLink(collective, {1.0, 1000.0});
        std::vector<float> values(125'000, 1.0F); // half a megabyte: 4 ms, and two messages of 1 ms
        const auto begin = std::chrono::steady_clock::now();
        slow->sum(std::span(values));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        EXPECT_GE(took.count(), 6e-3);
        EXPECT_EQ(values[77], 2.0F);
    });
}

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
