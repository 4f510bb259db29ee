// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/clock_reasons.h"
#include "core/machine/nvml.h"

#include <chrono>
#include <string>

namespace quadric::trainer::cuda {

/// Looks now and then what holds the clocks of a GPU down, while it computes.
class ClockWatch {
public:
    using Clock = std::chrono::steady_clock;

    ClockWatch(const machine::Nvml& nvml, std::string pciId)
        : m_nvml(nvml)
        , m_pciId(std::move(pciId))
    {
    }

    /// Asks the driver, but no more than ten times a second; nothing is counted where it does not answer.
    void look(Clock::time_point now);
    const machine::ClockReading& reading() const { return m_reading; }

private:
    const machine::Nvml& m_nvml;
    std::string m_pciId;
    Clock::time_point m_last{};
    machine::ClockReading m_reading;
};

} // namespace quadric::trainer::cuda
