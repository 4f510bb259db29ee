// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadric::trainer {

/// What a message costs: latency of each and the effective bandwidth of one GPU.
struct LinkModel {
    double latencyUs = 0.0;
    double gigabytesPerSec = 0.0;
};

/// Hardware by a name that settings use.
struct Preset {
    std::string name;
    std::string words; ///< for people
    LinkModel link;
    /// GPUs only. ResNet-50 at 224 px, mixed precision, batch 256, images/s, and where the figure is from.
    double imagesPerSec = 0.0;
    std::string speedFrom = {};
    double memoryGib = 0.0;
    double memoryGigabytesPerSec = 0.0;
};

/// GPUs with the links inside their nodes; links between nodes, with the figures of workload::kLinks.
const std::vector<Preset>& gpuPresets();
const std::vector<Preset>& networkPresets();

/// The preset of that name in a list. Throws std::out_of_range.
const Preset& presetNamed(const std::vector<Preset>& presets, std::string_view name);

} // namespace quadric::trainer
