// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/sampler.h"

namespace quadric::machine {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kSamplesPerLookAtUsers = 10;

void lookAtUsers(const Reader& reader, Recorder& recorder, bool isBefore)
{
    const std::vector<DeviceSummary>& known = recorder.summary().devices;
    for (std::size_t i = 0; i < known.size(); ++i)
        recorder.addUsers(i, reader.users(known[i].identity.index, known[i].before), isBefore);
}

} // namespace

Sampler::Sampler(ReaderOptions options, OnSample onSample, std::chrono::milliseconds period,
                 OnSummary onSummary)
    : m_options(std::move(options))
    , m_onSample(std::move(onSample))
    , m_period(period)
    , m_onSummary(std::move(onSummary))
    , m_thread([this](const std::stop_token& stop) { work(stop); })
{
}

Summary Sampler::finish()
{
    m_thread.request_stop();
    if (m_thread.joinable())
        m_thread.join();
    return m_summary;
}

/// Returns at that time, or earlier when the thread is to end.
void Sampler::waitUntil(const std::stop_token& stop, Clock::time_point time)
{
    std::unique_lock lock(m_mutex);
    m_wake.wait_until(lock, stop, time, [] { return false; });
}

void Sampler::work(const std::stop_token& stop)
{
    Reader reader(m_options);
    Recorder recorder(reader);
    lookAtUsers(reader, recorder, true);
    const Clock::time_point start = Clock::now();
    std::optional<Sample> before;
    bool isLast = false;
    for (int count = 1; !isLast; ++count) {
        isLast = stop.stop_requested();
        const Clock::time_point next = Clock::now() + m_period;
        Sample now = reader.read();
        now.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        recorder.add(now);
        if (isLast || count % kSamplesPerLookAtUsers == 0) {
            lookAtUsers(reader, recorder, false);
            if (m_onSummary)
                m_onSummary(recorder.summary());
        }
        m_onSample(before.value_or(now), now);
        before = std::move(now);
        waitUntil(stop, next);
    }
    m_summary = recorder.summary();
}

} // namespace quadric::machine
