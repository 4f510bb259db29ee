// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/gpu_exchange.h"

#include "core/trainer/cuda/communicator.h"
#include "core/trainer/cuda/kernels/check.h"
#include "core/trainer/cuda/kernels/kernels.h"

#include <algorithm>

namespace quadric::trainer::cuda {

namespace {

/// Times of the parts of an exchange that choose, pack and unpack; measured on the GPU, in graphs too.
class SelectionClock {
public:
    /// Runs `work` and counts its time in `stream`. A step calls it the same number of times as every other.
    template <typename Work> void timed(const Stream& stream, const Work& work)
    {
        if (m_next == m_parts.size())
            m_parts.emplace_back();
        Part& part = m_parts[m_next++];
        stream.note(part.begin);
        work();
        stream.note(part.end);
    }
    void beginStep() { m_next = 0; }
    /// Sum over the parts of the last step, once it is done.
    double milliseconds() const
    {
        double sum = 0.0;
        for (const Part& part : m_parts)
            sum += millisecondsBetween(part.begin, part.end);
        return sum;
    }

private:
    struct Part {
        Event begin;
        Event end;
    };
    std::vector<Part> m_parts;
    std::size_t m_next = 0;
};

/// Puts the exchange of one bucket into a stream.
class BucketSender {
public:
    virtual ~BucketSender() = default;
    virtual void send(const Bucket& bucket, const Stream& stream) = 0;
    virtual double bytesFor(const Bucket& bucket) const = 0; ///< that this rank sends
    virtual void reset() {}
};

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

/// Everything, or what a compression chooses.
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

class HostExchange final : public GpuExchange {
public:
    HostExchange(Collective& collective, const ExchangeOptions& options, const GpuGradients& gradients,
                 const Stream& step)
        : m_collective(collective)
        , m_exchange(makeBucketExchange(collective, options, gradients.count))
        , m_gradients(gradients)
        , m_step(step)
        , m_copy(gradients.count)
    {
    }

    void bucketIsQueued(std::size_t) override {}

    void finish() override
    {
        const std::uint64_t bytesBefore = m_collective.bytesSent();
        const double secondsBefore = m_exchange->selectionSeconds();
        m_step.wait();
        const std::size_t bytes = m_copy.size() * sizeof(float);
        QUADRIC_CHECKED(cudaMemcpy(m_copy.data(), m_gradients.data, bytes, cudaMemcpyDeviceToHost));
        for (const Bucket& bucket : m_gradients.buckets)
            m_exchange->sum(m_copy, bucket);
        QUADRIC_CHECKED(
            cudaMemcpyAsync(m_gradients.data, m_copy.data(), bytes, cudaMemcpyHostToDevice, m_step.get()));
        m_bytes = static_cast<double>(m_collective.bytesSent() - bytesBefore);
        m_selectionMs = 1000.0 * (m_exchange->selectionSeconds() - secondsBefore);
    }

    bool canBeCaptured() const override { return false; }
    void wait() const override { m_step.wait(); }
    void abandon() override {}
    void reset() override { m_exchange->reset(); }
    double bytesOfStep() const override { return m_bytes; }
    double selectionMsOfStep() const override { return m_selectionMs; }
    std::string library() const override
    {
        return collectiveLibrary() + " through host memory, because ranks share a GPU: no measure of speed";
    }

private:
    Collective& m_collective;
    std::unique_ptr<BucketExchange> m_exchange;
    GpuGradients m_gradients;
    const Stream& m_step;
    std::vector<float> m_copy;
    double m_bytes = 0.0;
    double m_selectionMs = 0.0;
};

} // namespace

std::unique_ptr<GpuExchange> makeHostExchange(Collective& collective, const ExchangeOptions& options,
                                              const GpuGradients& gradients, const Stream& step)
{
    return std::make_unique<HostExchange>(collective, options, gradients, step);
}

namespace {

class NcclExchange final : public GpuExchange {
public:
    NcclExchange(Collective& collective, const ExchangeOptions& options, const GpuGradients& gradients,
                 const Stream& step, bool overlap)
        : m_step(step)
        , m_side(Stream::Priority::High)
        , m_overlap(overlap)
        , m_freeBefore(freeBytes())
        , m_communicator(collective)
        , m_gradients(gradients)
        , m_sender(makeSender(options))
        , m_queued(gradients.buckets.size())
    {
        for (const Bucket& bucket : gradients.buckets)
            m_bytes += m_sender->bytesFor(bucket);
        connect();
    }

    void bucketIsQueued(std::size_t bucket) override
    {
        if (bucket == 0)
            m_clock.beginStep();
        if (m_overlap)
            send(bucket);
    }

    void finish() override
    {
        if (!m_overlap) {
            for (std::size_t bucket = 0; bucket < m_gradients.buckets.size(); ++bucket)
                send(bucket);
        }
        m_side.mark(m_done);
        m_step.waitFor(m_done);
    }

    bool canBeCaptured() const override { return true; }
    void wait() const override { m_communicator.wait(m_step); }
    void abandon() override { m_communicator.abandon(); }
    void reset() override { m_sender->reset(); }
    double bytesOfStep() const override { return m_bytes; }
    double selectionMsOfStep() const override { return m_clock.milliseconds(); }
    std::string library() const override { return ncclVersionText(); }
    NcclPaths paths() const override { return m_paths; }
    std::optional<double> libraryMemoryMib() const override { return m_libraryMemoryMib; }

private:
    /// NCCL takes most of its memory with the first message of a kind: it is sent now, so that what does not
    /// fit fails in the set-up. The gradients are still zero.
    void connect()
    {
        const std::size_t before = freeBytes();
        m_sender->send(*std::ranges::max_element(m_gradients.buckets, {}, &Bucket::count), m_side);
        m_communicator.wait(m_side);
        m_sender->reset();
        m_paths = m_communicator.paths();
        const std::size_t sent = before - std::min(before, freeBytes());
        m_libraryMemoryMib = static_cast<double>(m_joined + sent) / (1024.0 * 1024.0);
    }
    std::unique_ptr<BucketSender> makeSender(const ExchangeOptions& options)
    {
        if (options.compressionPct <= 0.0)
            return makePlainSender(m_communicator, options.wire, m_gradients);
        if (options.method == CompressionMethod::Topk)
            return makeTopkSender(m_communicator, options, m_gradients, m_clock);
        return makeAlignedSender(m_communicator, options, m_gradients, m_clock);
    }

    /// The side stream goes on when the step has computed the bucket.
    void send(std::size_t bucket)
    {
        m_step.mark(m_queued[bucket]);
        m_side.waitFor(m_queued[bucket]);
        m_sender->send(m_gradients.buckets[bucket], m_side);
    }

    const Stream& m_step;
    Stream m_side;
    bool m_overlap;
    std::size_t m_freeBefore;
    Communicator m_communicator;
    std::size_t m_joined = m_freeBefore - std::min(m_freeBefore, freeBytes()); ///< that joining took
    GpuGradients m_gradients;
    SelectionClock m_clock;
    std::unique_ptr<BucketSender> m_sender;
    std::vector<Event> m_queued; ///< by bucket
    Event m_done;
    double m_bytes = 0.0;
    double m_libraryMemoryMib = 0.0;
    NcclPaths m_paths;
};

} // namespace

std::unique_ptr<GpuExchange> makeNcclExchange(Collective& collective, const ExchangeOptions& options,
                                              const GpuGradients& gradients, const Stream& step, bool overlap)
{
    return std::make_unique<NcclExchange>(collective, options, gradients, step, overlap);
}

} // namespace quadric::trainer::cuda
