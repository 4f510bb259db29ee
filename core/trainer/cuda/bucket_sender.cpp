// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/bucket_sender.h"

#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/exchange/selection.h"

#include <algorithm>

namespace quadric::trainer::cuda {

namespace {

std::size_t largestBucket(const GpuGradients& gradients)
{
    std::size_t largest = 0;
    for (const Bucket& bucket : gradients.buckets)
        largest = std::max(largest, bucket.count);
    return largest;
}

/// What a rank sends in a ring all-reduce, as the collective of the processors counts it.
double ringBytes(std::size_t bytes, int ranks)
{
    return 2.0 * (ranks - 1) * static_cast<double>(bytes) / ranks;
}

class PlainSender final : public BucketSender {
public:
    PlainSender(const Communicator& communicator, WireType wire, const GpuGradients& gradients)
        : m_communicator(communicator)
        , m_wire(wire)
        , m_gradients(gradients.data)
        , m_message(wire == WireType::Fp32 ? 0 : largestBucket(gradients) * bytesOf(wire))
    {
    }

    void send(const Bucket& bucket, const Stream& stream) override
    {
        float* values = m_gradients + bucket.offset;
        if (m_wire == WireType::Fp32) {
            m_communicator.sum(values, bucket.count, stream.get());
            return;
        }
        encodeForWire(values, m_message.data(), bucket.count, m_wire, stream.get());
        m_communicator.sum(m_message.data(), bucket.count, m_wire, stream.get());
        decodeFromWire(m_message.data(), values, bucket.count, m_wire, stream.get());
    }
    double bytesFor(const Bucket& bucket) const override
    {
        return ringBytes(bucket.count * bytesOf(m_wire), m_communicator.size());
    }

private:
    const Communicator& m_communicator;
    WireType m_wire;
    float* m_gradients;
    DeviceMemory m_message;
};

/// Residual and memory of a compression.
class CompressedSender : public BucketSender {
public:
    CompressedSender(const Communicator& communicator, const ExchangeOptions& options,
                     const GpuGradients& gradients, SelectionClock& clock)
        : m_communicator(communicator)
        , m_options(options)
        , m_clock(clock)
        , m_gradients(gradients.data)
        , m_residual(gradients.count * sizeof(float))
        , m_state(sizeof(RadixState))
        , m_histogram(kRadixBins * sizeof(std::uint32_t))
        , m_tiles(2 * selectionTiles(largestBucket(gradients)) * sizeof(std::uint32_t))
    {
    }

    void reset() override
    {
        QUADRIC_CHECKED(cudaMemset(m_residual.data(), 0, m_residual.bytes()));
        QUADRIC_CHECKED(cudaDeviceSynchronize());
    }

protected:
    SelectionScratch scratch() const
    {
        return {m_state.as<RadixState>(), m_histogram.as<std::uint32_t>(), m_tiles.as<std::uint32_t>()};
    }
    float* pending(const Bucket& bucket) const { return m_residual.as<float>() + bucket.offset; }
    float* sums(const Bucket& bucket) const { return m_gradients + bucket.offset; }
    void clearSums(const Bucket& bucket, const Stream& stream) const
    {
        QUADRIC_CHECKED(cudaMemsetAsync(sums(bucket), 0, bucket.count * sizeof(float), stream.get()));
    }

    const Communicator& m_communicator;
    ExchangeOptions m_options;
    SelectionClock& m_clock;

private:
    float* m_gradients;
    DeviceMemory m_residual, m_state, m_histogram, m_tiles;
};

class TopkSender final : public CompressedSender {
public:
    TopkSender(const Communicator& communicator, const ExchangeOptions& options,
               const GpuGradients& gradients, SelectionClock& clock)
        : CompressedSender(communicator, options, gradients, clock)
        , m_mine(messageBytes(sentEntries(largestBucket(gradients), options.compressionPct)))
        , m_all(m_mine.bytes() * static_cast<std::size_t>(communicator.size()))
    {
    }

    void send(const Bucket& bucket, const Stream& stream) override
    {
        const std::size_t entries = sentEntries(bucket.gradients, m_options.compressionPct);
        const std::size_t bytes = messageBytes(entries);
        m_clock.timed(stream, [&] {
            addToResidual(pending(bucket), sums(bucket), bucket.count, stream.get());
            const SelectionTarget message{m_mine.as<std::uint32_t>(),
                                          m_mine.as<std::byte>(positionBytes(entries)), m_options.wire};
            selectLargestOnDevice(pending(bucket), bucket.count, entries, message, scratch(), stream.get());
        });
        m_communicator.gather(m_mine.data(), m_all.data(), bytes, stream.get());
        m_clock.timed(stream, [&] { addMessages(bucket, entries, stream); });
    }
    double bytesFor(const Bucket& bucket) const override
    {
        const std::size_t bytes = messageBytes(sentEntries(bucket.gradients, m_options.compressionPct));
        return static_cast<double>(bytes) * (m_communicator.size() - 1);
    }

private:
    static std::size_t positionBytes(std::size_t entries) { return entries * sizeof(std::uint32_t); }
    /// All positions, then all values; whole words, so that the message of every rank is aligned.
    std::size_t messageBytes(std::size_t entries) const
    {
        constexpr std::size_t kWord = 4;
        return positionBytes(entries) + (entries * bytesOf(m_options.wire) + kWord - 1) / kWord * kWord;
    }
    /// One rank after the other, so that all ranks round alike.
    void addMessages(const Bucket& bucket, std::size_t entries, const Stream& stream) const
    {
        clearSums(bucket, stream);
        for (int rank = 0; rank < m_communicator.size(); ++rank) {
            const std::size_t begin = static_cast<std::size_t>(rank) * messageBytes(entries);
            addSent(sums(bucket), m_all.as<std::uint32_t>(begin),
                    m_all.as<std::byte>(begin + positionBytes(entries)), entries, m_options.wire,
                    stream.get());
        }
    }

    DeviceMemory m_mine, m_all;
};

class AlignedSender final : public CompressedSender {
public:
    AlignedSender(const Communicator& communicator, const ExchangeOptions& options,
                  const GpuGradients& gradients, SelectionClock& clock)
        : CompressedSender(communicator, options, gradients, clock)
        , m_scores(chunksOf(largestBucket(gradients)) * sizeof(float))
        , m_chosen(chunksOf(largestBucket(gradients)) * sizeof(std::uint32_t))
        , m_message(chosenOf(largestBucket(gradients)) * kAlignedChunk * bytesOf(options.wire))
    {
    }

    void send(const Bucket& bucket, const Stream& stream) override
    {
        const std::size_t chunks = chunksOf(bucket.count);
        const std::size_t chosen = chosenOf(bucket.count);
        auto* positions = m_chosen.as<std::uint32_t>();
        m_clock.timed(stream, [&] {
            addToResidual(pending(bucket), sums(bucket), bucket.count, stream.get());
            scoreChunks(pending(bucket), bucket.count, m_scores.as<float>(), stream.get());
        });
        m_communicator.sum(m_scores.as<float>(), chunks, stream.get());
        m_clock.timed(stream, [&] {
            selectLargestOnDevice(m_scores.as<float>(), chunks, chosen, {positions, nullptr, WireType::Fp32},
                                  scratch(), stream.get());
            packChunks(pending(bucket), bucket.count, positions, chosen, m_options.wire, m_message.data(),
                       stream.get());
        });
        m_communicator.sum(m_message.data(), chosen * kAlignedChunk, m_options.wire, stream.get());
        m_clock.timed(stream, [&] {
            clearSums(bucket, stream);
            unpackChunks(sums(bucket), bucket.count, positions, chosen, m_options.wire, m_message.data(),
                         stream.get());
        });
    }
    double bytesFor(const Bucket& bucket) const override
    {
        const std::size_t message = chosenOf(bucket.count) * kAlignedChunk * bytesOf(m_options.wire);
        return ringBytes(chunksOf(bucket.count) * sizeof(float) + message, m_communicator.size());
    }

private:
    static std::size_t chunksOf(std::size_t count) { return (count + kAlignedChunk - 1) / kAlignedChunk; }
    std::size_t chosenOf(std::size_t count) const
    {
        return chunksOf(sentEntries(count, m_options.compressionPct));
    }

    DeviceMemory m_scores, m_chosen, m_message;
};

} // namespace

std::unique_ptr<BucketSender> makePlainSender(const Communicator& communicator, WireType wire,
                                              const GpuGradients& gradients)
{
    return std::make_unique<PlainSender>(communicator, wire, gradients);
}

std::unique_ptr<BucketSender> makeTopkSender(const Communicator& communicator, const ExchangeOptions& options,
                                             const GpuGradients& gradients, SelectionClock& clock)
{
    return std::make_unique<TopkSender>(communicator, options, gradients, clock);
}

std::unique_ptr<BucketSender> makeAlignedSender(const Communicator& communicator,
                                                const ExchangeOptions& options, const GpuGradients& gradients,
                                                SelectionClock& clock)
{
    return std::make_unique<AlignedSender>(communicator, options, gradients, clock);
}

} // namespace quadric::trainer::cuda
