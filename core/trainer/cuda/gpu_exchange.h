// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/stream.h"
#include "core/trainer/exchange/bucket_exchange.h"
#include "core/trainer/gpu/nccl_log.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace quadric::trainer::cuda {

/// The gradients of a rank on its GPU.
struct GpuGradients {
    float* data = nullptr;
    std::size_t count = 0;
    std::vector<Bucket> buckets; ///< in the order in which they complete
};

/// Sums the gradients of a GPU over all ranks, bucket by bucket, by the definitions of BucketExchange.
class GpuExchange {
public:
    virtual ~GpuExchange() = default;

    /// The work that completes this bucket is in the stream of the step.
    virtual void bucketIsQueued(std::size_t bucket) = 0;
    /// All buckets are queued; what comes into the stream of the step after this call sees the sums.
    virtual void finish() = 0;
    /// Whether the exchange may be part of a CUDA graph.
    virtual bool canBeCaptured() const = 0;
    /// Waits until the step is done. Throws Failure (communication) where other ranks are gone; the exchange
    /// must be abandoned then, and is of no use any more.
    virtual void wait() const = 0;
    virtual void abandon() = 0;
    virtual void reset() = 0; ///< forgets the residual
    /// Bytes that this rank has sent in the last step, and the time that its selection took.
    virtual double bytesOfStep() const = 0;
    virtual double selectionMsOfStep() const = 0;
    virtual std::string library() const = 0;
    /// How it reaches other ranks; empty where it is not known.
    virtual NcclPaths paths() const { return {}; }
    /// Memory of the GPU that the library took for itself, MiB; nothing where it took none.
    virtual std::optional<double> libraryMemoryMib() const { return std::nullopt; }
};

/// NCCL on a stream of its own; with `overlap` buckets leave while the backward pass goes on.
std::unique_ptr<GpuExchange> makeNcclExchange(Collective& collective, const ExchangeOptions& options,
                                              const GpuGradients& gradients, const Stream& step,
                                              bool overlap);

/// Through the memory of the host, for ranks that share a GPU, which NCCL refuses: shows that a run works,
/// not how fast it is.
std::unique_ptr<GpuExchange> makeHostExchange(Collective& collective, const ExchangeOptions& options,
                                              const GpuGradients& gradients, const Stream& step);

} // namespace quadric::trainer::cuda
