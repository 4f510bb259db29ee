// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trainer/cuda/gpu.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <optional>
#include <sstream>

namespace quadric::trainer::cuda {

namespace {

/// "MIG-" alone, or "GPU-", would be any.
bool begins(const std::string& uuid, const std::string& entry)
{
    return entry.size() > 4 && uuid.starts_with(entry);
}

std::optional<Gpu> named(const std::vector<Gpu>& gpus, const std::string& entry)
{
    for (const Gpu& gpu : gpus) {
        const auto part =
            std::ranges::find_if(gpu.parts, [&](const GpuPart& each) { return begins(each.uuid, entry); });
        if (part == gpu.parts.end())
            continue;
        Gpu withPart = gpu;
        withPart.parts = {*part};
        return withPart;
    }
    int index = -1;
    const char* end = entry.data() + entry.size();
    const auto [stop, error] = std::from_chars(entry.data(), end, index);
    const bool isNumber = error == std::errc() && stop == end;
    const auto fits = [&](const Gpu& gpu) { return isNumber ? gpu.index == index : begins(gpu.uuid, entry); };
    const auto found = std::ranges::find_if(gpus, fits);
    return found == gpus.end() ? std::nullopt : std::optional(*found);
}

/// Its first part in the place of a GPU in MIG mode. The counter of energy is of the whole GPU.
Gpu firstPartOf(Gpu gpu)
{
    const GpuPart part = gpu.parts.front();
    gpu.uuid = part.uuid;
    gpu.name = part.name;
    gpu.memoryBytes = part.memoryBytes;
    gpu.freeBytes = part.freeBytes;
    gpu.processes = part.processes;
    gpu.nvlinkPeers.clear();
    gpu.countsEnergy = false;
    gpu.parts.clear();
    return gpu;
}

std::string withoutBlanks(std::string text)
{
    std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
    return text;
}

std::vector<Gpu> listedGpus(const std::vector<Gpu>& gpus, const char* variable)
{
    std::vector<Gpu> visible;
    std::istringstream entries(variable);
    for (std::string entry; std::getline(entries, entry, ',');) {
        const std::optional<Gpu> gpu = named(gpus, withoutBlanks(entry));
        if (!gpu || std::ranges::find(visible, gpu->index, &Gpu::index) != visible.end())
            break;
        visible.push_back(*gpu);
    }
    return visible;
}

std::string joined(const std::vector<int>& numbers)
{
    std::string text;
    for (const int number : numbers)
        text += (text.empty() ? "" : ", ") + std::to_string(number);
    return text;
}

std::string gibibytes(std::int64_t bytes)
{
    char text[32];
    std::snprintf(text, sizeof(text), "%.1f", static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0));
    return text;
}

/// "python3 (process 4711, 12.3 GiB)", and less where less is known.
std::string describe(const GpuProcess& process)
{
    const std::string number = "process " + std::to_string(process.pid);
    const std::string memory = process.memoryBytes > 0 ? gibibytes(process.memoryBytes) + " GiB" : "";
    if (process.name.empty())
        return number + (memory.empty() ? "" : " (" + memory + ")");
    return process.name + " (" + number + (memory.empty() ? "" : ", " + memory) + ")";
}

} // namespace

std::vector<Gpu> visibleGpus(const std::vector<Gpu>& gpus, const char* variable)
{
    std::vector<Gpu> visible = variable == nullptr ? gpus : listedGpus(gpus, variable);
    const auto withParts = std::ranges::find_if(visible, [](const Gpu& gpu) { return !gpu.parts.empty(); });
    if (withParts != visible.end())
        return {firstPartOf(*withParts)};
    return visible;
}

GpuSurvey restricted(GpuSurvey survey, const char* variable)
{
    const bool hadSome = !survey.gpus.empty();
    survey.gpus = visibleGpus(survey.gpus, variable);
    if (hadSome && survey.gpus.empty())
        survey.whyNone =
            "CUDA_VISIBLE_DEVICES is \"" + std::string(variable) + "\" and names no GPU of this machine";
    return survey;
}

std::string describe(const Gpu& gpu)
{
    std::string text = "GPU " + std::to_string(gpu.index) + " " + gpu.name + " (" + gibibytes(gpu.freeBytes) +
                       " of " + gibibytes(gpu.memoryBytes) + " GiB free, PCI " + gpu.pciId;
    text += gpu.nvlinkPeers.empty() ? ", no NVLink" : ", NVLink to " + joined(gpu.nvlinkPeers);
    return text + ")";
}

std::string foreignUse(std::span<const Gpu> gpus)
{
    std::string text;
    const auto add = [&text](const Gpu& gpu, const std::string& what) {
        text += (text.empty() ? "GPU " : "; GPU ") + std::to_string(gpu.index) + " is " + what;
    };
    for (const Gpu& gpu : gpus) {
        std::string users;
        for (const GpuProcess& process : gpu.processes)
            users += (users.empty() ? "" : ", ") + describe(process);
        if (!users.empty())
            add(gpu, "used by " + users);
        if (gpu.isSlowed)
            add(gpu, "slowed down by heat or a power brake");
    }
    return text;
}

} // namespace quadric::trainer::cuda
