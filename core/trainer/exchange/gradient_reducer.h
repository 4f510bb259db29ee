// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/exchange/bucket_exchange.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace quadric::trainer {

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
