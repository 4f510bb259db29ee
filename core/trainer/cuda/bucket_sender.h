// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/communicator.h"
#include "core/trainer/cuda/device_memory.h"
#include "core/trainer/cuda/gpu_exchange.h"
#include "core/trainer/cuda/kernels/selection_kernels.h"
#include "core/trainer/cuda/stream.h"

namespace quadric::trainer::cuda {

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

/// Everything, or what a compression chooses.
std::unique_ptr<BucketSender> makePlainSender(const Communicator& communicator, WireType wire,
                                              const GpuGradients& gradients);
std::unique_ptr<BucketSender> makeTopkSender(const Communicator& communicator, const ExchangeOptions& options,
                                             const GpuGradients& gradients, SelectionClock& clock);
std::unique_ptr<BucketSender> makeAlignedSender(const Communicator& communicator,
                                                const ExchangeOptions& options, const GpuGradients& gradients,
                                                SelectionClock& clock);

} // namespace quadric::trainer::cuda
