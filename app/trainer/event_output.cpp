// SPDX-License-Identifier: GPL-3.0-or-later
#include "event_output.h"

#include "app/shell/visible_output.h"
#include "core/machine/contention.h"
#include "core/trainer/base/protocol.h"
#include "core/trainer/cpu/cpu_support.h"
#include "core/trainer/exchange/collective.h"
#include "core/trainer/workload/workload.h"
#include "core/workload/response_table.h"
#include "look_around.h"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <string>

#include <unistd.h>

namespace quadric::app {

using nlohmann::json;

namespace {

void clearLine()
{
    if (printsToTerminal())
        printControl("\r\033[K");
}

void printResponse(const workload::Response& response, const json& event)
{
    const std::string name(response.name);
    const json& values = event.at("responses");
    if (!values.contains(name))
        return;
    std::cout << "  " << std::left << std::setw(26) << response.title << ' ' << std::right << std::setw(14)
              << std::setprecision(6) << values.at(name).get<double>();
    if (event.at("spread").contains(name))
        std::cout << " ± " << std::left << std::setw(10) << std::setprecision(3)
                  << event.at("spread").at(name).get<double>();
    std::cout << ' ' << response.unit << '\n';
}

std::string textAt(const json& object, const char* name)
{
    return object.at(name).get<std::string>();
}

void printResult(const json& event)
{
    clearLine();
    for (const workload::Response& response : workload::kResponses)
        printResponse(response, event);
    const json& from = event.at("provenance");
    std::cout << "  " << textAt(from, "source") << " with " << textAt(from, "compute") << ", "
              << textAt(from, "collectives") << "; " << textAt(from.at("scaling"), "kind") << " scaling; "
              << from.at("samples") << " steps; stopped because " << textAt(from, "stopped_because") << '\n';
    if (from.contains("disturbed_because"))
        std::cout << "  disturbed: " << textAt(from, "disturbed_because") << '\n';
    for (const json& warning : from.at("warnings"))
        std::cout << "  warning: " << warning.get<std::string>() << '\n';
}

void printHello(const json& event)
{
    const json& device = event.at("device");
    const std::string kind = device.value("kind", "");
    if (kind == "simulated") {
        std::cout << "simulated: " << device.at("gpus") << " × " << textAt(device, "name") << '\n';
        return;
    }
    std::cout << textAt(device, "name");
    if (kind != "gpu")
        std::cout << ", " << device.at("cores") << " cores";
    std::cout << ", " << textAt(event.at("versions"), "compute") << '\n';
}

void printProgress(const json& event)
{
    if (!printsToTerminal())
        return;
    clearLine();
    std::cout << "  " << std::right << std::setw(3) << std::lround(100.0 * event.at("done").get<double>())
              << " %  " << textAt(event, "stage") << ", " << textAt(event, "phase") << ", "
              << event.at("samples") << " steps";
}

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

/// Prints an event of the worker protocol for people: the result as a table, progress on one line that is
/// rewritten on a terminal.
void printReadable(const json& event)
{
    const std::string kind = event.value("event", "");
    if (kind == "hello") {
        printHello(event);
    } else if (kind == "progress") {
        printProgress(event);
    } else if (kind == "result") {
        printResult(event);
    } else if (kind == "failure") {
        clearLine();
        std::cerr << "quadric-trainer: " << event.value("message", "") << " (" << event.value("kind", "")
                  << ")\n";
    }
    std::cout.flush();
}

} // namespace

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
        for (const std::string& warning : findGpuWarnings(notes.gpus))
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

} // namespace quadric::app
