// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/base/gradient_arena.h"

namespace quadric::trainer {

namespace {
constexpr std::size_t kFloatsPerLine = 16;
}

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
