// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/job_outcome.h"

#include "core/machine/json_text.h"
#include "core/run/cluster/slurm_call.h"
#include "core/study/document/document.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <csignal>

namespace quadric::run {

JobFolder::JobFolder(const std::filesystem::path& document, const std::string& name)
    : m_logs(std::filesystem::absolute(logFolder(document)))
    , m_path(m_logs / name)
{
}

FileTail JobFolder::openTail(const std::filesystem::path& file) const
{
    constexpr std::size_t kMostBytes = std::size_t{16} << 20;
    return FileTail(file, m_logs, {kMostBytes, kMostBytes});
}

/// The job's shell follows links: none may be there, nor a file that has another name.
void JobFolder::refuseImpostors() const
{
    study::refuseImpostorOfFolder(m_logs);
    study::refuseImpostorOfFolder(m_path);
    std::error_code none;
    std::filesystem::recursive_directory_iterator entry(m_path, none);
    for (; !none && entry != std::filesystem::recursive_directory_iterator(); entry.increment(none)) {
        if (entry->is_symlink() || !entry->is_directory())
            study::refuseImpostor(entry->path(), study::CompanionUse::Append);
    }
}

void JobFolder::write(const std::string& text) const
{
    refuseImpostors();
    const study::FileHandle file = study::openCompanion(script(), study::CompanionUse::CreateAnew, m_logs);
    if (const int error = study::writeAll(file.get(), text))
        study::failWithErrno(script(), "cannot be written", error);
}

/// Of small files that a job writes; empty where there is none of ours.
std::string JobFolder::readNote(const char* name) const
{
    constexpr std::size_t kMostBytes = 65536;
    try {
        const std::filesystem::path path = m_path / name;
        const study::FileHandle file = study::openCompanion(path, study::CompanionUse::Read, m_logs);
        return file.isOpen() ? study::readPart(file, 0, kMostBytes, path) : std::string();
    } catch (const study::DocumentError&) {
        return {};
    }
}

std::optional<int> JobFolder::setupStep() const
{
    const std::string note = readNote("setup");
    return note.empty() ? std::nullopt : std::optional(numberFrom(note));
}

std::vector<study::Failure> JobFolder::rankFailures() const
{
    constexpr std::string_view kBegin = "failure-", kEnd = ".json";
    std::map<int, study::Failure> failures;
    std::error_code none;
    for (std::filesystem::directory_iterator entry(m_path, none);
         !none && entry != std::filesystem::directory_iterator(); entry.increment(none)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(kBegin) || !name.ends_with(kEnd))
            continue;
        const std::string note = readNote(name.c_str());
        const WorkerMessage message = WorkerProtocol::parseLine(note.substr(0, note.find('\n')));
        if (const auto* failure = std::get_if<WorkerFailure>(&message))
            failures.emplace(numberFrom(name.substr(kBegin.size())), failure->failure);
    }
    std::vector<study::Failure> all;
    for (const auto& [rank, failure] : failures)
        all.push_back(failure);
    return all;
}

namespace {

constexpr std::size_t kMostNodes = 4096;

/// The nodes that have a file of this kind, in the order of their names.
std::vector<std::filesystem::path> filesOf(const std::filesystem::path& folder, const char* kind)
{
    std::vector<std::filesystem::path> files;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
        if (entry.path().extension() == kind && files.size() < kMostNodes)
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

/// Empty where the line is no sample.
std::string withNode(const std::string& line, const std::string& node)
{
    if (!machine::parseReading(line))
        return {};
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(line);
    json["node"] = node;
    return machine::textOf(json);
}

constexpr int kSignalStatus =
    128; ///< exit status of a shell's child that a signal has ended, less the signal
constexpr std::size_t kMostReasonBytes = 300;

std::string describeJob(const JobEvidence& evidence)
{
    const std::string nodes = evidence.record ? evidence.record->nodes : std::string();
    return "job " + evidence.id + (nodes.empty() ? "" : " on " + nodes);
}

WorkerExit failed(const JobEvidence& evidence, const char* kind, const std::string& message)
{
    WorkerExit exit;
    exit.seconds = evidence.seconds;
    exit.failure = study::Failure{kind, message};
    return exit;
}

WorkerExit makeScriptExit(const JobEvidence& evidence)
{
    WorkerExit exit;
    exit.seconds = evidence.seconds;
    exit.code = evidence.rankStatus.value_or(evidence.end->status);
    if (exit.code > kSignalStatus) {
        exit.kind = WorkerExit::Kind::Signalled;
        exit.code -= kSignalStatus;
    }
    return exit;
}

/// What has become of the shell that executed the setup, " with status 1".
std::string endInWords(const JobEvidence& evidence)
{
    const int signal = evidence.record ? evidence.record->signal : 0;
    if (!evidence.end && signal != 0)
        return " and was ended by signal " + std::to_string(signal);
    const int status = evidence.end      ? evidence.end->status
                       : evidence.record ? evidence.record->exitStatus
                                         : 0;
    return " with status " + std::to_string(status);
}

WorkerExit failedSetup(const JobEvidence& evidence)
{
    const std::string& line = evidence.setup->line;
    return failed(evidence, "setup-failed",
                  (line.empty() ? std::string("the lines of benchmark.slurm.setup cannot be executed")
                                : "the setup line \"" + line + "\" failed" + endInWords(evidence)) +
                      ": " + cleanText(lastLines(evidence.setup->errors), kMostReasonBytes));
}

WorkerExit lost(const JobEvidence& evidence)
{
    return failed(evidence, "job-lost",
                  "Slurm lost " + describeJob(evidence) + " while its controller was away or started again");
}

WorkerExit withoutEnd(const JobEvidence& evidence)
{
    if (evidence.record && evidence.wasForsaken)
        return lost(evidence);
    if (!evidence.record)
        return failed(evidence, "job-lost",
                      "Slurm does not know " + describeJob(evidence) +
                          " any more, and it has left no result file in " + evidence.folder.string());
    const std::string reason = evidence.record->reason.empty() ? "" : " (" + evidence.record->reason + ")";
    return failed(evidence, "not-started",
                  describeJob(evidence) + " ended" + reason + " without writing into its folder " +
                      evidence.folder.string() + ": all nodes must see this folder");
}

WorkerExit determineScriptOutcome(const JobEvidence& evidence)
{
    if (evidence.setup && (evidence.end || !evidence.wasForsaken))
        return failedSetup(evidence);
    // srun cannot start the program without the controller.
    if (evidence.end && evidence.end->status != 0 && evidence.wasForsaken)
        return lost(evidence);
    return evidence.end ? makeScriptExit(evidence) : withoutEnd(evidence);
}

WorkerExit determineRecordOutcome(const JobEvidence& evidence)
{
    switch (evidence.record->state) {
    case JobState::NodeFailed:
        return failed(evidence, "node-lost",
                      "a node failed while " + describeJob(evidence) + " was executing");
    case JobState::TimedOut:
        return failed(evidence, "timeout", "Slurm ended " + describeJob(evidence) + " at its time limit");
    case JobState::OutOfMemory:
        return failed(evidence, "out-of-memory",
                      "Slurm ended " + describeJob(evidence) +
                          " because it used more memory than it was given");
    case JobState::Cancelled:
        if (evidence.wasForsaken)
            return lost(evidence);
        return failed(evidence, "cancelled", describeJob(evidence) + " was cancelled outside of Quadric");
    case JobState::Preempted:
        return failed(evidence, "preempted", describeJob(evidence) + " had to make room for another job");
    default:
        return determineScriptOutcome(evidence);
    }
}

} // namespace

JobTelemetry::JobTelemetry(JobFolder folder)
    : m_job(std::move(folder))
    , m_folder(folderIn(m_job.path()))
{
}

std::vector<std::string> JobTelemetry::readMore()
{
    std::vector<std::string> samples;
    for (const std::filesystem::path& file : filesOf(m_folder, ".samples")) {
        const std::string name = file.stem().string();
        Node& node = m_nodes.try_emplace(name, Node{m_job.openTail(file), {}}).first->second;
        const QByteArray more = node.file.read().text;
        for (const Line& line : node.lines.feed({more.constData(), static_cast<std::size_t>(more.size())})) {
            if (const std::string sample = withNode(line.text, name); !sample.empty())
                samples.push_back(sample);
        }
    }
    return samples;
}

machine::Findings JobTelemetry::findings() const
{
    std::vector<std::string> records;
    for (const std::filesystem::path& file : filesOf(m_folder, ".summary"))
        records.push_back(m_job.openTail(file).read().text.toStdString());
    return machine::mergeNodeFindings(records);
}

WorkerExit makeWorkerExit(WorkerExit::Kind kind, double seconds)
{
    WorkerExit exit;
    exit.kind = kind;
    exit.seconds = seconds;
    return exit;
}

bool endedByStart(const JobRecord& record, std::optional<double> controllerStart)
{
    if (!controllerStart || !record.submitted || !record.ended)
        return false;
    return *controllerStart > *record.submitted &&
           std::abs(*record.ended - *controllerStart) < kForsakenSeconds;
}

WorkerExit determineJobOutcome(const JobEvidence& evidence)
{
    if (evidence.tooMuchMib)
        return failed(evidence, "bad-output",
                      "The program printed more than " + study::toText(*evidence.tooMuchMib) + " MiB");
    const int restarts =
        std::max(evidence.record ? evidence.record->restarts : 0, evidence.end ? evidence.end->restarts : 0);
    if (restarts > 0)
        return failed(evidence, "requeued",
                      "Slurm put " + describeJob(evidence) +
                          " back into the queue and started it again; it was not executed a second time");
    if (evidence.record)
        return determineRecordOutcome(evidence);
    // The node ends a job that the controller does not know any more.
    if (evidence.end && evidence.end->status == kSignalStatus + SIGTERM)
        return lost(evidence);
    return determineScriptOutcome(evidence);
}

std::string findSetupLine(const std::vector<std::string>& setup, int number)
{
    if (setup.empty() || number <= 0)
        return {};
    return setup[std::min(static_cast<std::size_t>(number), setup.size()) - 1];
}

std::optional<int> parseRankStatus(std::string_view line)
{
    constexpr std::string_view kStart = "srun: error: ";
    constexpr std::string_view kWords = "Exited with exit code ";
    const std::size_t at = line.find(kWords);
    if (!line.starts_with(kStart) || line.find(": task") == line.npos || at == line.npos)
        return std::nullopt;
    const std::string_view number = line.substr(at + kWords.size());
    int status = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), status);
    return error == std::errc() ? std::optional<int>(status) : std::nullopt;
}

bool isJobEndMessage(std::string_view line)
{
    const auto has = [line](std::string_view part) { return line.find(part) != line.npos; };
    const bool isOfTask = line.starts_with("srun: error: ") && has(": task");
    const bool isOfStep = line.starts_with("srun: ") && has("Terminat");
    const bool isCancelled = line.starts_with("slurmstepd") && has("*** STEP ") && has(" CANCELLED ");
    return isOfTask || isOfStep || isCancelled;
}

} // namespace quadric::run
