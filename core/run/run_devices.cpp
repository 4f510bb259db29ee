// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_devices.h"

#include "core/machine/affinity.h"

#include <nlohmann/json.hpp>

namespace quadric::run {

namespace {

using DevicesJson = nlohmann::ordered_json;

DevicesJson valueOf(const study::UnknownKeys& provenance, const char* key)
{
    const auto found = provenance.find(key);
    return found == provenance.end() ? DevicesJson() : DevicesJson::parse(found->second, nullptr, false);
}

} // namespace

std::string RunDevices::inWords() const
{
    std::string text;
    for (const int gpu : gpus)
        text += (text.empty() ? "GPU " : ", ") + std::to_string(gpu);
    if (!cpus.empty())
        text += (text.empty() ? "CPU " : " · CPU ") + cpus;
    return text;
}

RunDevices devicesOf(const study::UnknownKeys& provenance)
{
    RunDevices found;
    for (const DevicesJson& gpu : valueOf(provenance, "devices")) {
        if (gpu.is_object() && gpu.contains("index") && gpu["index"].is_number_integer())
            found.gpus.push_back(gpu["index"].get<int>());
    }
    const DevicesJson cpus = valueOf(provenance, "cpus");
    // A worker may write what it likes: only what is a list of processors is shown.
    if (cpus.is_string())
        found.cpus = machine::cpuListText(machine::parseCpuList(cpus.get<std::string>()));
    return found;
}

} // namespace quadric::run
