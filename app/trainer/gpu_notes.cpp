// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu_notes.h"

#include "core/text/numbers.h"

#include <set>

namespace quadric::app {

using nlohmann::json;

namespace {

/// "GPU 00000000:1B:00.0", with its host where several are told.
std::string nameOfGpu(const json& gpu)
{
    const std::string host = gpu.value("host", "");
    return "GPU " + gpu.value("pci", "") + (host.empty() ? "" : " of " + host);
}

std::string valueWords(const json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump();
}

/// "the GPUs of the ranks have different power_limit_w: 500, 700"; empty where all that tell it are equal.
std::string settingDifference(const json& gpus, const char* key)
{
    std::set<json> values;
    for (const json& gpu : gpus) {
        if (gpu.contains(key))
            values.insert(gpu.at(key));
    }
    return values.size() < 2 ? std::string()
                             : "the GPUs of the ranks have different " + std::string(key) + ": " +
                                   text::joinWords(values, ", ", valueWords);
}

} // namespace

json describeSettings(std::span<const machine::Gpu> gpus)
{
    json list = json::array();
    for (const machine::Gpu& gpu : gpus) {
        json one = {{"name", gpu.name}, {"uuid", gpu.uuid}, {"pci", gpu.pciId}};
        const auto put = [&one](const char* name, const auto& value) {
            if (value)
                one[name] = *value;
        };
        put("power_limit_w", gpu.settings.powerLimitW);
        put("clock_limit_mhz", gpu.settings.clockLimitMhz);
        put("application_clock_mhz", gpu.settings.applicationClockMhz);
        put("ecc", gpu.settings.correctsErrors);
        put("persistence", gpu.settings.isPersistent);
        put("pcie_generation", gpu.settings.pcieGeneration);
        put("pcie_lanes", gpu.settings.pcieLanes);
        put("pcie_most_lanes", gpu.settings.pcieMostLanes);
        list.push_back(one);
    }
    return list;
}

std::vector<std::string> warningsOf(const json& settings)
{
    std::vector<std::string> warnings;
    for (const char* key : {"name", "power_limit_w", "clock_limit_mhz", "application_clock_mhz", "ecc"}) {
        if (const std::string found = settingDifference(settings, key); !found.empty())
            warnings.push_back(found);
    }
    for (const json& gpu : settings) {
        const double lanes = gpu.value("pcie_lanes", 0.0);
        const double most = gpu.value("pcie_most_lanes", 0.0);
        if (lanes > 0.0 && lanes < most)
            warnings.push_back(nameOfGpu(gpu) + " uses " + std::to_string(static_cast<int>(lanes)) +
                               " of its " + std::to_string(static_cast<int>(most)) + " PCIe lanes");
    }
    return warnings;
}

} // namespace quadric::app
