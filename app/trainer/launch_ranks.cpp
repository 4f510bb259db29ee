// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch_ranks.h"

#include "core/machine/ending_signals.h"
#include "core/machine/processor.h"
#include "core/text/visible_text.h"
#include "core/trainer/base/failure.h"
#include "core/trainer/base/protocol.h"
#include "core/trainer/measure/rank_session.h"
#include "core/trainer/measure/result.h"
#include "core/trainer/measure/validation.h"
#include "core/trainer/simulated/simulated_run.h"
#include "look_around.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <new>
#include <set>
#include <span>

#include <unistd.h>

namespace quadric::app {

using nlohmann::json;

using trainer::Failure;

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
    const sigset_t ends = machine::endingSignals();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        if (sigismember(&ends, signal) == 1)
            sigaction(signal, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
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

void forward(const std::string& line, const RunNotes& notes, const Sink& sink)
{
    const json event = json::parse(line, nullptr, false);
    if (event.is_object())
        sink(withNotes(event, notes));
    else
        std::cerr << line << '\n';
}

int exitStatusFor(const trainer::Failure& failure)
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

/// The workload without it.
trainer::Workload withOwnBaseline(trainer::Workload workload)
{
    workload.baselineRate.reset();
    workload.baselineHalfWidth.reset();
    return workload;
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
    const Surroundings here = surveyMachine(workload);
    sink(makeHelloEvent(workload, here));
    const std::string ownBaseline = whyOwnBaseline(workload, options.baselineDevice, here);
    if (!ownBaseline.empty())
        workload = withOwnBaseline(workload);
    trainer::validate(workload, here.machine.limits);
    RunNotes notes = makeRunNotes(options.commandLine, asked, workload, workload.ranks, here);
    notes.ownBaseline = ownBaseline;
    if (workload.engine == trainer::EngineKind::Simulated) {
        const char* run = std::getenv("QUADRIC_RUN_ID");
        sink(withNotes(trainer::resultEvent(trainer::simulateRun(workload, run == nullptr ? "" : run)),
                       notes));
        return;
    }
    const trainer::RankCpus cpus = assignRankCpus(workload, here);
    noteCpus(cpus, here.machine, notes);
    trainer::RankGroup group(workload, cpus);
    group.run(
        started, [&](const std::string& line) { forward(line, notes, sink); }, &endingSignal);
}

void computeAsRank(const Options& options)
{
    const trainer::RankPlace& place = *options.place;
    const trainer::Workload workload = readWorkload(options);
    const std::unique_ptr<trainer::Collective> collective =
        workload.ranks == 1
            ? trainer::makeLocalCollective()
            : trainer::makeCollective(place.rank, workload.ranks, {.folder = place.rendezvous});
    const auto report = [](const nlohmann::json& event) { trainer::printEvent(event); };
    trainer::RankSession(workload, *collective, place.started, report).run();
}

int fail(const std::string& kind, const std::string& message)
{
    trainer::printEvent(trainer::failureEvent(kind, message));
    return 1;
}

constexpr const char* kPrepared = "QUADRIC_RANK_PREPARED"; ///< holds the command line of the first start

/// OpenMP reads its rules when the program starts: start again with those of a rank.
void startPrepared(const Options& options, const trainer::Workload& workload)
{
    if (std::getenv(kPrepared) != nullptr)
        return;
    std::vector<std::string> environment = trainer::rankEnvironment(workload);
    environment.push_back(std::string(kPrepared) + "=" + options.commandLine);
    const std::string format = options.format == OutputFormat::Table ? "table" : "json";
    std::vector<std::string> arguments = {"quadric-trainer", "--format", format};
    if (!options.baselineDevice.empty())
        arguments.insert(arguments.end(), {"--baseline-device", options.baselineDevice});
    std::vector<char*> argumentList;
    std::vector<char*> environmentList;
    argumentList.reserve(arguments.size() + 1);
    environmentList.reserve(environment.size() + 1);
    for (std::string& text : arguments)
        argumentList.push_back(text.data());
    for (std::string& text : environment)
        environmentList.push_back(text.data());
    argumentList.push_back(nullptr);
    environmentList.push_back(nullptr);
    execve("/proc/self/exe", argumentList.data(), environmentList.data());
    throw Failure(trainer::kInternal, "cannot start the rank again with its thread rules");
}

trainer::Workload readTaskWorkload(const Options& options, const trainer::ClusterPlace& place)
{
    Options asked = options;
    const trainer::Workload wanted = readWorkload(options);
    if (wanted.ranks != 1 && wanted.ranks != place.ranks)
        throw Failure(trainer::kBadSettings, "ranks: the launcher started " + std::to_string(place.ranks) +
                                                 " tasks, the settings ask for " +
                                                 std::to_string(wanted.ranks));
    asked.settings.emplace_back("ranks", std::to_string(place.ranks));
    return readWorkload(asked);
}

/// Each task checks its own threads and GPU, and its share of the memory of its host.
void validateHere(const trainer::Workload& workload, const trainer::ClusterPlace& place,
                  trainer::MachineLimits limits)
{
    limits.availableBytes /= place.ranksOnNode;
    trainer::validateRank(workload, limits, place.placeOnNode);
}

std::unique_ptr<trainer::Collective> meet(const trainer::ClusterPlace& place)
{
    std::error_code error;
    std::filesystem::create_directories(place.rendezvous, error);
    std::unique_ptr<trainer::Collective> collective =
        trainer::makeCollective(place.rank, place.ranks, {place.rendezvous, place.address});
    double all = 1.0;
    collective->sum(std::span<double>(&all, 1));
    if (place.rank == 0)
        std::filesystem::remove_all(place.rendezvous, error);
    return collective;
}

/// What every task has to say, by rank; cut to what a message holds.
std::vector<std::string> gatherTexts(trainer::Collective& collective, const std::string& text)
{
    constexpr std::size_t kLongest = 1024;
    std::array<char, kLongest> mine{};
    text.copy(mine.data(), mine.size() - 1);
    std::vector<std::array<char, kLongest>> all(static_cast<std::size_t>(collective.size()));
    collective.gather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
    std::vector<std::string> texts;
    texts.reserve(all.size());
    for (const std::array<char, kLongest>& each : all)
        texts.emplace_back(each.data());
    return texts;
}

/// What the tasks said, each sentence of a host once.
std::string gpuUseOnAllHosts(trainer::Collective& collective, const std::string& host, const std::string& use)
{
    const std::string mine = use.empty() ? std::string() : "on " + host + ", " + use;
    std::set<std::string> said;
    std::string text;
    for (const std::string& each : gatherTexts(collective, mine)) {
        if (!each.empty() && said.insert(each).second)
            text += (text.empty() ? "" : "; ") + each;
    }
    return text;
}

/// The GPU of every rank, in their order; null where they compute on processors.
nlohmann::json gatherRankGpus(trainer::Collective& collective, const trainer::ClusterPlace& place,
                              const Surroundings& here)
{
    const std::vector<machine::Gpu>& gpus = here.gpus.survey.gpus;
    nlohmann::json mine;
    if (!gpus.empty()) {
        const std::size_t own = static_cast<std::size_t>(place.placeOnNode) % gpus.size();
        mine = describeSettings(std::span(gpus).subspan(own, 1)).at(0);
        mine["host"] = here.machine.host;
    }
    nlohmann::json all;
    for (const std::string& text : gatherTexts(collective, mine.dump())) {
        const nlohmann::json gpu = nlohmann::json::parse(text, nullptr, false);
        if (gpu.is_object())
            all.push_back(gpu);
    }
    return all;
}

/// Rank 0 measures the baseline: its device decides for all.
bool shareDecision(trainer::Collective& collective, bool isWanted)
{
    double wanted = collective.rank() == 0 && isWanted ? 1.0 : 0.0;
    collective.sum(std::span<double>(&wanted, 1));
    return wanted > 0.0;
}

void computeAsTask(const Options& options, const trainer::ClusterPlace& place, const Sink& sink,
                   std::chrono::steady_clock::time_point started)
{
    trainer::Workload workload = readTaskWorkload(options, place);
    const trainer::EngineKind asked = workload.engine;
    if (workload.engine == trainer::EngineKind::Simulated)
        throw Failure(trainer::kBadSettings, "engine simulated: needs no tasks; start it alone");
    startPrepared(options, workload);
    const Surroundings here = surveyMachine(workload);
    if (place.rank == 0)
        sink(makeHelloEvent(workload, here));
    validateHere(workload, place, here.machine.limits);
    RunNotes notes = makeRunNotes(std::getenv(kPrepared), asked, workload, place.ranksOnNode, here);
    const std::unique_ptr<trainer::Collective> collective = meet(place);
    notes.gpuUse = gpuUseOnAllHosts(*collective, here.machine.host, notes.gpuUse);
    notes.gpus = gatherRankGpus(*collective, place, here);
    notes.ownBaseline = whyOwnBaseline(workload, options.baselineDevice, here);
    if (shareDecision(*collective, !notes.ownBaseline.empty()))
        workload = withOwnBaseline(workload);
    trainer::RankSession(workload, *collective, started, [&](const nlohmann::json& event) {
        sink(withNotes(event, notes));
    }).run();
}

/// Only rank 0 speaks, and may be ended before it does: whoever looks after the job finds the cause here.
void writeFailureFile(const Failure& failure, const trainer::ClusterPlace& place)
{
    if (place.failures.empty())
        return;
    const std::string name = "failure-" + std::to_string(place.rank) + ".json";
    std::ofstream(std::filesystem::path(place.failures) / name)
        << trainer::failureEvent(failure.kind(), "rank " + std::to_string(place.rank) + ": " + failure.what())
               .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
        << '\n';
}

int fail(const Failure& failure, const trainer::ClusterPlace& place, const Sink& sink)
{
    writeFailureFile(failure, place);
    if (place.rank == 0)
        reportFailure(failure, sink);
    else
        std::cerr << "quadric-trainer: rank " << place.rank << ": " << text::makeVisible(failure.what())
                  << '\n';
    return failure.kind() == trainer::kBadSettings ? 2 : 1;
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
        return exitStatusFor(failure);
    } catch (const std::exception& error) {
        reportFailure({trainer::kInternal, error.what()}, sink);
        return 1;
    }
}

int runRank(const Options& options)
{
    try {
        computeAsRank(options);
        return 0;
    } catch (const trainer::Failure& failure) {
        return fail(failure.kind(), failure.what());
    } catch (const std::bad_alloc&) {
        return fail(trainer::kOutOfMemory, "a rank could not get the memory that it needs");
    } catch (const std::exception& error) {
        return fail(trainer::kInternal, error.what());
    }
}

int runClusterRank(const Options& options, const trainer::ClusterPlace& place,
                   std::chrono::steady_clock::time_point started)
{
    std::signal(SIGPIPE, SIG_IGN); // a peer that is gone is a failure with a name
    const Sink sink = makeSink(options.format);
    try {
        computeAsTask(options, place, sink, started);
        return 0;
    } catch (const Failure& failure) {
        return fail(failure, place, sink);
    } catch (const std::bad_alloc&) {
        return fail({trainer::kOutOfMemory, "a rank could not get the memory that it needs"}, place, sink);
    } catch (const std::exception& error) {
        return fail({trainer::kInternal, error.what()}, place, sink);
    }
}

} // namespace quadric::app
