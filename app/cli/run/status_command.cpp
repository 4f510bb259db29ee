// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/baseline_output.h"
#include "app/cli/output/measurement_output.h"
#include "app/cli/output/study_output.h"
#include "app/cli/output/time_left_output.h"
#include "core/run/follow/control_client.h"
#include "core/run/follow/runner_news.h"
#include "core/run/follow/study_problem.h"
#include "core/run/slurm/slurm_launcher.h"
#include "core/study/files/journal.h"
#include "core/study/outcome.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
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
    std::string problem; ///< see problemOfStudy()
    std::optional<run::KeptElsewhere> kept;
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
        study::settleRunning(status.study);
    status.problem = run::problemOfStudy(path, status.news, status.owner.has_value(), answered);
    status.kept = run::keptElsewhere(path);
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

void putProblem(Json& json, const Status& status)
{
    json["problem"] = status.problem.empty() ? Json() : Json(status.problem);
    json["kept_elsewhere"] = Json();
    if (status.kept)
        json["kept_elsewhere"] = {{"file", status.kept->file.string()}, {"runs", status.kept->runs}};
}

Json statusJson(const Status& status)
{
    Json json = {{"running", status.owner.has_value()}, {"total", status.study.runs.size()}};
    if (status.owner)
        json["runner"] = {{"pid", status.owner->pid}, {"host", status.owner->host}};
    json["paused"] = status.news.isPaused;
    json["paused_because"] = status.news.pausedBecause.empty() ? Json() : Json(status.news.pausedBecause);
    putProblem(json, status);
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

} // namespace

void addStatus(CommandLine& line)
{
    auto option = std::make_shared<StudyOption>();
    CLI::App* command = line.app.add_subcommand("status", "Show the progress of a study's runs");
    addStudyOption(*command, *option);
    command->callback([&line, option] {
        const Status status = readStatus(line, option->path);
        if (option->json)
            printJson(statusJson(status));
        else
            printStatus(status);
    });
}

} // namespace quadric::app
