// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/study_output.h"
#include "app/cli/text_table.h"
#include "core/run/follower.h"
#include "core/study/journal.h"

#include <fstream>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

/// The last news of the living runner.
struct News {
    std::optional<double> remaining; ///< seconds
    std::optional<double> done;      ///< of the run in progress, 0…1
};

News readNews(const std::string& path)
{
    News news;
    std::ifstream file(run::eventsPath(path));
    for (std::string line; std::getline(file, line);) {
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object())
            continue;
        const std::string event = json.value("event", "");
        if (event == "remaining")
            news.remaining = json.value("seconds", 0.0);
        else if (event == "progress")
            news.done = json.value("done", 0.0);
        else if (event.starts_with("run-"))
            news.done.reset();
    }
    return news;
}

/// A run that nobody executes any more is pending again.
void settle(study::Study& study, bool isAlive)
{
    for (study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Running && !isAlive)
            run.status = study::RunStatus::Pending;
    }
}

Json statusJson(const study::Study& study, const std::optional<study::LockOwner>& owner, const News& news)
{
    Json json = {{"running", owner.has_value()}, {"total", study.runs.size()}};
    if (owner)
        json["runner"] = {{"pid", owner->pid}, {"host", owner->host}};
    for (const auto status : {study::RunStatus::Done, study::RunStatus::Failed, study::RunStatus::Pending,
                              study::RunStatus::Excluded})
        json[std::string(study::nameOf(status))] = study::countRuns(study, status);
    json["current"] = nullptr;
    json["remaining_seconds"] = jsonOf(owner ? news.remaining : std::nullopt);
    json["failures"] = Json::array();
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Running)
            json["current"] = {{"run", run.id}, {"done", jsonOf(news.done)}};
        if (run.failure)
            json["failures"].push_back(
                {{"run", run.id}, {"kind", run.failure->kind}, {"message", run.failure->message}});
    }
    return json;
}

void printStatus(const study::Study& study, const std::optional<study::LockOwner>& owner, const News& news)
{
    std::cout << study.name << ": " << study.runs.size() << " runs, " << countsText(study) << '\n';
    if (!owner) {
        std::cout << "No runner is at work.\n";
    } else {
        std::cout << "Run by process " << owner->pid << " on " << owner->host;
        if (news.remaining)
            std::cout << ", about " << durationText(*news.remaining) << " left";
        std::cout << '\n';
    }
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Running)
            std::cout << "Run " << run.id << " in progress"
                      << (news.done ? ", " + numberText(100.0 * *news.done, 3) + " % done" : "") << ": "
                      << settingsText(study, run.settings) << '\n';
        if (run.failure)
            std::cout << "Run " << run.id << " failed (" << run.failure->kind << "): " << run.failure->message
                      << '\n';
    }
}

} // namespace

void addStatus(CommandLine& line)
{
    auto option = std::make_shared<StudyOption>();
    CLI::App* command = line.app.add_subcommand("status", "Say how far the runs of a study are");
    addStudyOption(*command, *option);
    command->callback([option] {
        const auto owner = study::lockOwner(option->path);
        study::Study study = readStudy(option->path);
        settle(study, owner.has_value());
        const News news = owner ? readNews(option->path) : News{};
        if (option->json)
            printJson(statusJson(study, owner, news));
        else
            printStatus(study, owner, news);
    });
}

} // namespace quadric::app
