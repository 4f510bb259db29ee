// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/clock_watch.h"

#include "core/trainer/cuda/nvml_functions.h"

namespace quadric::trainer::cuda {

namespace {
constexpr std::chrono::milliseconds kGap{100};
}

void ClockWatch::look(Clock::time_point now)
{
    if (m_reading.looks > 0.0 && now - m_last < kGap)
        return;
    const std::optional<unsigned long long> reasons = m_nvml.clockReasons(m_pciId);
    if (!reasons)
        return;
    m_last = now;
    const auto held = [&](unsigned long long bits) { return (*reasons & bits) != 0 ? 1.0 : 0.0; };
    m_reading.looks += 1.0;
    m_reading.heat += held(kNvmlHeat);
    m_reading.slowdown += held(kNvmlSlowdown);
    m_reading.powerBrake += held(kNvmlPowerBrake);
    m_reading.powerLimit += held(kNvmlPowerLimit);
}

} // namespace quadric::trainer::cuda
