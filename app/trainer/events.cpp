// SPDX-License-Identifier: GPL-3.0-or-later
#include "events.h"

#include "table_output.h"

#include "core/trainer/collective.h"
#include "core/trainer/contention.h"
#include "core/trainer/engine.h"
#include "core/trainer/link_presets.h"
#include "core/trainer/protocol.h"

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
            throw trainer::Failure(trainer::kCancelled, "nobody reads the output any more");
    };
}

json hello(const trainer::Machine& machine)
{
    return trainer::helloEvent({{"kind", "cpu"}, {"name", machine.cpu}, {"cores", machine.limits.cores}},
                               {{"quadric_trainer", QUADRIC_VERSION},
                                {"compute", trainer::cpuComputeLibrary()},
                                {"collectives", "Gloo " + trainer::glooVersion()}});
}

json simulatedHello(const trainer::Workload& workload)
{
    const trainer::Preset& gpu = trainer::presetNamed(trainer::gpuPresets(), workload.hardware.gpu);
    return trainer::helloEvent({{"kind", "simulated"}, {"name", gpu.words}, {"gpus", workload.ranks}},
                               {{"quadric_trainer", QUADRIC_VERSION}});
}

json withNotes(json event, const RunNotes& notes)
{
    if (event.value("event", "") != "result")
        return event;
    json& provenance = event["provenance"];
    provenance["command"] = notes.commandLine;
    if (provenance.value("source", "") != "measured")
        return event;
    provenance["foreign_load_before_pct"] = notes.foreignLoadPct;
    if (notes.foreignLoadPct > trainer::kDisturbedPct)
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
        std::cerr << "quadric-trainer: " << failure.what() << " (" << unread.what() << ")\n";
    }
}

} // namespace quadric::app
