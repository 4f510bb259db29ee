// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/base/exchange_options.h"
#include "core/trainer/exchange/collective.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace quadric::trainer {

/// How many of `count` gradients are sent at a compression of `percent`: ⌈count (1 − percent/100)⌉, at least
/// one of a bucket that is not empty.
std::size_t sentEntries(std::size_t count, double percent);

/// Positions of the `count` entries with the largest magnitude, in rising order; of equal magnitudes the
/// earlier ones. NaN counts as larger than everything. The same on every machine.
void selectLargest(std::span<const float> values, std::size_t count, std::vector<std::uint32_t>& positions);

/// Gradients of `aligned` compression that are chosen together.
inline constexpr std::size_t kAlignedChunk = 256;

/// Turns the gradients of one bucket into what all ranks sent of them, summed. What is not sent stays in a
/// residual and is added to the gradients of the next step (error feedback: Seide et al. 2014, Stich et al.
/// 2018), so that sent + new residual = gradient + old residual on every rank. All ranks end up with the same
/// bits.
class BucketExchange {
public:
    virtual ~BucketExchange() = default;

    /// Sums `bucket` of the gradient arena over all ranks. Throws Failure (communication).
    virtual void sum(std::span<float> gradients, const Bucket& bucket) = 0;

    /// Forgets the residual.
    virtual void reset() {}

    /// What the gradients of this rank still hold back; empty without compression.
    virtual std::span<const float> residual() const { return {}; }

    /// Time spent on choosing and packing, over all calls.
    virtual double selectionSeconds() const { return 0.0; }
};

/// An exchange for an arena of that many gradients.
std::unique_ptr<BucketExchange> makeBucketExchange(Collective& collective, const ExchangeOptions& options,
                                                   std::size_t gradients);

/// Sums a gradient arena over all ranks, bucket by bucket. With overlap a thread of its own exchanges every
/// bucket as soon as it is final; without, all buckets are exchanged in finish().
class GradientReducer {
public:
    GradientReducer(BucketExchange& exchange, std::span<float> gradients, std::vector<Bucket> buckets,
                    bool overlap);
    ~GradientReducer();
    GradientReducer(const GradientReducer&) = delete;
    GradientReducer& operator=(const GradientReducer&) = delete;

    /// All gradients from `offset` to the end of the arena are final in this step.
    void finalFrom(std::size_t offset);

    /// Returns when every bucket of this step is summed. Throws what the exchange threw.
    void finish();

private:
    void exchangeWhenFinal(const std::stop_token& stop);

    BucketExchange& m_exchange;
    std::span<float> m_gradients;
    std::vector<Bucket> m_buckets;
    bool m_overlap;
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::size_t m_final = 0; ///< buckets that may be exchanged
    std::size_t m_done = 0;  ///< buckets that are summed
    std::exception_ptr m_error;
    std::jthread m_thread;
};

} // namespace quadric::trainer
