// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cpu/buffer_pool.h"

#include <cstring>
#include <new>

namespace quadric::trainer {

namespace {
constexpr std::align_val_t kAlignment{64};
constexpr std::size_t kLargestWaste = 2; ///< a free buffer up to this many times too large is reused
} // namespace

void BufferPool::Free::operator()(std::byte* memory) const
{
    ::operator delete[](memory, kAlignment);
}

BufferPool::Claim BufferPool::claim(std::size_t bytes)
{
    m_claimedBytes += bytes;
    Buffer* best = nullptr;
    for (const auto& buffer : *m_buffers) {
        const bool fits =
            !buffer->claimed && buffer->bytes >= bytes && buffer->bytes <= bytes * kLargestWaste;
        if (fits && (best == nullptr || buffer->bytes < best->bytes))
            best = buffer.get();
    }
    return best == nullptr ? addBuffer(bytes) : handOut(m_buffers, best);
}

BufferPool::Claim BufferPool::claimNew(std::size_t bytes)
{
    m_claimedBytes += bytes;
    return addBuffer(bytes);
}

BufferPool::Claim BufferPool::addBuffer(std::size_t bytes)
{
    auto buffer = std::make_unique<Buffer>();
    buffer->memory.reset(new (kAlignment) std::byte[bytes]);
    buffer->bytes = bytes;
    std::memset(buffer->memory.get(), 0, bytes);
    return handOut(m_buffers, m_buffers->emplace_back(std::move(buffer)).get());
}

BufferPool::Claim BufferPool::handOut(const std::shared_ptr<Buffers>& buffers, Buffer* buffer)
{
    buffer->claimed = true;
    return {buffer->memory.get(), [buffers, buffer](std::byte*) { buffer->claimed = false; }};
}

std::size_t BufferPool::bytes() const
{
    std::size_t total = 0;
    for (const auto& buffer : *m_buffers)
        total += buffer->bytes;
    return total;
}

} // namespace quadric::trainer
