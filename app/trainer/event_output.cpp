// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_output.h"

#include "gpu_notes.h"
#include "table_output.h"

#include "core/machine/judge.h"
#include "core/text/visible_text.h"
#include "core/trainer/base/protocol.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/workload/link_presets.h"

#include <cmath>
#include <iostream>

#include <unistd.h>

namespace quadric::app {

using nlohmann::json;

bool isForPeople(OutputFormat format)
{
    return format == OutputFormat::Table || (format == OutputFormat::Automatic && isatty(STDOUT_FILENO) == 1);
}

Sink makeSink(OutputFormat format)
{
    if (isForPeople(format))
        return [](const json& event) { printReadable(event); };
    return [](const json& event) {
        if (!trainer::printEvent(event))
            throw trainer::Failure(trainer::kCancelled, "the reader of the output has gone");
    };
}

json hello(const trainer::Machine& machine)
{
    const std::string library = trainer::readCpuSupport().library;
    return trainer::helloEvent({{"kind", "cpu"}, {"name", machine.cpu}, {"cores", machine.limits.cores}},
                               {{"quadric_trainer", QUADRIC_VERSION},
                                {"compute", library.empty() ? "none" : library},
                                {"collectives", trainer::collectiveLibrary()}});
}

namespace {

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

} // namespace

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

json gpuHello(const trainer::cuda::CudaSupport& gpus)
{
    return trainer::helloEvent({{"kind", "gpu"},
                                {"name", gpus.survey.gpus.front().name},
                                {"gpus", describeGpus(gpus.survey.gpus)},
                                {"driver", gpus.survey.driver}},
                               {{"quadric_trainer", QUADRIC_VERSION}, {"compute", gpus.versions}});
}

json simulatedHello(const trainer::Workload& workload)
{
    const trainer::Preset& gpu = trainer::presetNamed(trainer::gpuPresets(), workload.hardware.gpu);
    return trainer::helloEvent({{"kind", "simulated"}, {"name", gpu.words}, {"gpus", workload.ranks}},
                               {{"quadric_trainer", QUADRIC_VERSION}});
}

namespace {

/// A GPU that others use makes a run disturbed, whatever the ranks saw of it.
void noteGpuUse(json& provenance, const std::string& use)
{
    if (use.empty())
        return;
    const std::string sentence = "before the run, " + use;
    const std::string known = provenance.value("disturbed_because", "");
    provenance["disturbed"] = true;
    provenance["disturbed_because"] = known.empty() ? sentence : known + "; " + sentence;
}

} // namespace

json withNotes(json event, const RunNotes& notes)
{
    if (event.value("event", "") != "result")
        return event;
    json& provenance = event["provenance"];
    provenance["command"] = notes.commandLine;
    if (provenance.value("source", "") != "measured")
        return event;
    if (!notes.ownBaseline.empty() && provenance["baseline"].is_object())
        provenance["baseline"]["own_because"] = notes.ownBaseline;
    provenance["foreign_load_before_pct"] = notes.foreignLoadPct;
    if (!notes.gpus.is_null()) {
        provenance["gpus"] = notes.gpus;
        for (const std::string& warning : warningsOf(notes.gpus))
            provenance["warnings"].push_back(warning);
    }
    if (!notes.rankCpus.empty()) {
        provenance["rank_cpus"] = notes.rankCpus;
        provenance["cores"] = notes.cores;
    }
    noteGpuUse(provenance, notes.gpuUse);
    if (!notes.engineChoice.empty())
        provenance["warnings"].push_back(notes.engineChoice);
    if (notes.foreignLoadPct > machine::kDisturbedPct)
        provenance["warnings"].push_back("before the run other processes used " +
                                         std::to_string(std::lround(notes.foreignLoadPct)) +
                                         " % of the machine");
    return event;
}

void reportFailure(const trainer::Failure& failure, const Sink& sink)
{
    try {
        sink(trainer::failureEvent(failure.kind(), failure.what()));
    } catch (const trainer::Failure& unread) {
        std::cerr << "quadric-trainer: " << text::makeVisible(failure.what()) << " (" << unread.what()
                  << ")\n";
    }
}

} // namespace quadric::app
