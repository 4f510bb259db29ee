// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/runner_news.h"

#include "core/run/words/run_files.h"
#include "core/study/document/document.h"
#include "core/study/document/json.h"

#include <QList>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace quadric::run {

namespace {

using study::Json;

RunDevices devicesIn(const Json& facts)
{
    study::Provenance provenance;
    for (const char* key : {"devices", "cpus"})
        study::setProvenanceFact(provenance, key, facts.value(key, Json()).dump());
    return readRunDevices(provenance);
}

/// A runner of an older version tells no interval.
TimeLeft timeLeftIn(const Json& json)
{
    const double seconds = json.at("seconds").get<double>();
    return {seconds, json.value("low", seconds), json.value("high", seconds)};
}

void takeRun(RunnerNews& news, const std::string& event, const Json& json)
{
    const int id = json.at("run").at("id").get<int>();
    if (event == "run-started") {
        const Json provenance = json.at("run").value("provenance", Json::object());
        news.active[id].devices = devicesIn(provenance);
        news.active[id].started = provenance.value("started", "");
    } else if (event != "run-changed")
        news.active.erase(id);
}

void takeActive(RunnerNews& news, const std::string& event, const Json& json)
{
    const auto found = news.active.find(json.at("run_id").get<int>());
    if (found == news.active.end())
        return;
    if (event == "state") {
        found->second.waitsFor = json.at("state").get<std::string>();
        found->second.isExecuting = found->second.waitsFor.empty();
        return;
    }
    found->second.done = std::clamp(json.at("done").get<double>(), 0.0, 1.0);
    found->second.phase = json.at("phase").get<std::string>();
}

void takeEvent(RunnerNews& news, const std::string& event, const Json& json)
{
    if (event == "started" || event == "ended")
        news = {};
    else if (event == "paused" || event == "resumed") {
        news.isPaused = event == "paused";
        news.pausedBecause = json.value("reason", "");
    } else if (event == "problem")
        news.problem = json.at("message").get<std::string>();
    else if (event == "queue")
        news.queue = json.at("runs").get<std::vector<int>>();
    else if (event == "remaining")
        news.remaining = timeLeftIn(json);
    else if (event == "progress" || event == "state")
        takeActive(news, event, json);
    else if (event.starts_with("run-"))
        takeRun(news, event, json);
}

/// Also where no runner is at work: until somebody takes the file away.
std::string recoveredInWords(const std::filesystem::path& document)
{
    const auto recovered = findRecovered(document);
    return recovered ? "A runner could not put all results into the study and has left them in " +
                           recovered->string() + ". Open that file, take what is missing, and move it away."
                     : std::string();
}

std::string folderOf(const std::filesystem::path& document)
{
    return std::filesystem::absolute(document).parent_path().string();
}

} // namespace

void RunnerNews::take(std::string_view line)
{
    try {
        const Json json = study::parseJson(line, "an event");
        takeEvent(*this, json.at("event").get<std::string>(), json);
    } catch (const study::DocumentError&) {
        return; // a torn line, or one nested so deeply that whoever walks through it runs out of stack
    } catch (const Json::exception&) {
        return; // news with other fields than ours: of another version
    }
}

RunnerNews readRunnerNews(const std::filesystem::path& document)
{
    RunnerNews news;
    FileTail events = openEventTail(document);
    for (bool hasMore = true; hasMore;) {
        const FileTail::News read = events.readLines();
        for (const QByteArray& line : read.text.split('\n'))
            news.take({line.constData(), static_cast<std::size_t>(line.size())});
        hasMore = read.isFull;
    }
    return news;
}

std::string describeStudyProblem(const std::filesystem::path& document, const RunnerNews& news,
                                 bool isRunning, const std::string& answered)
{
    if (!isRunning)
        return recoveredInWords(document);
    const std::string& what = news.problem.empty() ? answered : news.problem;
    return what.empty() ? what
                        : what + ". Make " + folderOf(document) +
                              " writable again: the runner tries once a second, and goes on by itself.";
}

} // namespace quadric::run
