// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/run.h"

#include <string>

namespace quadric::run {

/// What the record of a run says about its devices.
struct RunDevices {
    std::vector<int> gpus = {}; ///< numbers
    std::string cpus = {};      ///< processors, "0-3,8"
    bool operator==(const RunDevices&) const = default;

    /// "GPU 0, 1 · CPU 0-3"; empty where it says nothing.
    std::string inWords() const;
};

RunDevices devicesOf(const study::Provenance& provenance);

} // namespace quadric::run
