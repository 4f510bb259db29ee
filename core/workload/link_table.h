// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace quadric::workload {

/// What GPUs are connected by: latency of a message, and the bandwidth that an all-reduce gets out of it for
/// each GPU. Round figures, about 0.8 to 0.9 of the rate in one direction; measure your own with nccl-tests.
struct Link {
    std::string_view name, words;
    double latencyUs = 0.0;
    double gigabytesPerSec = 0.0;
};

/// In a node first, slower ones behind.
inline constexpr auto kLinks = std::to_array<Link>({
    {"nvlink5", "NVLink 5 with NVSwitch", 2.5, 720.0},
    {"nvlink4", "NVLink 4 with NVSwitch", 2.5, 360.0},
    {"nvlink3", "NVLink 3 with NVSwitch", 3.0, 230.0},
    {"nvlink2", "NVLink 2", 3.0, 120.0},
    {"pcie4", "PCIe 4.0 × 16 only", 8.0, 20.0},
    {"ndr400", "InfiniBand NDR, 400 Gbit/s a GPU", 6.0, 45.0},
    {"hdr200", "InfiniBand HDR, 200 Gbit/s a GPU", 7.0, 22.0},
    {"edr100", "InfiniBand EDR, 100 Gbit/s a GPU", 10.0, 11.0},
    {"roce200", "RoCE, 200 Gbit/s a GPU", 10.0, 21.0},
    {"ethernet100", "Ethernet, 100 Gbit/s a GPU", 15.0, 11.0},
    {"ethernet25", "Ethernet, 25 Gbit/s a GPU", 30.0, 2.7},
    {"ethernet10", "Ethernet, 10 Gbit/s a GPU", 40.0, 1.1},
});

/// The link of that name; null where there is none.
constexpr const Link* findLink(std::string_view name)
{
    for (const Link& link : kLinks)
        if (link.name == name)
            return &link;
    return nullptr;
}

} // namespace quadric::workload
