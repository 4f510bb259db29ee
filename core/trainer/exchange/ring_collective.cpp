// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/collective.h"

#include "core/trainer/base/failure.h"
#include "core/trainer/exchange/sum_elements.h"
#include "core/trainer/exchange/tcp_ring.h"

#include <algorithm>
#include <vector>

namespace quadric::trainer {

namespace {

/// Each rank's part of an array is summed on its way around the circle, then goes around once more.
class RingCollective final : public Collective {
public:
    RingCollective(int rank, int size, const Rendezvous& rendezvous)
        : m_rank(rank)
        , m_size(size)
        , m_ring(rank, size, rendezvous)
    {
    }

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }
    void sum(std::span<float> values) override { allReduce(values, sumElements<float>); }
    void sum(std::span<double> values) override { allReduce(values, sumElements<double>); }
    void sum(std::span<std::uint16_t> values, WireType type) override
    {
        allReduce(values, sumElementsOf(type));
    }

    void gather(std::span<const std::byte> mine, std::span<std::byte> all) override
    {
        const auto part = [&](int rank) { return all.subspan(mine.size() * partNumber(rank), mine.size()); };
        std::ranges::copy(mine, part(m_rank).begin());
        for (int step = 0; step < m_size - 1; ++step)
            exchange(part(m_rank - step), part(m_rank - step - 1));
        m_bytesSent += mine.size() * static_cast<std::size_t>(m_size - 1);
    }

    std::uint64_t bytesSent() const override { return m_bytesSent; }

private:
    /// Ranks are counted around the circle.
    std::size_t partNumber(int rank) const { return static_cast<std::size_t>((rank + m_size) % m_size); }

    template <typename Number> void allReduce(std::span<Number> values, SumElements add)
    {
        const auto ranks = static_cast<std::size_t>(m_size);
        const auto part = [&](int rank) {
            const std::size_t number = partNumber(rank);
            const std::size_t begin = values.size() * number / ranks;
            return values.subspan(begin, values.size() * (number + 1) / ranks - begin);
        };
        std::vector<Number> received(values.size() / ranks + 1);
        for (int step = 0; step < m_size - 1; ++step) {
            const std::span<Number> sum = part(m_rank - step - 1);
            const std::span<Number> theirs = std::span(received).first(sum.size());
            exchange(std::as_bytes(part(m_rank - step)), std::as_writable_bytes(theirs));
            add(sum.data(), sum.data(), theirs.data(), sum.size());
        }
        for (int step = 0; step < m_size - 1; ++step)
            exchange(std::as_bytes(part(m_rank + 1 - step)), std::as_writable_bytes(part(m_rank - step)));
        m_bytesSent += 2 * (ranks - 1) * values.size_bytes() / ranks;
    }

    void exchange(std::span<const std::byte> sent, std::span<std::byte> received) const
    {
        try {
            m_ring.exchange(sent, received);
        } catch (const Failure& failure) {
            throw Failure(failure.kind(), "rank " + std::to_string(m_rank) +
                                              " lost the connection to a peer: " + failure.what());
        }
    }

    int m_rank;
    int m_size;
    TcpRing m_ring;
    std::uint64_t m_bytesSent = 0;
};

} // namespace

std::unique_ptr<Collective> makeRingCollective(int rank, int size, const Rendezvous& rendezvous)
{
    try {
        return std::make_unique<RingCollective>(rank, size, rendezvous);
    } catch (const Failure& failure) {
        throw Failure(failure.kind(),
                      "rank " + std::to_string(rank) + " could not reach its peers: " + failure.what());
    }
}

} // namespace quadric::trainer
