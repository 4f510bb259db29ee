// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/devices/allocator.h"
#include "core/study/run.h"

#include <string>

namespace quadric::run {

struct Launch;

/// The devices of this machine that a run has for itself while others are executed beside it.
struct Placement {
    std::vector<devices::Gpu> gpus = {};
    std::vector<int> cpus = {}; ///< processors as the system counts them (hardware threads), ascending
    bool isConfined = false;    ///< the worker sees nothing else; false: the run is alone
};

Placement placementOf(const devices::Allocation& allocation, const devices::Inventory& inventory);

/// Hands the devices over to the worker that will be launched: GPUs by UUID in CUDA_VISIBLE_DEVICES,
/// processors as its affinity. Changes nothing for a run that is not confined.
void confine(Launch& launch, const Placement& placement);

/// Notes what was set aside for the run.
void note(const Placement& placement, study::Provenance& provenance);

} // namespace quadric::run
