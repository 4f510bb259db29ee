// SPDX-License-Identifier: GPL-3.0-or-later
#include "look_around.h"

#include "app/shell/visible_output.h"
#include "core/machine/contention.h"
#include "core/machine/processor.h"
#include "core/text/numbers.h"
#include "core/trainer/base/protocol.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/measure/validation.h"
#include "launch_ranks.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <set>

namespace quadric::app {

using nlohmann::json;

using trainer::EngineKind;

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

constexpr std::chrono::milliseconds kPreflight{200};

/// Ranks take the GPUs in turn: the others do not matter.
std::span<const machine::Gpu> takenOf(const std::vector<machine::Gpu>& gpus, int ranks)
{
    return std::span(gpus).first(std::min(gpus.size(), static_cast<std::size_t>(ranks)));
}

std::string useOfGpus(std::span<const machine::Gpu> gpus)
{
    std::string use = machine::describeForeignUse(gpus);
    if (!use.empty())
        std::cerr << "quadric-trainer: before the run, " << use << "; its result is marked disturbed\n";
    return use;
}

std::vector<int> processNumbers(const machine::Gpu& gpu)
{
    std::vector<int> numbers;
    for (const machine::GpuProcess& process : gpu.processes)
        numbers.push_back(process.pid);
    return numbers;
}

json describeProcesses(const machine::Gpu& gpu)
{
    json list = json::array();
    for (const machine::GpuProcess& process : gpu.processes)
        list.push_back({{"pid", process.pid}, {"name", process.name}, {"memory_bytes", process.memoryBytes}});
    return list;
}

json describeGpus(const std::vector<machine::Gpu>& gpus)
{
    json list = json::array();
    for (const machine::Gpu& gpu : gpus)
        list.push_back({{"index", gpu.index},
                        {"name", gpu.name},
                        {"uuid", gpu.uuid},
                        {"pci", gpu.pciId},
                        {"memory_bytes", gpu.memoryBytes},
                        {"memory_free_bytes", gpu.freeBytes},
                        {"nvlink_peers", gpu.nvlinkPeers},
                        {"processes", processNumbers(gpu)},
                        {"used_by", describeProcesses(gpu)},
                        {"counts_energy", gpu.countsEnergy},
                        {"slowed_down", gpu.isSlowed}});
    return list;
}

/// The same for a run on the GPUs of this machine.
json gpuHello(const trainer::cuda::CudaSupport& gpus)
{
    return trainer::helloEvent({{"kind", "gpu"},
                                {"name", gpus.survey.gpus.front().name},
                                {"gpus", describeGpus(gpus.survey.gpus)},
                                {"driver", gpus.survey.driver}},
                               {{"quadric_trainer", QUADRIC_VERSION}, {"compute", gpus.versions}});
}

/// The same for a run on GPUs that are not here.
json simulatedHello(const trainer::Workload& workload)
{
    const trainer::Preset& gpu = trainer::presetNamed(trainer::gpuPresets(), workload.hardware.gpu);
    return trainer::helloEvent({{"kind", "simulated"}, {"name", gpu.words}, {"gpus", workload.ranks}},
                               {{"quadric_trainer", QUADRIC_VERSION}});
}

nlohmann::json deviceHello(const trainer::Workload& workload, const Surroundings& here)
{
    if (workload.engine == EngineKind::Simulated)
        return simulatedHello(workload);
    const bool hasGpus = !here.gpus.survey.gpus.empty();
    return workload.engine == EngineKind::Cuda && hasGpus ? gpuHello(here.gpus) : hello(here.machine);
}

std::vector<std::string> precisions(const trainer::Machine& machine)
{
    if (!machine.limits.whyNoCpu.empty())
        return {};
    return machine.limits.hasBf16 ? std::vector<std::string>{"fp32", "bf16"}
                                  : std::vector<std::string>{"fp32"};
}

std::string sentence(const trainer::Machine& machine)
{
    if (!machine.limits.whyNoCpu.empty())
        return machine.cpu + " is not measured: " + machine.limits.whyNoCpu + ".";
    constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
    const long gib = std::lround(static_cast<double>(machine.limits.availableBytes) / kGib);
    return machine.cpu + " with " + text::formatCount(machine.limits.cores, "core") + " and " +
           std::to_string(gib) + " GiB of free memory measures up to " +
           text::formatCount(machine.limits.cores, "rank") + " of one thread in " +
           (machine.limits.hasBf16 ? "fp32 and bf16" : "fp32; it has no instructions for bf16") + " with " +
           trainer::readCpuSupport().library + ".";
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

std::vector<std::string> findGpuWarnings(const json& settings)
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

Surroundings surveyMachine(trainer::Workload& workload)
{
    Surroundings here{trainer::readMachine(), {}};
    if (workload.engine == EngineKind::Cuda || workload.engine == EngineKind::Automatic) {
        here.gpus = trainer::cuda::readCudaSupport();
        trainer::cuda::addGpuLimits(here.machine.limits, here.gpus);
    }
    workload.engine = trainer::chosenEngine(workload, here.machine.limits);
    return here;
}

nlohmann::json makeHelloEvent(const trainer::Workload& workload, const Surroundings& here)
{
    nlohmann::json event = deviceHello(workload, here);
    if (const std::optional<double> memory = trainer::estimateMemoryMib(workload))
        event["memory_estimate_mib"] = *memory;
    return event;
}

std::string whyOwnBaseline(const trainer::Workload& workload, const std::string& measuredOn,
                           const Surroundings& here)
{
    const std::string device = deviceHello(workload, here)["device"].value("name", "");
    if (measuredOn.empty() || measuredOn == device || !workload.usesGivenBaseline())
        return {};
    return "it was measured on " + measuredOn + ", and this is " + device;
}

trainer::RankCpus assignRankCpus(const trainer::Workload& workload, const Surroundings& here)
{
    const std::vector<machine::Core> cores = machine::readCores("/", machine::allowedCpus());
    if (workload.engine != EngineKind::Cuda)
        return trainer::distributeCores(workload, cores, trainer::userBindsThreads());
    std::vector<int> nodes;
    for (const machine::Gpu& gpu : here.gpus.survey.gpus)
        nodes.push_back(machine::readNodeOfPci("/", gpu.pciId));
    return trainer::assignCoresNearGpus(workload.ranks, nodes, cores);
}

RunNotes makeRunNotes(const std::string& commandLine, EngineKind asked, const trainer::Workload& workload,
                      int ranksHere, const Surroundings& here)
{
    RunNotes notes{commandLine};
    if (workload.engine == EngineKind::Simulated)
        return notes;
    notes.foreignLoadPct = machine::foreignLoadPct(kPreflight);
    if (workload.engine == EngineKind::Cuda) {
        const std::span<const machine::Gpu> taken = takenOf(here.gpus.survey.gpus, ranksHere);
        notes.gpuUse = useOfGpus(taken);
        notes.gpus = describeSettings(taken);
    } else if (asked == EngineKind::Automatic)
        notes.engineChoice = "engine auto computes on the processor: " + here.gpus.whyNot;
    return notes;
}

int listDevices(const Options& options)
{
    const trainer::Machine machine = trainer::readMachine();
    const trainer::cuda::CudaSupport gpus = trainer::cuda::readCudaSupport();
    const std::string about = sentence(machine) + ' ' + describe(gpus);
    if (isForPeople(options.format)) {
        std::cout << about << '\n';
        return 0;
    }
    nlohmann::json event = hello(machine);
    event["device"]["memory_available_bytes"] = machine.limits.availableBytes;
    event["device"]["precisions"] = precisions(machine);
    event["device"]["gpus"] = describeGpus(gpus.survey.gpus);
    event["device"]["gpu_driver"] = gpus.survey.driver;
    event["device"]["gpus_are_measured"] = gpus.whyNot.empty();
    if (!gpus.whyNot.empty())
        event["device"]["gpus_are_not_measured_because"] = gpus.whyNot;
    event["device"]["gpus_about"] = measuredWords(gpus);
    event["device"]["about"] = about;
    makeSink(options.format)(event);
    return 0;
}

} // namespace quadric::app
