// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace quadric::machine {

/// Clock and heat of the processor as Linux tells them below `root`; which files there are is looked up once.
/// The clock is that of `cpus`, empty: of all.
class CpuSensors {
public:
    explicit CpuSensors(const std::filesystem::path& root, const std::vector<int>& cpus = {});

    /// Mean of the cores (of 16 spread over them where there are more), from cpufreq or, without it, from
    /// /proc/cpuinfo.
    std::optional<double> clockMhz() const;

    /// Of the package, or of the first zone or chip that is a processor's.
    std::optional<double> temperatureC() const;

    /// Time for which heat has held the package back since the machine was started (Intel only).
    std::optional<double> throttleSeconds() const;

private:
    std::set<std::string> m_cpus; ///< whose clocks count, by number; empty: all
    std::vector<std::filesystem::path> m_clocks;
    std::filesystem::path m_cpuinfo, m_temperature, m_throttle;
};

} // namespace quadric::machine
