// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/run_outcome.h"

#include "core/run/recipe/baseline_needs.h"
#include "core/run/recipe/output_parse.h"
#include "core/run/worker/surroundings.h"
#include "core/study/derived.h"
#include "core/text/numbers.h"
#include "core/text/secrets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <string_view>

namespace quadric::run {

namespace {

/// What ranks fail with that have lost each other.
constexpr std::string_view kCommunication = "communication";

struct Phrase {
    std::string_view text;
    std::string_view kind;
};

constexpr auto kPhrases = std::to_array<Phrase>({
    {"out of memory", "out-of-memory"},
    {"OUT_OF_MEMORY", "out-of-memory"},
    {"Cannot allocate memory", "out-of-memory"},
    {"std::bad_alloc", "out-of-memory"},
    {"MemoryError", "out-of-memory"},
    {"No space left on device", "disk-full"},
    {"Disk quota exceeded", "disk-full"},
    {"fallen off the bus", "device-lost"},
    {"GPU is lost", "device-lost"},
    {"DEVICE_UNAVAILABLE", "device-lost"},
    {"device lost", "device-lost"},
    {"Unable to determine the device handle", "device-lost"},
    {"uncorrectable ECC error", "device-lost"},
    {"uncorrectable NVLink error", "device-lost"},
    {"slurmstepd: error: execve(): ", "not-found"},
    {"ncclSystemError", kCommunication},
    {"ncclRemoteError", kCommunication},
    {"NCCL operations have failed or timed out", kCommunication},
    {"caught collective operation timeout", kCommunication},
});

/// Messages about failures are short; the beginning of a long line is enough.
constexpr std::size_t kMostLookedAt = 500;

/// The kind of failure ("out-of-memory", "disk-full", "device-lost", kCommunication) that a line of log
/// speaks of, in the words of the system, the driver, CUDA and NCCL. Only a worker that has failed is asked.
std::optional<std::string> classifyFailurePhrase(std::string_view line)
{
    const std::string_view start = line.substr(0, kMostLookedAt);
    const auto found = std::ranges::find_if(
        kPhrases, [start](const Phrase& phrase) { return start.find(phrase.text) != start.npos; });
    return found == kPhrases.end() ? std::nullopt : std::optional(std::string(found->kind));
}

namespace fs = std::filesystem;

/// The number behind "oom_kill" in a file of lines "name number".
std::optional<std::int64_t> killsIn(const fs::path& path)
{
    std::ifstream file(path);
    std::string key;
    for (std::int64_t value = 0; file >> key >> value;) {
        if (key == "oom_kill")
            return value;
    }
    return std::nullopt;
}

/// The file that counts for a line "number:controllers:/path" of /proc/self/cgroup; empty when none does.
fs::path memoryEventsFile(const std::string& line, const fs::path& root)
{
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos)
        return {};
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const fs::path group = fs::path(line.substr(second + 1)).relative_path();
    if (controllers == ",,")
        return root / "sys/fs/cgroup" / group / "memory.events";
    if (controllers.find(",memory,") != controllers.npos)
        return root / "sys/fs/cgroup/memory" / group / "memory.oom_control";
    return {};
}

fs::path groupFile(const fs::path& root)
{
    std::ifstream file(root / "proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        fs::path counts = memoryEventsFile(line, root);
        if (!counts.empty() && killsIn(counts))
            return counts;
    }
    return {};
}

using study::Failure;

/// What the runner counts and compares itself is nothing that a worker can tell.
constexpr auto kOwnFacts = std::to_array<std::string_view>(
    {"attempt", "baseline_conditions", "earlier_failure", "repeats", "slurm"});

std::string withLastLine(const std::string& sentence, const WorkerReport& report)
{
    return report.lastLine.empty()
               ? sentence
               : sentence + ". Last line: " + cleanText(text::withoutSecrets(report.lastLine), 300);
}

std::string signalName(int signal)
{
    const char* name = sigabbrev_np(signal);
    return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

/// The worker, or a process of it, as a shell, a launcher of ranks or the worker itself tells.
bool wasKilled(const WorkerReport& report, const WorkerExit& exit)
{
    constexpr int kStatusOfShell = 128; // and the signal
    const bool isOwn = exit.kind == WorkerExit::Kind::Signalled && exit.code == SIGKILL;
    const bool isTold = exit.kind == WorkerExit::Kind::Exited && exit.code == kStatusOfShell + SIGKILL;
    return isOwn || isTold || (report.failure && report.failure->kind == "rank-lost");
}

std::optional<Failure> detectMemoryFailure(const WorkerReport& report, const WorkerExit& exit)
{
    if (exit.memoryKills != MemoryKills::InGroup || !wasKilled(report, exit))
        return std::nullopt;
    return Failure{"out-of-memory",
                   withLastLine("memory ran out and the kernel ended a process of the run (SIGKILL), as the "
                                "counter of its control group says",
                                report)};
}

/// What may stand behind SIGKILL where nobody here has sent it.
std::string hintOf(const WorkerExit& exit)
{
    if (exit.code != SIGKILL)
        return {};
    return exit.memoryKills == MemoryKills::None ? ", by whom is unknown"
                                                 : ", by whom is unknown; meanwhile memory ran out on this "
                                                   "machine and the kernel ended a process";
}

/// What the worker says, unless it names only a lost connection, or nothing, and a rank knows the cause.
std::optional<Failure> detectRankFailure(const WorkerReport& report, const WorkerExit& exit)
{
    const auto isCause = [](const Failure& failure) { return failure.kind != "communication"; };
    const bool endedWell = exit.kind == WorkerExit::Kind::Exited && exit.code == 0;
    if (endedWell || (report.failure && isCause(*report.failure)))
        return report.failure;
    const auto cause = std::ranges::find_if(exit.rankFailures, isCause);
    if (cause != exit.rankFailures.end())
        return *cause;
    if (report.failure || exit.rankFailures.empty())
        return report.failure;
    return exit.rankFailures.front();
}

std::optional<Failure> detectExitFailure(const WorkerReport& report, const WorkerExit& exit)
{
    using Kind = WorkerExit::Kind;
    if (exit.failure)
        return exit.failure;
    if (exit.kind == Kind::NotStarted)
        return Failure{"not-found", exit.message};
    if (exit.kind == Kind::TimedOut)
        return Failure{"timeout",
                       withLastLine("No result within " + study::toText(exit.seconds) + " s", report)};
    if (auto failure = detectMemoryFailure(report, exit))
        return failure;
    if (auto failure = detectRankFailure(report, exit))
        return failure;
    if (exit.kind == Kind::Signalled)
        return Failure{report.phrase.value_or("crash"),
                       withLastLine("Ended by " + signalName(exit.code) + hintOf(exit), report)};
    if (exit.code != 0)
        return Failure{report.phrase.value_or("exit-status"),
                       withLastLine("Exit status " + std::to_string(exit.code), report)};
    return std::nullopt;
}

std::optional<Failure> detectSettingsMismatch(const study::Study& study, const study::Run& run,
                                              const Result& result)
{
    const auto claimed = result.provenance.find("settings");
    return claimed == result.provenance.end() ? std::nullopt : contradiction(study, run, claimed->second);
}

/// Of several workers that write into one stream, or of one that has not understood which run it is.
std::optional<Failure> detectWrongRun(const study::Run& run, const Result& result)
{
    if (!result.run || *result.run == std::to_string(run.id))
        return std::nullopt;
    return Failure{"bad-output", "the result is of run " + cleanText(*result.run, 40) + ", expected of run " +
                                     std::to_string(run.id)};
}

/// Of a baseline only the speed is used. What the runner computes itself no program needs to tell.
std::vector<std::string> wantedResults(const study::Study& study, const study::Run& run)
{
    if (run.kind == study::RunKind::Baseline)
        return {baselineSpeed(study)};
    std::vector<std::string> names;
    for (const study::Response& response : study.responses) {
        if (!study::isComputed(study, response.name) && !isScalingResult(study, response.name))
            names.push_back(response.name);
    }
    return names;
}

bool hasOwnFormat(const study::Study& study)
{
    return study.benchmark.workload == "command" &&
           study.benchmark.parse.kind != study::ParseSpec::Kind::Protocol;
}

/// Where the program's results were looked for.
std::string describeResultsPlace(const study::Study& study, const study::Run& run,
                                 const std::vector<std::string>& missing)
{
    using Kind = study::ParseSpec::Kind;
    const study::ParseSpec& parse = study.benchmark.parse;
    if (parse.kind == Kind::File)
        return "Looked for in " + forRun(parse, study, run).file;
    if (parse.kind == Kind::LastJson)
        return "Looked for in the last JSON object that it printed";
    std::vector<std::string> patterns;
    for (const std::string& name : missing) {
        if (const auto pattern = parse.patterns.find(name); pattern != parse.patterns.end())
            patterns.push_back("\"" + cleanText(pattern->second, 100) + "\"");
    }
    return "No line of its output matches " + text::joinWords(patterns, " or ");
}

/// "No value found for val_acc (found: throughput)", and where it was looked for.
Failure missingResult(const study::Study& study, const study::Run& run,
                      const std::vector<std::string>& missing, const std::vector<std::string>& found)
{
    const bool isFile = study.benchmark.parse.kind == study::ParseSpec::Kind::File;
    const char* head = !hasOwnFormat(study) ? "No value found for "
                       : isFile             ? "The program wrote no value for "
                                            : "The program printed no value for ";
    std::string sentence = head + text::joinWords(missing, " and ");
    if (!found.empty())
        sentence += " (found: " + text::joinWords(found) + ")";
    if (hasOwnFormat(study))
        sentence += ". " + describeResultsPlace(study, run, missing);
    return {"missing-result", sentence};
}

Failure noResult(const study::Study& study, const WorkerReport& report)
{
    const bool isOwn = study.benchmark.workload == "command";
    return {"missing-result",
            withLastLine(
                isOwn
                    ? R"(The program printed no result line of the Quadric protocol ({"event": "result", …}))"
                    : "The run ended without a result",
                report)};
}

std::optional<Failure> detectResultFailure(const study::Study& study, const study::Run& run,
                                           const WorkerReport& report)
{
    if (report.badMessage)
        return report.badMessage;
    if (!report.result)
        return noResult(study, report);
    if (auto failure = detectWrongRun(run, *report.result))
        return failure;
    std::vector<std::string> missing;
    std::vector<std::string> there;
    for (const std::string& name : wantedResults(study, run)) {
        if (!report.result->responses.contains(name))
            missing.push_back(name);
    }
    for (const auto& [name, value] : report.result->responses) {
        there.push_back(name);
        if (!std::isfinite(value))
            return Failure{"non-finite", "result \"" + name + "\" is not a finite number"};
    }
    if (missing.empty())
        return detectSettingsMismatch(study, run, *report.result);
    return missingResult(study, run, missing, there);
}

void recordLogLine(WorkerReport& report, const std::string& line)
{
    report.lastLine = line;
    const auto kind = classifyFailurePhrase(line);
    // That the ranks have lost each other is often only the consequence of what was said before.
    if (kind && (!report.phrase || *kind != kCommunication))
        report.phrase = kind;
}

/// Nobody can know which of two results is the one that was meant.
void recordResult(WorkerReport& report, const Result& result)
{
    const bool isOther = report.result && (report.result->responses != result.responses ||
                                           report.result->spread != result.spread);
    if (isOther && !report.badMessage)
        report.badMessage =
            Failure{"bad-output", "The program reported two different results, expected one per run"};
    report.result = result;
}

/// The runner knows best what it has given to the run.
bool isGiven(const study::Run& run, const std::string& key)
{
    return (key == "devices" && !run.provenance.devices.empty()) ||
           (key == "cpus" && !run.provenance.cpus.empty());
}

void mergeWorkerFacts(study::Run& run, const study::Facts& told)
{
    for (const auto& [key, json] : told) {
        if (!isGiven(run, key) && std::ranges::find(kOwnFacts, key) == kOwnFacts.end())
            study::setProvenanceFact(run.provenance, key, json);
    }
    keepHarmless(run.provenance.environment);
}

/// Whatever a worker says, its results are measured or simulated.
void setProvenance(study::Run& run, const WorkerReport& report)
{
    mergeWorkerFacts(run, report.hello);
    if (report.result)
        mergeWorkerFacts(run, report.result->provenance);
    if (run.provenance.source != study::Source::Simulated)
        run.provenance.source = study::Source::Measured;
}

} // namespace

MemoryKillCounter::MemoryKillCounter(const std::filesystem::path& root)
    : m_machineFile(root / "proc/vmstat")
    , m_groupFile(groupFile(root))
    , m_onMachine(killsIn(m_machineFile).value_or(0))
    , m_inGroup(killsIn(m_groupFile).value_or(0))
{
}

MemoryKills MemoryKillCounter::countKillsSinceStart() const
{
    if (!m_groupFile.empty() && killsIn(m_groupFile).value_or(0) > m_inGroup)
        return MemoryKills::InGroup;
    return killsIn(m_machineFile).value_or(0) > m_onMachine ? MemoryKills::OnMachine : MemoryKills::None;
}

void note(WorkerReport& report, const WorkerMessage& message)
{
    if (const auto* hello = std::get_if<Hello>(&message))
        report.hello = hello->details;
    else if (const auto* result = std::get_if<Result>(&message))
        recordResult(report, *result);
    else if (const auto* failure = std::get_if<WorkerFailure>(&message))
        report.failure = failure->failure;
    else if (const auto* text = std::get_if<LogText>(&message))
        recordLogLine(report, text->text);
    else if (const auto* bad = std::get_if<BadMessage>(&message); bad && !report.badMessage)
        report.badMessage = bad->failure;
}

study::Run conclude(const study::Study& study, study::Run run, const WorkerReport& report,
                    const WorkerExit& exit)
{
    std::optional<Failure> failure = detectExitFailure(report, exit);
    if (!failure)
        failure = detectResultFailure(study, run, report);
    setProvenance(run, report);
    if (failure)
        failure->message = text::withoutSecrets(failure->message);
    run.failure = failure;
    run.status = failure ? study::RunStatus::Failed : study::RunStatus::Done;
    if (failure)
        return run;
    run.results = report.result->responses;
    run.spread = report.result->spread;
    return run;
}

study::Run resetToPending(study::Run run)
{
    run.status = study::RunStatus::Pending;
    run.failure.reset();
    run.results.clear();
    run.spread.clear();
    study::Provenance kept;
    kept.earlierFailure = run.provenance.earlierFailure;
    kept.repeats = run.provenance.repeats;
    run.provenance = std::move(kept);
    return run;
}

} // namespace quadric::run
