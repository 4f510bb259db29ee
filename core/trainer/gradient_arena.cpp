// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gradient_arena.h"

namespace quadric::trainer {

namespace {
constexpr std::size_t kFloatsPerLine = 16;
}

std::vector<ArenaSpan> layOut(std::span<const std::size_t> counts)
{
    std::vector<ArenaSpan> spans;
    std::size_t offset = 0;
    for (const std::size_t count : counts) {
        spans.push_back({offset, count});
        offset += (count + kFloatsPerLine - 1) / kFloatsPerLine * kFloatsPerLine;
    }
    return spans;
}

std::vector<ArenaSpan> makeBuckets(std::span<const ArenaSpan> tensors, std::size_t maximumBytes)
{
    std::vector<ArenaSpan> buckets;
    if (tensors.empty())
        return buckets;
    const std::size_t limit = maximumBytes / sizeof(float);
    std::size_t end = tensors.back().offset + tensors.back().count;
    std::size_t begin = end;
    for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
        if (begin < end && end - tensor->offset > limit) {
            buckets.push_back({begin, end - begin});
            end = begin;
        }
        begin = tensor->offset;
    }
    buckets.push_back({begin, end - begin});
    return buckets;
}

} // namespace quadric::trainer
