// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/gpu/clock_watch.h"

namespace quadric::trainer::cuda {

namespace {
constexpr std::chrono::milliseconds kGap{100};
}

void ClockWatch::look(Clock::time_point now)
{
    if (m_reading.looks > 0.0 && now - m_last < kGap)
        return;
    const std::optional<std::uint64_t> reasons = m_nvml.throttle(m_pciId);
    if (!reasons)
        return;
    m_last = now;
    m_reading.count(*reasons);
}

} // namespace quadric::trainer::cuda
