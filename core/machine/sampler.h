// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/summary.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace quadric::machine {

inline constexpr std::chrono::milliseconds kSamplePeriod(100);

/// Samples the machine in a thread of its own, ten times a second, from its making to finish(). Who is on the
/// GPUs is asked at the beginning and once a second.
class Sampler {
public:
    /// Called in the sampler's thread with the sample before (the first one: with itself) and the new one.
    using OnSample = std::function<void(const Sample& before, const Sample& now)>;

    /// Called there once a second and at the end with all that was found so far.
    using OnSummary = std::function<void(const Summary& summary)>;

    Sampler(ReaderOptions options, OnSample onSample, std::chrono::milliseconds period = kSamplePeriod,
            OnSummary onSummary = {});

    /// Ends the thread after a last sample; no call of OnSample comes later.
    Summary finish();

private:
    void work(const std::stop_token& stop);
    void waitUntil(const std::stop_token& stop, std::chrono::steady_clock::time_point time);

    ReaderOptions m_options;
    OnSample m_onSample;
    std::chrono::milliseconds m_period;
    OnSummary m_onSummary;
    Summary m_summary;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::jthread m_thread; ///< last: it uses the others
};

} // namespace quadric::machine
