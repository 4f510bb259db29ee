// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/exchange/emulated_link.h"

#include <chrono>
#include <thread>

#include <sys/prctl.h>

namespace quadric::trainer {

namespace {

constexpr unsigned long kTimerSlackNs = 1000; ///< Linux' 50 µs would drown the latency of fast networks

class EmulatedLink final : public Collective {
public:
    EmulatedLink(Collective& inner, const LinkSpeed& link)
        : m_inner(inner)
        , m_link(link)
    {
    }

    int rank() const override { return m_inner.rank(); }
    int size() const override { return m_inner.size(); }
    void sum(std::span<float> values) override
    {
        slowed(2, [&] { m_inner.sum(values); });
    }
    void sum(std::span<double> values) override
    {
        slowed(2, [&] { m_inner.sum(values); });
    }
    void sum(std::span<std::uint16_t> values, WireType type) override
    {
        slowed(2, [&] { m_inner.sum(values, type); });
    }
    void gather(std::span<const std::byte> mine, std::span<std::byte> all) override
    {
        slowed(1, [&] { m_inner.gather(mine, all); });
    }
    std::uint64_t bytesSent() const override { return m_inner.bytesSent(); }

private:
    using Clock = std::chrono::steady_clock;

    template <typename Operation> void slowed(int rounds, const Operation& operation)
    {
        const Clock::time_point begin = Clock::now();
        const std::uint64_t before = bytesSent();
        operation();
        const auto bytes = static_cast<double>(bytesSent() - before);
        const std::chrono::duration<double> wanted(transferSeconds(m_link, bytes, rounds * (size() - 1)));
        prctl(PR_SET_TIMERSLACK, kTimerSlackNs);
        std::this_thread::sleep_until(begin + std::chrono::duration_cast<Clock::duration>(wanted));
    }

    Collective& m_inner;
    LinkSpeed m_link;
};

} // namespace

double transferSeconds(const LinkSpeed& link, double bytes, int messages)
{
    const double sending = link.gbit > 0.0 ? 8.0 * bytes / (1e9 * link.gbit) : 0.0;
    return messages * 1e-6 * link.latencyUs + sending;
}

std::unique_ptr<Collective> makeEmulatedLink(Collective& inner, const LinkSpeed& link)
{
    return std::make_unique<EmulatedLink>(inner, link);
}

} // namespace quadric::trainer
