// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/events.h"

#include "core/machine/json_text.h"
#include "core/machine/processor.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/text/secrets.h"

#include <QDateTime>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace quadric::run {

namespace {

using enum RunPhase;

constexpr auto kMoves = std::to_array<std::pair<RunPhase, RunPhase>>({
    {Waiting, Starting},
    {Starting, Executing},
    {Starting, Failed}, // the program is not there
    {Starting, Stopping},
    {Executing, Stopping},
    {Executing, Done},
    {Executing, Failed},
    {Stopping, Waiting}, // the run goes back to pending
    {Stopping, Done},    // it ended by itself in the same moment
    {Stopping, Failed},
});

using OrderedJson = nlohmann::ordered_json;

constexpr std::size_t kMostEventText = 2000;

QByteArray toBytes(const OrderedJson& json)
{
    return QByteArray::fromStdString(machine::textOf(json));
}

/// Of what a program says.
std::string shown(const std::string& words)
{
    return cleanText(text::withoutSecrets(words), kMostEventText);
}

} // namespace

bool isAllowedTransition(RunPhase from, RunPhase to)
{
    return std::ranges::find(kMoves, std::pair(from, to)) != kMoves.end();
}

std::string_view nameOf(RunPhase phase)
{
    constexpr std::array<std::string_view, 6> names = {"waiting",  "starting", "executing",
                                                       "stopping", "done",     "failed"};
    return names[static_cast<std::size_t>(phase)];
}

std::string RunDevices::inWords() const
{
    std::string text;
    for (const int gpu : gpus)
        text += (text.empty() ? "GPU " : ", ") + std::to_string(gpu);
    if (!cpus.empty())
        text += (text.empty() ? "CPU " : " · CPU ") + cpus;
    return text;
}

RunDevices readRunDevices(const study::Provenance& provenance)
{
    RunDevices found;
    for (const study::ReservedGpu& gpu : provenance.devices)
        found.gpus.push_back(gpu.index);
    // A worker may write what it likes: only what is a list of processors is shown.
    found.cpus = machine::cpuListText(machine::parseCpuList(provenance.cpus));
    return found;
}

std::filesystem::path eventsPath(const std::filesystem::path& document)
{
    std::filesystem::path path = document;
    path += "-events";
    return path;
}

FileTail openEventTail(const std::filesystem::path& document)
{
    constexpr FileTail::Bounds bounds{std::size_t{4} << 20, std::int64_t{256} << 20};
    return FileTail(eventsPath(document), {}, bounds);
}

QByteArray startedEvent(int pid, const std::string& host, int pendingRuns)
{
    const std::string time = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    return toBytes(
        {{"event", "started"}, {"pid", pid}, {"host", host}, {"time", time}, {"pending", pendingRuns}});
}

QByteArray runEvent(const char* name, const study::Run& run)
{
    return toBytes({{"event", name}, {"run", OrderedJson::parse(study::writeRun(run))}});
}

const char* statusEventName(study::RunStatus status)
{
    switch (status) {
    case study::RunStatus::Running:
        return "run-started";
    case study::RunStatus::Done:
        return "run-done";
    case study::RunStatus::Failed:
        return "run-failed";
    default:
        return "run-stopped";
    }
}

QByteArray progressEvent(int runId, const Progress& progress)
{
    return toBytes({{"event", "progress"},
                    {"run_id", runId},
                    {"done", progress.done},
                    {"phase", progress.phase},
                    {"samples", progress.samples}});
}

QByteArray sampleEvent(int runId, const Sample& sample)
{
    OrderedJson event = {{"event", "sample"}, {"run_id", runId}};
    event.update(OrderedJson::parse(writeSample(sample)));
    return toBytes(event);
}

QByteArray telemetryEvent(int runId, const std::string& fields)
{
    OrderedJson event = {{"event", "telemetry"}, {"run_id", runId}};
    event.update(OrderedJson::parse(fields));
    return toBytes(event);
}

QByteArray logEvent(int runId, const std::string& line)
{
    return toBytes({{"event", "log"}, {"run_id", runId}, {"line", shown(line)}});
}

QByteArray stateEvent(int runId, const std::string& state)
{
    return toBytes({{"event", "state"}, {"run_id", runId}, {"state", shown(state)}});
}

QByteArray pausedEvent(bool isPaused, const std::string& why)
{
    OrderedJson event = {{"event", isPaused ? "paused" : "resumed"}};
    if (!why.empty())
        event["reason"] = shown(why);
    return toBytes(event);
}

QByteArray queueEvent(const std::vector<int>& runs)
{
    return toBytes({{"event", "queue"}, {"runs", runs}});
}

QByteArray remainingEvent(const TimeLeft& left)
{
    return toBytes(
        {{"event", "remaining"}, {"seconds", left.seconds}, {"low", left.low}, {"high", left.high}});
}

QByteArray problemEvent(const std::string& message)
{
    return toBytes({{"event", "problem"}, {"message", message}});
}

QByteArray endedEvent(const std::string& reason, const std::string& message)
{
    return toBytes({{"event", "ended"}, {"reason", reason}, {"message", message}});
}

EventWriter::EventWriter(const std::filesystem::path& document)
{
    try {
        // A new file rather than an emptied one: followers of the former runner see that it is another.
        m_file = study::openCompanion(eventsPath(document), study::CompanionUse::CreateAnew);
    } catch (const study::DocumentError&) {
        return; // without news
    }
}

void EventWriter::write(const QByteArray& event)
{
    const QByteArray line = event + '\n';
    [[maybe_unused]] const int ignored =
        study::writeAll(m_file.get(), {line.constData(), static_cast<std::size_t>(line.size())});
}

} // namespace quadric::run
