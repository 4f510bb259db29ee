// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "app/cli/run/run_progress.h"
#include "core/run/follow/follower.h"
#include "core/run/follow/runner_news.h"
#include "core/study/files/journal.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"
#include "core/text/visible_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct Status {
    study::Study study;
    std::optional<study::LockOwner> owner;
    run::RunnerNews news;
    std::string problem; ///< see describeStudyProblem()
};

/// What the living runner cannot write down where even its events cannot be written; empty: nothing.
std::string problemAnswered(CommandLine& line, const std::string& path)
{
    const QCoreApplication application(line.argc, line.argv);
    return run::ask(path, {run::ControlAction::Status, 0}).problem.toStdString();
}

Status readStatus(CommandLine& line, const std::string& path)
{
    Status status;
    std::string answered;
    status.owner = study::lockOwner(path);
    if (status.owner) {
        status.news = run::readRunnerNews(path);
        answered = problemAnswered(line, path);
    }
    status.study = readStudy(path);
    if (!status.owner)
        study::resetRunningRuns(status.study);
    status.problem = run::describeStudyProblem(path, status.news, status.owner.has_value(), answered);
    return status;
}

/// The runs in progress, those among them that replace a result that stays until then.
std::map<int, run::ActiveNews> activeRuns(const Status& status)
{
    std::map<int, run::ActiveNews> active = status.news.active;
    for (const study::Run& run : study::allRuns(status.study)) {
        if (run.status == study::RunStatus::Running)
            active[run.id];
    }
    return active;
}

/// Jobs of a cluster that outlive their runner, by run.
std::map<int, study::SlurmJob> leftJobs(const Status& status)
{
    std::map<int, study::SlurmJob> jobs;
    for (const study::Run& run : study::allRuns(status.study)) {
        const std::optional<study::SlurmJob>& job = run.provenance.slurm;
        if (job && !job->name.empty() && !status.owner && run.status == study::RunStatus::Pending)
            jobs[run.id] = *job;
    }
    return jobs;
}

Json activeJson(int id, const run::ActiveNews& news)
{
    return {{"run", id},
            {"done", news.done},
            {"phase", news.phase},
            {"waits_for", news.waitsFor},
            {"gpus", news.devices.gpus},
            {"cpus", news.devices.cpus}};
}

Json statusJson(const Status& status)
{
    Json json = {{"running", status.owner.has_value()}, {"total", status.study.runs.size()}};
    if (status.owner)
        json["runner"] = {{"pid", status.owner->pid}, {"host", status.owner->host}};
    json["paused"] = status.news.isPaused;
    json["paused_because"] = status.news.pausedBecause.empty() ? Json() : Json(status.news.pausedBecause);
    json["problem"] = status.problem.empty() ? Json() : Json(status.problem);
    for (const auto each : {study::RunStatus::Done, study::RunStatus::Failed, study::RunStatus::Pending,
                            study::RunStatus::Excluded})
        json[std::string(study::nameOf(each))] = study::countRuns(status.study, each);
    json["cancelled"] = study::countCancelled(status.study); // among the failed ones
    json["current"] = nullptr;
    json["active"] = Json::array();
    for (const auto& [id, news] : activeRuns(status))
        json["active"].push_back(activeJson(id, news));
    if (!json["active"].empty())
        json["current"] = json["active"].front();
    json["queue"] = status.news.queue;
    json["left_jobs"] = Json::array();
    for (const auto& [id, job] : leftJobs(status))
        json["left_jobs"].push_back({{"run", id}, {"job", job.job}, {"job_name", job.name}});
    const std::optional<run::TimeLeft>& left = status.news.remaining;
    json["remaining_seconds"] = left ? Json(left->seconds) : Json();
    json["remaining_interval"] = left ? Json::array({left->low, left->high}) : Json();
    json["failures"] = Json::array();
    for (const study::Run& run : status.study.runs) {
        if (run.failure)
            json["failures"].push_back(
                {{"run", run.id}, {"kind", run.failure->kind}, {"message", run.failure->message}});
    }
    json["baselines"] = baselinesJson(status.study);
    json["measurement"] = measurementJson(status.study);
    return json;
}

void printRunner(const Status& status)
{
    if (!status.owner) {
        std::cout << "No runner executes this study.\n";
        return;
    }
    std::cout << "Run by process " << status.owner->pid << " on " << status.owner->host;
    if (status.news.isPaused)
        std::cout << ", paused";
    if (status.news.remaining)
        std::cout << ", " << timeLeftText(*status.news.remaining);
    std::cout << '\n';
    if (!status.news.pausedBecause.empty())
        std::cout << text::makeVisible(status.news.pausedBecause) << '\n';
}

void printActive(const study::Study& study, int id, const run::ActiveNews& news)
{
    const auto baseline = std::ranges::find(study.baselines, id, &study::Run::id);
    const bool isBaseline = baseline != study.baselines.end();
    const study::Run* run = isBaseline ? &*baseline : study::findRun(study, id);
    const std::string devices = news.devices.inWords();
    std::cout << (isBaseline ? "Baseline " : "Run ") << id
              << (news.waitsFor.empty() ? " in progress" : ": " + news.waitsFor)
              << (news.done > 0.0 ? ", " + text::formatPercent(news.done) + " done" : "")
              << (devices.empty() ? "" : ", on " + devices) << ": "
              << (isBaseline ? baselineText(study, *run)
                  : run      ? settingsText(study, run->settings)
                             : "")
              << '\n';
}

void printStatus(const Status& status)
{
    const study::Study& study = status.study;
    std::cout << text::makeVisible(study.name) << ": " << study.runs.size() << " runs, " << countsText(study)
              << '\n';
    if (const std::string baselines = baselineCounts(study); !baselines.empty())
        std::cout << "Baselines: " << baselines << '\n';
    printRunner(status);
    if (!status.problem.empty())
        std::cout << status.problem << '\n';
    for (const auto& [id, news] : activeRuns(status))
        printActive(study, id, news);
    for (const auto& [id, job] : leftJobs(status))
        std::cout << "Run " << id << " was left to Slurm (job " << (job.job.empty() ? job.name : job.job)
                  << "): quadric run takes it over\n";
    for (const study::Run& run : study::allRuns(study)) {
        if (run.failure)
            std::cout << "Run " << run.id << ' ' << failureText(*run.failure) << '\n';
    }
    printMeasurement(study);
}

struct ControlOptions {
    StudyOption study;
    std::string request;
};

std::vector<std::string> actionNames()
{
    std::vector<std::string> names;
    for (const run::ControlAction action : run::controlActions())
        names.emplace_back(nameOf(action));
    return names;
}

run::ControlRequest requestOf(const std::string& words)
{
    const auto request = run::parseControlRequest(words);
    if (!request)
        throw UsageError("control: \"" + words +
                         "\", expected pause, resume, stop, status, or cancel, skip, retry or first with "
                         "the number of a run: cancel:4." +
                         text::suggestNearest(words.substr(0, words.find(':')), actionNames()));
    return *request;
}

/// The runs that an action can be asked for (docs/running.md).
std::vector<study::RunStatus> statusesFor(run::ControlAction action)
{
    using study::RunStatus;
    switch (action) {
    case run::ControlAction::Cancel:
        return {RunStatus::Running};
    case run::ControlAction::Skip:
        return {RunStatus::Pending, RunStatus::Running};
    case run::ControlAction::Retry:
        return {RunStatus::Failed, RunStatus::Done};
    default:
        return {RunStatus::Pending};
    }
}

/// "pause", …, and "retry:4" for the runs that it can be said of.
Completion offerRequests(const study::Study& study, const std::string& typed)
{
    const std::size_t colon = typed.find(':');
    Completion found;
    for (const run::ControlAction action : run::controlActions()) {
        const std::string name(run::nameOf(action));
        if (!run::isAboutARun(action))
            found.candidates.push_back({name});
        else if (colon == typed.npos)
            found.candidates.push_back({name + ":", "the number of a run"});
        else if (typed.substr(0, colon) == name)
            for (const Candidate& run : runNumbers(study, statusesFor(action)).candidates)
                found.candidates.push_back({name + ":" + run.word, run.meaning});
    }
    return found;
}

void execute(CommandLine& line, const ControlOptions& options)
{
    const run::ControlRequest request = requestOf(options.request);
    readStudy(options.study.path);
    const auto owner = study::lockOwner(options.study.path);
    if (!owner)
        throw WorkError(options.study.path + ": no runner executes this study; quadric run starts one");
    QCoreApplication application(line.argc, line.argv);
    const run::ControlReply reply = run::ask(options.study.path, request);
    if (options.study.json)
        printJson(Json::parse(run::writeReply(reply).toStdString()));
    else if (reply.isDone)
        std::cout << reply.message.toStdString() << '\n';
    if (!reply.isDone)
        throw WorkError(reply.message.toStdString());
}

} // namespace

void addStatus(CommandLine& line)
{
    struct StatusOptions : StudyOption {
        bool follow = false;
    };
    auto option = std::make_shared<StatusOptions>();
    Command& command = line.program.addCommand("status", "Show the progress of a study's runs");
    addStudyOption(command, *option);
    command.flag("--follow", option->follow,
                 "Show what the runner has done and does until it ends, as quadric run shows it");
    command.whenCalled([&line, option] {
        if (option->follow) {
            line.exitStatus = followRunner(option->path);
            return;
        }
        const Status status = readStatus(line, option->path);
        if (option->json)
            printJson(statusJson(status));
        else
            printStatus(status);
    });
}

void addControl(CommandLine& line)
{
    auto options = std::make_shared<ControlOptions>();
    Command& command =
        line.program.addCommand("control", "Control the runner of a study: pause, stop, cancel a run");
    addStudyOption(command, options->study);
    command
        .option("request", options->request, {.offer = offerRequests}, "REQUEST",
                "pause, resume, stop, status; cancel:ID, skip:ID, retry:ID, first:ID for one run")
        .required();
    command.whenCalled([&line, options] { execute(line, *options); });
}

} // namespace quadric::app
