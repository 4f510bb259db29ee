// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher.h"

#include "table_output.h"

#include "core/trainer/collective.h"
#include "core/trainer/engine.h"
#include "core/trainer/failure.h"
#include "core/trainer/machine.h"
#include "core/trainer/protocol.h"
#include "core/trainer/simulated_run.h"

#include <csignal>
#include <functional>
#include <iostream>

#include <unistd.h>

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

json hello(const trainer::Machine& machine)
{
    return trainer::helloEvent({{"kind", "cpu"}, {"name", machine.cpu}, {"cores", machine.limits.cores}},
                               {{"quadric_trainer", QUADRIC_VERSION},
                                {"compute", trainer::cpuComputeLibrary()},
                                {"collectives", "Gloo " + trainer::glooVersion()}});
}

using Sink = std::function<void(const json&)>;

Sink makeSink(OutputFormat format)
{
    const bool isTable =
        format == OutputFormat::Table || (format == OutputFormat::Automatic && isatty(STDOUT_FILENO) == 1);
    if (isTable)
        return [](const json& event) { printReadable(event); };
    return [](const json& event) {
        if (!trainer::printEvent(event))
            throw trainer::Failure(trainer::kCancelled, "nobody reads the output any more");
    };
}

void forward(const std::string& line, const std::string& commandLine, const Sink& sink)
{
    json event = json::parse(line, nullptr, false);
    if (!event.is_object()) {
        std::cerr << line << '\n';
        return;
    }
    if (event.value("event", "") == "result")
        event["provenance"]["command"] = commandLine;
    sink(event);
}

int statusOf(const trainer::Failure& failure)
{
    if (failure.kind() == trainer::kBadSettings)
        return 2;
    return endingSignal != 0 ? 128 + endingSignal : 1;
}

void reportFailure(const trainer::Failure& failure, const Sink& sink)
{
    try {
        sink(trainer::failureEvent(failure.kind(), failure.what()));
    } catch (const trainer::Failure& unread) {
        std::cerr << "quadric-trainer: " << failure.what() << " (" << unread.what() << ")\n";
    }
}

} // namespace

int launch(const Options& options, std::chrono::steady_clock::time_point started)
{
    installSignals();
    const Sink sink = makeSink(options.format);
    try {
        const trainer::Machine machine = trainer::readMachine();
        sink(hello(machine));
        const trainer::Workload workload = readWorkload(options);
        trainer::validate(workload, machine.limits);
        if (workload.engine == trainer::EngineKind::Simulated) {
            forward(trainer::resultEvent(trainer::simulateRun(workload)).dump(), options.commandLine, sink);
            return 0;
        }
        trainer::RankGroup group(workload);
        group.run(
            started, [&](const std::string& line) { forward(line, options.commandLine, sink); },
            &endingSignal);
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
