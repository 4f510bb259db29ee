// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch_ranks.h"

#include "look_around.h"

#include "core/machine/affinity.h"
#include "core/trainer/measure/result.h"
#include "core/trainer/measure/validation.h"
#include "core/trainer/simulated/simulated_run.h"

#include <csignal>
#include <cstdlib>
#include <iostream>

namespace quadric::app {

using nlohmann::json;

namespace {

volatile std::sig_atomic_t endingSignal = 0;

void noteSignal(int signal)
{
    endingSignal = signal;
}

/// Lets the run end in order on the usual requests to stop; a closed pipe is noticed when writing.
void installSignals()
{
    struct sigaction action {};
    action.sa_handler = noteSignal;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        sigaction(signal, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

void forward(const std::string& line, const RunNotes& notes, const Sink& sink)
{
    const json event = json::parse(line, nullptr, false);
    if (event.is_object())
        sink(withNotes(event, notes));
    else
        std::cerr << line << '\n';
}

int statusOf(const trainer::Failure& failure)
{
    if (failure.kind() == trainer::kBadSettings)
        return 2;
    return endingSignal != 0 ? 128 + endingSignal : 1;
}

/// Says hello before anything can fail, as what is going to compute.
trainer::Workload readOrGreet(const Options& options, const Sink& sink)
{
    try {
        return readWorkload(options);
    } catch (const trainer::Failure&) {
        sink(hello(trainer::readMachine()));
        throw;
    }
}

void noteCpus(const trainer::RankCpus& cpus, const trainer::Machine& machine, RunNotes& notes)
{
    notes.cores = machine.limits.cores;
    for (const std::vector<int>& rank : cpus)
        notes.rankCpus.push_back(machine::cpuListText(rank));
}

void runHere(const Options& options, const Sink& sink, std::chrono::steady_clock::time_point started)
{
    trainer::Workload workload = readOrGreet(options, sink);
    const trainer::EngineKind asked = workload.engine;
    const Surroundings here = lookAround(workload);
    sink(helloOf(workload, here));
    const std::string ownBaseline = whyOwnBaseline(workload, options.baselineDevice, here);
    if (!ownBaseline.empty())
        workload = withOwnBaseline(workload);
    trainer::validate(workload, here.machine.limits);
    RunNotes notes = notesBefore(options.commandLine, asked, workload, workload.ranks, here);
    notes.ownBaseline = ownBaseline;
    if (workload.engine == trainer::EngineKind::Simulated) {
        const char* run = std::getenv("QUADRIC_RUN_ID");
        sink(withNotes(trainer::resultEvent(trainer::simulateRun(workload, run == nullptr ? "" : run)),
                       notes));
        return;
    }
    const trainer::RankCpus cpus = cpusOfRanks(workload, here);
    noteCpus(cpus, here.machine, notes);
    trainer::RankGroup group(workload, cpus);
    group.run(
        started, [&](const std::string& line) { forward(line, notes, sink); }, &endingSignal);
}

} // namespace

int launch(const Options& options, std::chrono::steady_clock::time_point started)
{
    installSignals();
    const Sink sink = makeSink(options.format);
    try {
        runHere(options, sink, started);
        return 0;
    } catch (const trainer::Failure& failure) {
        reportFailure(failure, sink);
        return statusOf(failure);
    } catch (const std::exception& error) {
        reportFailure({trainer::kInternal, error.what()}, sink);
        return 1;
    }
}

} // namespace quadric::app
