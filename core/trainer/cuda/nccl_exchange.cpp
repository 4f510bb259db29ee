// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/bucket_sender.h"

#include <algorithm>

namespace quadric::trainer::cuda {

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
