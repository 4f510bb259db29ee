// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/offset_allocator.h"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace quadric::trainer::cuda {

Block OffsetAllocator::allocate(std::size_t bytes)
{
    const std::size_t size = std::max(kAlignment, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    auto best = m_free.end();
    for (auto stretch = m_free.begin(); stretch != m_free.end(); ++stretch) {
        if (stretch->second >= size && (best == m_free.end() || stretch->second < best->second))
            best = stretch;
    }
    std::size_t offset = m_end;
    if (best != m_free.end()) {
        offset = best->first;
        const std::size_t rest = best->second - size;
        m_free.erase(best);
        if (rest > 0)
            m_free[offset + size] = rest;
    } else if (!m_free.empty() && std::prev(m_free.end())->first + std::prev(m_free.end())->second == m_end) {
        offset = std::prev(m_free.end())->first; // the last stretch is free: it only has to grow
        m_free.erase(offset);
        m_end = offset + size;
    } else {
        m_end += size;
    }
    m_used[offset] = size;
    return {offset, bytes};
}

void OffsetAllocator::release(const Block& block)
{
    const auto used = m_used.find(block.offset);
    if (used == m_used.end())
        throw std::logic_error("released a stretch of the arena that nobody has");
    auto stretch = m_free.emplace(used->first, used->second).first;
    m_used.erase(used);
    if (const auto next = std::next(stretch);
        next != m_free.end() && stretch->first + stretch->second == next->first) {
        stretch->second += next->second;
        m_free.erase(next);
    }
    if (stretch == m_free.begin())
        return;
    const auto before = std::prev(stretch);
    if (before->first + before->second == stretch->first) {
        before->second += stretch->second;
        m_free.erase(stretch);
    }
}

} // namespace quadric::trainer::cuda
