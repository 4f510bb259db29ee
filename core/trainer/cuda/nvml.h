// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trainer/cuda/gpu.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace quadric::trainer::cuda {

/// The functions of a library by name; null where it has none of that name.
using Symbols = std::function<void*(const char*)>;

/// NVIDIA's management library. It comes with the driver and is opened while the program runs; what is used
/// of it is declared here, because its header is often missing.
class Nvml {
public:
    /// Opens libnvidia-ml.so.1.
    Nvml();
    /// Takes the functions from elsewhere; for tests.
    explicit Nvml(const Symbols& symbols);
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    /// All GPUs of this machine.
    GpuSurvey survey() const;

    /// Energy that the GPU has used since its driver was loaded, in joules; nothing where it does not count
    /// (before Volta) or does not exist.
    std::optional<double> energyJoules(const std::string& pciId) const;

    /// What holds its clocks down now, as bits (kNvmlHeat …); nothing where the driver does not say.
    std::optional<unsigned long long> clockReasons(const std::string& pciId) const;

    /// Power that it draws now, in watts.
    std::optional<double> powerWatts(const std::string& pciId) const;

private:
    struct Functions;
    std::unique_ptr<Functions> m_functions;
    std::string m_whyNot;
};

} // namespace quadric::trainer::cuda
