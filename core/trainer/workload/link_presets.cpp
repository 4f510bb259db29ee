// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/workload/link_presets.h"

#include "core/workload/link_table.h"

#include <algorithm>
#include <stdexcept>

namespace quadric::trainer {

namespace {

LinkModel linkNamed(std::string_view name)
{
    const workload::Link& link = *workload::findLink(name);
    return {link.latencyUs, link.gigabytesPerSec};
}

} // namespace

const std::vector<Preset>& gpuPresets()
{
    static const std::vector<Preset> all = {
        {"h200", "H200, NVLink 4 with NVSwitch", linkNamed("nvlink4"), 7010.0,
         "taken from the H100, whose arithmetic is the same; nothing is published for the H200", 141.0,
         4800.0},
        {"h100", "H100, NVLink 4 with NVSwitch", linkNamed("nvlink4"), 7010.0,
         "MLPerf Training 3.0, a GPU of eight", 80.0, 3350.0},
        {"a100", "A100, NVSwitch", linkNamed("nvlink3"), 2470.0,
         "NVIDIA Deep Learning Examples, PyTorch 21.03, DGX A100 80 GB", 80.0, 2039.0},
        {"v100", "V100, NVLink 2", linkNamed("nvlink2"), 1200.0,
         "NVIDIA Deep Learning Examples, PyTorch 21.03, DGX-1 16 GB", 16.0, 900.0},
    };
    return all;
}

const std::vector<Preset>& networkPresets()
{
    static const std::vector<Preset> all = {
        {"ndr400", "InfiniBand NDR, 400 Gbit/s a GPU", linkNamed("ndr400")},
        {"edr100", "InfiniBand EDR, 100 Gbit/s a GPU", linkNamed("edr100")},
        {"ethernet100", "Ethernet, 100 Gbit/s a GPU", linkNamed("ethernet100")},
        {"ethernet10", "Ethernet, 10 Gbit/s a GPU", linkNamed("ethernet10")},
    };
    return all;
}

const Preset& presetNamed(const std::vector<Preset>& presets, std::string_view name)
{
    const auto found = std::ranges::find(presets, name, &Preset::name);
    if (found == presets.end())
        throw std::out_of_range("no preset " + std::string(name));
    return *found;
}

} // namespace quadric::trainer
