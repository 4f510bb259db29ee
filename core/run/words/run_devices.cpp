// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_devices.h"

#include "core/machine/affinity.h"

namespace quadric::run {

std::string RunDevices::inWords() const
{
    std::string text;
    for (const int gpu : gpus)
        text += (text.empty() ? "GPU " : ", ") + std::to_string(gpu);
    if (!cpus.empty())
        text += (text.empty() ? "CPU " : " · CPU ") + cpus;
    return text;
}

RunDevices devicesOf(const study::Provenance& provenance)
{
    RunDevices found;
    for (const study::ReservedGpu& gpu : provenance.devices)
        found.gpus.push_back(gpu.index);
    // A worker may write what it likes: only what is a list of processors is shown.
    found.cpus = machine::cpuListText(machine::parseCpuList(provenance.cpus));
    return found;
}

} // namespace quadric::run
