// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/compressed_exchange.h"

#include "core/trainer/exchange/selection.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace quadric::trainer {

namespace {

template <typename Number> std::span<Number> chunkOf(std::span<Number> values, std::size_t chunk)
{
    const std::size_t begin = chunk * kAlignedChunk;
    return values.subspan(begin, std::min(kAlignedChunk, values.size() - begin));
}

float energy(std::span<const float> values)
{
    const float* value = values.data();
    const std::size_t count = values.size();
    float sum = 0.0F;
#pragma omp simd reduction(+ : sum)
    for (std::size_t i = 0; i < count; ++i)
        sum += value[i] * value[i];
    return sum;
}

void add(std::span<float> sum, std::span<const float> values)
{
    float* total = sum.data();
    const float* value = values.data();
    const std::size_t count = sum.size();
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i)
        total[i] += value[i];
}

} // namespace

template <typename Work> void CompressedExchange::timed(const Work& work)
{
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    work();
    m_selectionSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
}

void CompressedExchange::sum(std::span<float> gradients, const Bucket& bucket)
{
    const std::span<float> values = gradients.subspan(bucket.offset, bucket.count);
    const std::span<float> pending = std::span(m_residual).subspan(bucket.offset, bucket.count);
    timed([&] { add(pending, values); });
    exchange(pending, bucket.gradients, values);
}

void CompressedExchange::reset()
{
    std::ranges::fill(m_residual, 0.0F);
}

void TopkExchange::exchange(std::span<float> pending, std::size_t gradients, std::span<float> sums)
{
    timed([&] {
        selectLargest(pending, sentEntries(gradients, m_options.compressionPct), m_positions);
        pack(pending);
    });
    m_all.resize(m_mine.size() * static_cast<std::size_t>(m_collective.size()));
    m_collective.gather(m_mine, m_all);
    timed([&] {
        std::ranges::fill(sums, 0.0F);
        for (std::size_t begin = 0; begin < m_all.size(); begin += m_mine.size())
            addSent(std::span(m_all).subspan(begin, m_mine.size()), sums);
    });
}

/// All positions, then all values.
void TopkExchange::pack(std::span<float> pending)
{
    const std::size_t valueBytes = bytesOf(m_options.wire);
    m_mine.resize(m_positions.size() * (sizeof(std::uint32_t) + valueBytes));
    std::memcpy(m_mine.data(), m_positions.data(), m_positions.size() * sizeof(std::uint32_t));
    std::byte* target = m_mine.data() + m_positions.size() * sizeof(std::uint32_t);
    for (const std::uint32_t position : m_positions) {
        const float value = pending[position];
        if (m_options.wire == WireType::Fp32) {
            std::memcpy(target, &value, valueBytes);
        } else {
            const std::uint16_t bits = encode16(m_options.wire, value);
            std::memcpy(target, &bits, valueBytes);
        }
        pending[position] = value - roundedToWire(m_options.wire, value);
        target += valueBytes;
    }
}

void TopkExchange::addSent(std::span<const std::byte> message, std::span<float> sums) const
{
    const std::size_t valueBytes = bytesOf(m_options.wire);
    const std::byte* position = message.data();
    const std::byte* sent = position + m_positions.size() * sizeof(std::uint32_t);
    for (std::size_t i = 0; i < m_positions.size(); ++i) {
        std::uint32_t index = 0;
        std::memcpy(&index, position + i * sizeof(index), sizeof(index));
        float value = 0.0F;
        if (m_options.wire == WireType::Fp32) {
            std::memcpy(&value, sent + i * valueBytes, valueBytes);
        } else {
            std::uint16_t bits = 0;
            std::memcpy(&bits, sent + i * valueBytes, valueBytes);
            value = decode16(m_options.wire, bits);
        }
        sums[index] += value;
    }
}

/// Chunks hold what fills the arena up as well: their share is that of the compression.
void AlignedExchange::exchange(std::span<float> pending, std::size_t, std::span<float> sums)
{
    timed([&] { score(pending); });
    m_collective.sum(std::span(m_scores));
    timed([&] {
        const std::size_t entries = sentEntries(pending.size(), m_options.compressionPct);
        selectLargest(m_scores, (entries + kAlignedChunk - 1) / kAlignedChunk, m_chunks);
        pack(pending);
    });
    sumPacked();
    timed([&] { unpack(sums); });
}

void AlignedExchange::score(std::span<const float> pending)
{
    m_scores.resize((pending.size() + kAlignedChunk - 1) / kAlignedChunk);
    for (std::size_t chunk = 0; chunk < m_scores.size(); ++chunk)
        m_scores[chunk] = energy(chunkOf(pending, chunk));
}

void AlignedExchange::pack(std::span<float> pending)
{
    m_packed.clear();
    for (const std::uint32_t chunk : m_chunks) {
        const std::span<float> chosen = chunkOf(pending, chunk);
        m_packed.insert(m_packed.end(), chosen.begin(), chosen.end());
        for (float& value : chosen)
            value -= roundedToWire(m_options.wire, value);
    }
}

void AlignedExchange::sumPacked()
{
    if (m_options.wire == WireType::Fp32) {
        m_collective.sum(std::span(m_packed));
        return;
    }
    m_encoded.resize(m_packed.size());
    encode16(m_options.wire, m_packed, m_encoded);
    m_collective.sum(m_encoded, m_options.wire);
    decode16(m_options.wire, m_encoded, m_packed);
}

void AlignedExchange::unpack(std::span<float> sums) const
{
    std::ranges::fill(sums, 0.0F);
    auto from = m_packed.begin();
    for (const std::uint32_t chunk : m_chunks) {
        const std::span<float> target = chunkOf(sums, chunk);
        std::copy_n(from, target.size(), target.begin());
        from += static_cast<std::ptrdiff_t>(target.size());
    }
}

} // namespace quadric::trainer
