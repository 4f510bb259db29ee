// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/exchange_options.h"

#include "core/trainer/base/number_format.h"

namespace quadric::trainer {

std::size_t bytesOf(WireType type)
{
    return type == WireType::Fp32 ? 4 : 2;
}

std::uint16_t encode16(WireType type, float value)
{
    return type == WireType::Bf16 ? toBf16(value) : toFp16(value);
}

float decode16(WireType type, std::uint16_t bits)
{
    return type == WireType::Bf16 ? fromBf16(bits) : fromFp16(bits);
}

void encode16(WireType type, std::span<const float> values, std::span<std::uint16_t> bits)
{
    const float* from = values.data();
    std::uint16_t* to = bits.data();
    const std::size_t count = values.size();
    if (type == WireType::Bf16) {
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i)
            to[i] = toBf16(from[i]);
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        to[i] = toFp16(from[i]);
}

void decode16(WireType type, std::span<const std::uint16_t> bits, std::span<float> values)
{
    const std::uint16_t* from = bits.data();
    float* to = values.data();
    const std::size_t count = values.size();
    if (type == WireType::Bf16) {
#pragma omp simd
        for (std::size_t i = 0; i < count; ++i)
            to[i] = fromBf16(from[i]);
        return;
    }
    for (std::size_t i = 0; i < count; ++i)
        to[i] = fromFp16(from[i]);
}

float roundedToWire(WireType type, float value)
{
    return type == WireType::Fp32 ? value : decode16(type, encode16(type, value));
}

namespace {

constexpr std::size_t kFloatsPerLine = 16;

} // namespace

std::vector<ArenaSpan> layOut(std::span<const std::size_t> counts)
{
    std::vector<ArenaSpan> spans;
    spans.reserve(counts.size());
    std::size_t offset = 0;
    for (const std::size_t count : counts) {
        spans.push_back({offset, count});
        offset += (count + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine;
    }
    return spans;
}

std::vector<Bucket> makeBuckets(std::span<const ArenaSpan> tensors, std::span<const std::size_t> gradients,
                                std::size_t maximumBytes)
{
    std::vector<Bucket> buckets;
    if (tensors.empty())
        return buckets;
    const std::size_t limit = maximumBytes / sizeof(float);
    const std::size_t end = tensors.back().offset + tensors.back().count;
    Bucket bucket{end, 0, 0};
    for (std::size_t i = tensors.size(); i-- > 0;) {
        if (bucket.count > 0 && bucket.gradients + gradients[i] > limit) {
            buckets.push_back(bucket);
            bucket = {bucket.offset, 0, 0};
        }
        bucket.count += bucket.offset - tensors[i].offset;
        bucket.offset = tensors[i].offset;
        bucket.gradients += gradients[i];
    }
    buckets.push_back(bucket);
    return buckets;
}

} // namespace quadric::trainer
