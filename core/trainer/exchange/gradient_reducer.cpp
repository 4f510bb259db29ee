// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/gradient_reducer.h"

#include "core/trainer/base/openmp_place.h"

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

} // namespace quadric::trainer
