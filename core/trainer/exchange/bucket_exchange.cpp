// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/bucket_exchange.h"

#include "core/trainer/base/number_format.h"
#include "core/trainer/base/openmp_place.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <numeric>

namespace quadric::trainer {

GradientReducer::GradientReducer(BucketExchange& exchange, std::span<float> gradients,
                                 std::vector<Bucket> buckets, bool overlap)
    : m_exchange(exchange)
    , m_gradients(gradients)
    , m_buckets(std::move(buckets))
    , m_overlap(overlap)
{
    if (m_overlap)
        m_thread = std::jthread([this](const std::stop_token& stop) {
            leaveOpenMpPlace(); // that of the thread that computes
            exchangeWhenFinal(stop);
        });
}

GradientReducer::~GradientReducer() = default;

void GradientReducer::finalFrom(std::size_t offset)
{
    if (!m_overlap)
        return;
    const std::lock_guard lock(m_mutex);
    const std::size_t before = m_final;
    while (m_final < m_buckets.size() && m_buckets[m_final].offset >= offset)
        ++m_final;
    if (m_final > before)
        m_changed.notify_all();
}

void GradientReducer::finish()
{
    if (!m_overlap) {
        for (const Bucket& bucket : m_buckets)
            m_exchange.sum(m_gradients, bucket);
        return;
    }
    finalFrom(0);
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_error || m_done == m_buckets.size(); });
    if (m_error)
        std::rethrow_exception(m_error);
    m_final = 0;
    m_done = 0;
}

void GradientReducer::exchangeWhenFinal(const std::stop_token& stop)
{
    std::unique_lock lock(m_mutex);
    while (m_changed.wait(lock, stop, [this] { return m_done < m_final; })) {
        const Bucket bucket = m_buckets[m_done];
        lock.unlock();
        std::exception_ptr error;
        try {
            m_exchange.sum(m_gradients, bucket);
        } catch (...) {
            error = std::current_exception();
        }
        lock.lock();
        m_error = error;
        ++m_done;
        m_changed.notify_all();
        if (error)
            return;
    }
}

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

/// What both compressions share: the residual and the clock.
class CompressedExchange : public BucketExchange {
public:
    CompressedExchange(Collective& collective, const ExchangeOptions& options, std::size_t gradients)
        : m_collective(collective)
        , m_options(options)
        , m_residual(gradients, 0.0F)
    {
    }

    void sum(std::span<float> gradients, const Bucket& bucket) final
    {
        const std::span<float> values = gradients.subspan(bucket.offset, bucket.count);
        const std::span<float> pending = std::span(m_residual).subspan(bucket.offset, bucket.count);
        timed([&] { add(pending, values); });
        exchange(pending, bucket.gradients, values);
    }

    void reset() final { std::ranges::fill(m_residual, 0.0F); }

    std::span<const float> residual() const final { return m_residual; }
    double selectionSeconds() const final { return m_selectionSeconds; }

protected:
    /// `pending` holds the gradients of a bucket with the residual of earlier steps; on return it holds what
    /// this rank did not send, and `sums` what all ranks sent. `gradients` of them are gradients.
    virtual void exchange(std::span<float> pending, std::size_t gradients, std::span<float> sums) = 0;

    /// Runs `work` and counts its time as selection.
    template <typename Work> void timed(const Work& work)
    {
        using Clock = std::chrono::steady_clock;
        const Clock::time_point begin = Clock::now();
        work();
        m_selectionSeconds += std::chrono::duration<double>(Clock::now() - begin).count();
    }

    Collective& m_collective;
    ExchangeOptions m_options;

private:
    std::vector<float> m_residual;
    double m_selectionSeconds = 0.0;
};

class TopkExchange final : public CompressedExchange {
public:
    using CompressedExchange::CompressedExchange;

protected:
    void exchange(std::span<float> pending, std::size_t gradients, std::span<float> sums) override
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

private:
    /// All positions, then all values.
    void pack(std::span<float> pending)
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

    void addSent(std::span<const std::byte> message, std::span<float> sums) const
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

    std::vector<std::uint32_t> m_positions;
    std::vector<std::byte> m_mine;
    std::vector<std::byte> m_all;
};

class AlignedExchange final : public CompressedExchange {
public:
    using CompressedExchange::CompressedExchange;

protected:
    /// Chunks hold what fills the arena up as well: their share is that of the compression.
    void exchange(std::span<float> pending, std::size_t, std::span<float> sums) override
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

private:
    void score(std::span<const float> pending)
    {
        m_scores.resize((pending.size() + kAlignedChunk - 1) / kAlignedChunk);
        for (std::size_t chunk = 0; chunk < m_scores.size(); ++chunk)
            m_scores[chunk] = energy(chunkOf(pending, chunk));
    }

    void pack(std::span<float> pending)
    {
        m_packed.clear();
        for (const std::uint32_t chunk : m_chunks) {
            const std::span<float> chosen = chunkOf(pending, chunk);
            m_packed.insert(m_packed.end(), chosen.begin(), chosen.end());
            for (float& value : chosen)
                value -= roundedToWire(m_options.wire, value);
        }
    }

    void sumPacked()
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

    void unpack(std::span<float> sums) const
    {
        std::ranges::fill(sums, 0.0F);
        auto from = m_packed.begin();
        for (const std::uint32_t chunk : m_chunks) {
            const std::span<float> target = chunkOf(sums, chunk);
            std::copy_n(from, target.size(), target.begin());
            from += static_cast<std::ptrdiff_t>(target.size());
        }
    }

    std::vector<float> m_scores;
    std::vector<std::uint32_t> m_chunks;
    std::vector<float> m_packed;
    std::vector<std::uint16_t> m_encoded;
};

constexpr int kBinShift = 20; ///< 2048 bins: exponent and three bits of the mantissa

/// Entries above `threshold` are selected, and the first `ties` of those equal to it.
struct Cut {
    std::uint32_t threshold = 0;
    std::size_t ties = 0;
};

Cut findSelectionCut(std::span<const float> values, std::size_t count)
{
    std::array<std::size_t, std::size_t{1} << (31 - kBinShift)> histogram{};
    for (const float value : values)
        ++histogram[magnitudeBits(value) >> kBinShift];
    std::size_t bin = histogram.size() - 1;
    std::size_t above = 0;
    while (above + histogram[bin] < count)
        above += histogram[bin--];

    std::vector<std::uint32_t> contested;
    contested.reserve(histogram[bin]);
    for (const float value : values) {
        if (magnitudeBits(value) >> kBinShift == bin)
            contested.push_back(magnitudeBits(value));
    }
    const auto last = contested.begin() + static_cast<std::ptrdiff_t>(count - above - 1);
    std::ranges::nth_element(contested, last, std::greater<>());
    const std::uint32_t threshold = *last;
    const auto larger =
        std::count_if(contested.begin(), last, [threshold](std::uint32_t bits) { return bits > threshold; });
    return {threshold, count - above - static_cast<std::size_t>(larger)};
}

/// Everything is sent, in the number format of the wire.
class PlainExchange final : public BucketExchange {
public:
    PlainExchange(Collective& collective, WireType wire)
        : m_collective(collective)
        , m_wire(wire)
    {
    }

    void sum(std::span<float> gradients, const Bucket& bucket) override
    {
        const std::span<float> values = gradients.subspan(bucket.offset, bucket.count);
        if (m_wire == WireType::Fp32) {
            m_collective.sum(values);
            return;
        }
        m_encoded.resize(values.size());
        encode16(m_wire, values, m_encoded);
        m_collective.sum(m_encoded, m_wire);
        decode16(m_wire, m_encoded, values);
    }

private:
    Collective& m_collective;
    WireType m_wire;
    std::vector<std::uint16_t> m_encoded;
};

} // namespace

std::size_t sentEntries(std::size_t count, double percent)
{
    if (count == 0)
        return 0;
    const double kept = static_cast<double>(count) * (100.0 - percent) / 100.0;
    return std::clamp(static_cast<std::size_t>(std::ceil(kept)), std::size_t{1}, count);
}

void selectLargest(std::span<const float> values, std::size_t count, std::vector<std::uint32_t>& positions)
{
    positions.resize(count);
    if (count >= values.size()) {
        std::iota(positions.begin(), positions.end(), 0U);
        return;
    }
    if (count == 0)
        return;
    Cut cut = findSelectionCut(values, count);
    std::size_t found = 0;
    for (std::size_t i = 0; found < count; ++i) {
        const std::uint32_t bits = magnitudeBits(values[i]);
        const bool isTie = bits == cut.threshold && cut.ties > 0;
        if (bits > cut.threshold || isTie) {
            positions[found++] = static_cast<std::uint32_t>(i);
            cut.ties -= isTie ? 1 : 0;
        }
    }
}

std::unique_ptr<BucketExchange> makeBucketExchange(Collective& collective, const ExchangeOptions& options,
                                                   std::size_t gradients)
{
    if (options.compressionPct <= 0.0)
        return std::make_unique<PlainExchange>(collective, options.wire);
    if (options.method == CompressionMethod::Topk)
        return std::make_unique<TopkExchange>(collective, options, gradients);
    return std::make_unique<AlignedExchange>(collective, options, gradients);
}

} // namespace quadric::trainer
