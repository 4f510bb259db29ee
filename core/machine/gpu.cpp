// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/gpu.h"

#include "core/machine/judge.h"
#include "core/machine/memory_units.h"
#include "core/text/numbers.h"

#include <charconv>
#include <sstream>

namespace quadric::machine {

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
    const auto found =
        std::ranges::find_if(gpus, [&](const Gpu& gpu) { return isMeant(entry, gpu.index, gpu.uuid); });
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

std::string gibibytes(std::int64_t bytes)
{
    return text::formatDecimals(static_cast<double>(bytes) / kBytesPerGib, 1);
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

bool isMeant(const std::string& entry, int index, const std::string& uuid)
{
    int number = -1;
    const char* end = entry.data() + entry.size();
    const auto [stop, error] = std::from_chars(entry.data(), end, number);
    return error == std::errc() && stop == end ? number == index : begins(uuid, entry);
}

std::vector<std::string> splitEntries(const std::string& variable)
{
    std::vector<std::string> entries;
    std::istringstream text(variable);
    for (std::string entry; std::getline(text, entry, ',');) {
        std::erase_if(entry, [](char c) { return c == ' ' || c == '\t'; });
        entries.push_back(entry);
    }
    return entries;
}

std::vector<Gpu> visibleGpus(const std::vector<Gpu>& gpus, const char* variable)
{
    const auto find = [&gpus](const std::string& entry) { return named(gpus, entry); };
    std::vector<Gpu> visible = variable == nullptr ? gpus : findVisible<Gpu>(variable, find);
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
    text += gpu.nvlinkPeers.empty()
                ? ", no NVLink"
                : ", NVLink to " +
                      text::joinWords(gpu.nvlinkPeers, ", ", [](int peer) { return std::to_string(peer); });
    return text + ")";
}

std::string describeUsers(int index, std::span<const GpuProcess> processes)
{
    if (processes.empty())
        return "";
    return "GPU " + std::to_string(index) + " is used by " +
           text::joinWords(processes, ", ", [](const GpuProcess& process) { return describe(process); });
}

std::string foreignUse(std::span<const Gpu> gpus)
{
    std::string text;
    for (const Gpu& gpu : gpus) {
        addReason(text, describeUsers(gpu.index, gpu.processes));
        if (gpu.isSlowed)
            addReason(text, "GPU " + std::to_string(gpu.index) + " is slowed down by heat or a power brake");
    }
    return text;
}

} // namespace quadric::machine
