// SPDX-License-Identifier: GPL-3.0-or-later
// Compression on the GPU against its definition on the processor.
#include "core/trainer/cuda/kernels/kernels.h"
#include "core/trainer/exchange/bucket_exchange.h"

#include "device_fixture.h"

#include <limits>

namespace quadric::trainer::cuda {
namespace {

using testing::contents;
using testing::copied;
using testing::normalNumbers;

class SelectionOnGpu : public testing::OnGpu {
protected:
    struct Selected {
        std::vector<std::uint32_t> positions;
        std::vector<float> sent;
        std::vector<float> rest;
    };

    Selected select(const std::vector<float>& values, std::size_t wanted, WireType wire)
    {
        const DeviceMemory memory = copied(values);
        const DeviceMemory positions(wanted * sizeof(std::uint32_t));
        const DeviceMemory sent(wanted * sizeof(float));
        const DeviceMemory state(sizeof(RadixState));
        const DeviceMemory histogram(kRadixBins * sizeof(std::uint32_t));
        const DeviceMemory tiles(2 * selectionTiles(values.size()) * sizeof(std::uint32_t));
        selectLargestOnDevice(
            memory.as<float>(), values.size(), wanted, {positions.as<std::uint32_t>(), sent.data(), wire},
            {state.as<RadixState>(), histogram.as<std::uint32_t>(), tiles.as<std::uint32_t>()}, stream());
        const DeviceMemory decoded(wanted * sizeof(float));
        decodeFromWire(sent.data(), decoded.as<float>(), wanted, wire, stream());
        queue().wait();
        EXPECT_EQ(contents<std::uint32_t>(histogram, kRadixBins), std::vector<std::uint32_t>(kRadixBins, 0));
        return {contents<std::uint32_t>(positions, wanted), contents<float>(decoded, wanted),
                contents<float>(memory, values.size())};
    }
};

TEST_F(SelectionOnGpu, SendsWhatTheProcessorSendsAndKeepsTheRest)
{
    for (const std::size_t size :
         {std::size_t{1}, std::size_t{255}, kSelectionTile, kSelectionTile + 1, testing::kLargeBucket}) {
        std::vector<float> values = normalNumbers(size, 0.0F, static_cast<unsigned>(size));
        for (std::size_t i = 0; i < size; i += 7)
            values[i] = i % 2 == 0 ? 1.5F : -1.5F; // many ties
        for (const std::size_t wanted : {std::size_t{1}, size / 100 + 1, size / 7 + 1, size}) {
            for (const WireType wire : {WireType::Fp32, WireType::Bf16, WireType::Fp16}) {
                const Selected found = select(values, wanted, wire);
                std::vector<std::uint32_t> expected;
                selectLargest(values, wanted, expected);
                ASSERT_EQ(found.positions, expected) << wanted << " of " << size;
                std::vector<float> rest = values;
                for (std::size_t i = 0; i < wanted; ++i) {
                    const float value = values[expected[i]];
                    ASSERT_EQ(found.sent[i], roundedToWire(wire, value));
                    rest[expected[i]] = value - roundedToWire(wire, value);
                }
                ASSERT_EQ(found.rest, rest);
            }
        }
    }
}

TEST_F(SelectionOnGpu, NanComesFirst)
{
    std::vector<float> values = normalNumbers(9000, 0.0F, 1);
    values[8000] = std::numeric_limits<float>::quiet_NaN();
    values[5] = std::numeric_limits<float>::infinity();
    EXPECT_EQ(select(values, 1, WireType::Fp32).positions, std::vector<std::uint32_t>{8000});
    EXPECT_EQ(select(values, 2, WireType::Fp32).positions, (std::vector<std::uint32_t>{5, 8000}));
}

TEST_F(SelectionOnGpu, ResidualsAreAddedAndMessagesToo)
{
    const std::vector<float> residual = normalNumbers(10000, 0.0F, 1);
    const std::vector<float> gradients = normalNumbers(10000, 0.0F, 2);
    const DeviceMemory memory = copied(residual);
    addToResidual(memory.as<float>(), copied(gradients).as<float>(), residual.size(), stream());
    queue().wait();
    const std::vector<float> sums = contents<float>(memory, residual.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
        ASSERT_EQ(sums[i], residual[i] + gradients[i]);
    const std::vector<std::uint32_t> positions = {3, 70, 9999};
    const std::vector<float> sent = {1.0F, -2.0F, 0.5F};
    const DeviceMemory places = copied(positions);
    const DeviceMemory values = copied(sent);
    addSent(memory.as<float>(), places.as<std::uint32_t>(), values.data(), 3, WireType::Fp32, stream());
    queue().wait();
    const std::vector<float> added = contents<float>(memory, residual.size());
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_EQ(added[positions[i]], sums[positions[i]] + sent[i]);
}

TEST_F(SelectionOnGpu, ChunksAreScoredPackedAndUnpacked)
{
    constexpr std::size_t kCount = 5000; // the last chunk is short
    const std::vector<float> values = normalNumbers(kCount, 0.0F, 1);
    constexpr std::size_t kChunks = (kCount + kAlignedChunk - 1) / kAlignedChunk;
    const DeviceMemory scores(kChunks * sizeof(float));
    const DeviceMemory memory = copied(values);
    scoreChunks(memory.as<float>(), kCount, scores.as<float>(), stream());
    const std::vector<std::uint32_t> chunks = {2, kChunks - 1};
    const DeviceMemory chosen = copied(chunks);
    const DeviceMemory message(2 * kAlignedChunk * sizeof(std::uint16_t));
    const DeviceMemory unpacked(kCount * sizeof(float));
    packChunks(memory.as<float>(), kCount, chosen.as<std::uint32_t>(), 2, WireType::Bf16, message.data(),
               stream());
    unpackChunks(unpacked.as<float>(), kCount, chosen.as<std::uint32_t>(), 2, WireType::Bf16, message.data(),
                 stream());
    queue().wait();
    const std::vector<float> found = contents<float>(scores, kChunks);
    std::vector<double> expected(kChunks, 0.0);
    for (std::size_t i = 0; i < kCount; ++i)
        expected[i / kAlignedChunk] += std::pow(values[i], 2);
    for (std::size_t chunk = 0; chunk < kChunks; ++chunk)
        EXPECT_NEAR(found[chunk], expected[chunk], 1e-5 * expected[chunk]);
    const std::vector<float> rest = contents<float>(memory, kCount);
    const std::vector<float> sums = contents<float>(unpacked, kCount);
    for (std::size_t i = 0; i < kCount; ++i) {
        const bool isChosen = i / kAlignedChunk == 2 || i / kAlignedChunk == kChunks - 1;
        const float sent = isChosen ? roundedToWire(WireType::Bf16, values[i]) : 0.0F;
        ASSERT_EQ(sums[i], sent) << i;
        ASSERT_EQ(rest[i], values[i] - sent) << i;
    }
}

TEST_F(SelectionOnGpu, NumbersOfSixteenBitsAreThoseOfTheProcessor)
{
    std::vector<float> values = normalNumbers(100000, 0.0F, 1);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::ldexp(values[i], static_cast<int>(i % 60) - 40);
    const DeviceMemory memory = copied(values);
    for (const WireType wire : {WireType::Bf16, WireType::Fp16}) {
        const DeviceMemory bits(values.size() * sizeof(std::uint16_t));
        encodeForWire(memory.as<float>(), bits.data(), values.size(), wire, stream());
        queue().wait();
        std::vector<std::uint16_t> expected(values.size());
        encode16(wire, values, expected);
        EXPECT_EQ(contents<std::uint16_t>(bits, values.size()), expected);
    }
}

} // namespace
} // namespace quadric::trainer::cuda
