// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "app/cli/plan/plan_commands.h"
#include "app/cli/run/further_runs.h"
#include "app/cli/run/run_progress.h"
#include "app/cli/run/run_trial.h"
#include "app/shell/visible_output.h"
#include "core/model/select/sentinels.h"
#include "core/optimize/next/short_look.h"
#include "core/run/runner/launcher_choice.h"
#include "core/run/runner/runner.h"
#include "core/run/worker/orphans.h"
#include "core/run/worker/termination.h"

#include <QCoreApplication>
#include <QTimer>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <clocale>
#include <csignal>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct RunOptions {
    StudyOption study;
    std::string only, devices, launcher;
    std::optional<int> parallel;
    bool retryFailed = false, keepGoing = false, pauseOnFailures = false;
    bool approve = false, events = false, test = false, shortLooks = false;
    std::string spend;
    int confirm = 0;
};

constexpr int kLargestRunId = 100'000'000;
constexpr int kMostConfirming = 100;
constexpr std::chrono::milliseconds kPatienceWhenStopped{1000};

/// For CUDA_VISIBLE_DEVICES, which would leave out what it does not know without a word.
void checkDevices(const std::string& text)
{
    for (const std::string& device : split(text, ',')) {
        const bool isNumber = !device.empty() && std::ranges::all_of(device, [](unsigned char letter) {
            return std::isdigit(letter);
        });
        if (!isNumber && !device.starts_with("GPU-") && !device.starts_with("MIG-"))
            throw UsageError("--devices: \"" + device +
                             "\", expected numbers or UUIDs of GPUs (0,1 or GPU-…), with commas");
    }
}

run::LauncherChoice choice(const RunOptions& options)
{
    if (!options.devices.empty())
        checkDevices(options.devices);
    return {.name = options.launcher, .parallel = options.parallel, .devices = options.devices};
}

run::RunnerOptions runnerOptions(const RunOptions& options)
{
    run::RunnerOptions runner;
    runner.retryFailed = options.retryFailed;
    runner.onFailures = options.keepGoing         ? run::OnFailures::GoOn
                        : options.pauseOnFailures ? run::OnFailures::Pause
                                                  : run::OnFailures::Stop;
    runner.hasDrifted = model::haveSentinelsDrifted;
    runner.devices = QString::fromStdString(options.devices);
    runner.launcher = run::launcherFor(readStudy(options.study.path), options.study.path, choice(options));
    if (!options.only.empty()) {
        for (const std::string& id : split(options.only, ','))
            runner.only.insert(readInteger("--only", id, 0, kLargestRunId));
    }
    if (!options.spend.empty()) {
        const double seconds = requirePositive("--spend", readDuration("--spend", options.spend));
        const auto further = std::make_shared<FurtherRuns>(options.study.path, seconds, options.confirm);
        runner.furtherRuns = [further](const study::Study& study) { return further->next(study); };
    }
    if (options.shortLooks)
        runner.shortLook = [](const study::Study& study) {
            return optimize::findShortLookBar(study, model::fitProcesses(study));
        };
    return runner;
}

std::string missingEvents(std::size_t count)
{
    return "{\"event\": \"missing\", \"lines\": " + std::to_string(count) + "}\n";
}

void printEvent(const std::string& event)
{
    if (event.starts_with(R"({"event": "ended")"))
        printLastWords({});
    printJsonText(event + '\n');
}

/// What is printed from here on waits for nobody: the runs go on whether their news are read or not.
void printWithoutWaiting(const RunOptions& options)
{
    std::signal(SIGPIPE, SIG_IGN);
    if (options.events)
        printInBackground(missingEvents);
    else
        printInBackground();
}

void connectProgress(run::Runner& runner, const std::shared_ptr<RunProgress>& progress)
{
    constexpr std::chrono::seconds kTick{1};
    QObject::connect(&runner, &run::Runner::runRecorded, &runner,
                     [progress](const study::Run& run) { progress->takeRecord(run); });
    QObject::connect(&runner, &run::Runner::eventWritten, &runner, [progress](const QByteArray& event) {
        progress->takeEvent({event.constData(), static_cast<std::size_t>(event.size())});
    });
    QObject::connect(&runner, &run::Runner::ended, &runner, [progress] { progress->finish(); });
    auto* clock = new QTimer(&runner);
    QObject::connect(clock, &QTimer::timeout, &runner, [progress] { progress->tick(); });
    clock->start(kTick);
}

void connectOutput(run::Runner& runner, const RunOptions& options, Json& finished)
{
    if (options.events) {
        QObject::connect(&runner, &run::Runner::eventWritten, &runner,
                         [](const QByteArray& event) { printEvent(event.toStdString()); });
    } else if (options.study.json) {
        QObject::connect(&runner, &run::Runner::runRecorded, &runner, [&finished](const study::Run& run) {
            if (run.status == study::RunStatus::Done || run.status == study::RunStatus::Failed)
                finished.push_back(Json::parse(study::writeRun(run)));
        });
    } else {
        connectProgress(runner,
                        std::make_shared<RunProgress>(study::loadStudy(options.study.path).study,
                                                      runner.plannedRuns(), runner.plannedBaselines()));
    }
}

/// Whoever has stopped the runner waits for its end, and not for a reader.
void printSummary(const run::RunnerSummary& summary, const RunOptions& options, const Json& finished)
{
    printLastWords(summary.isStopped ? std::optional(kPatienceWhenStopped) : std::nullopt);
    if (options.study.json)
        printJson({{"done", summary.done},
                   {"failed", summary.failed + summary.cancelled},
                   {"cancelled", summary.cancelled},
                   {"baselines", summary.baselines},
                   {"pending", summary.pending},
                   {"stopped", summary.isStopped},
                   {"stopped_because", summary.whyStopped.empty() ? Json() : Json(summary.whyStopped)},
                   {"message", summary.inWords()},
                   {"runs", finished}});
    else if (!options.events && summary.problem.empty())
        std::cout << summary.inWords() << '\n';
    if (!summary.problem.empty())
        std::cerr << "quadric: " << summary.problem << '\n';
    else if (!summary.whyStopped.empty())
        std::cerr << "quadric: no further run was started, as it would most likely fail in the same way; "
                     "--retry-failed repeats the failed ones, --keep-going goes on all the same\n";
}

void nameUsersOfGpus(const run::Runner& runner)
{
    if (const std::string users = runner.usersOfGpus(); !users.empty())
        std::cerr << "quadric: before the first run, " << users << "; runs beside it are marked disturbed\n";
}

int execute(CommandLine& line, const RunOptions& options)
{
    QCoreApplication application(line.argc, line.argv);
    std::setlocale(LC_NUMERIC, "C");
    run::Termination termination;
    printWithoutWaiting(options); // behind it: the thread that writes must not take the signals
    run::adoptOrphans();
    if (options.approve)
        approveAndShow(options.study.path);
    run::Runner runner(options.study.path, runnerOptions(options));
    if (const std::string why = runner.whyNoSharedBaselines(); !why.empty())
        std::cerr << "quadric: " << why << '\n';
    if (const std::string why = run::whyNoControl(options.study.path); !why.empty())
        std::cerr << "quadric: " << why << '\n';
    Json finished = Json::array();
    run::RunnerSummary summary;
    connectOutput(runner, options, finished);
    nameUsersOfGpus(runner);
    QObject::connect(&termination, &run::Termination::requested, &runner, &run::Runner::stop);
    QObject::connect(&runner, &run::Runner::ended, &application,
                     [&summary](const run::RunnerSummary& atTheEnd) {
                         summary = atTheEnd;
                         QCoreApplication::quit();
                     });
    runner.start();
    QCoreApplication::exec();
    printSummary(summary, options, finished);
    const bool isComplete =
        summary.failed + summary.cancelled == 0 && !summary.isStopped && summary.problem.empty();
    return isComplete ? kDone : kWorkFailed;
}

TrialOptions trialOptions(const RunOptions& options)
{
    const int run = options.only.empty() ? 0 : readInteger("--only", options.only, 1, kLargestRunId);
    return {options.study.path, run, options.approve, options.study.json};
}

} // namespace

void addRun(CommandLine& line)
{
    auto options = std::make_shared<RunOptions>();
    CLI::App* command = line.app.add_subcommand("run", "Execute the pending runs of a study");
    addStudyOption(*command, options->study);
    command->add_option("--only", options->only, "Only these runs, by number: 1,4")->type_name("RUNS");
    command->add_flag("--retry-failed", options->retryFailed, "Execute failed runs again");
    auto* keepGoing =
        command->add_flag("--keep-going", options->keepGoing,
                          "Go on also where runs keep failing in the same way, or cannot be started at all");
    command
        ->add_flag("--pause-on-failures", options->pauseOnFailures,
                   "Pause in such a case instead of stopping, until quadric control resumes or stops it")
        ->excludes(keepGoing);
    command->add_option("--devices", options->devices, "GPUs that may be used, by number or UUID: 0,1")
        ->type_name("GPUS");
    command
        ->add_option("--parallel", options->parallel,
                     "Number of runs at once, each on its own GPUs or cores; overrides the study")
        ->check(wholeNumber(1, study::kMostParallelRuns))
        ->type_name("N");
    command
        ->add_option("--launcher", options->launcher,
                     "Where runs are executed: local, slurm; overrides the study")
        ->check(oneOf({"local", "slurm"}));
    auto* spend = command
                      ->add_option("--spend", options->spend,
                                   "Then go on by itself: add and execute the runs that are expected to gain "
                                   "most, until this time is spent or no run gains enough")
                      ->type_name("TIME");
    command
        ->add_option("--confirm", options->confirm, "At the end, confirm the best settings with so many runs")
        ->check(wholeNumber(1, kMostConfirming))
        ->needs(spend)
        ->type_name("N");
    command->add_flag(
        "--short-looks", options->shortLooks,
        "End a follow-up early where its setting is worse than the best one with 99.9 % certainty");
    command->add_flag("--approve", options->approve, "Approve the study's command as it is now");
    command->add_flag("--test", options->test,
                      "Execute one run once (--only chooses it), show what was read, and save nothing");
    command->add_flag("--events", options->events, "Print one JSON object per line while runs proceed");
    command->callback([&line, options] {
        line.exitStatus =
            options->test ? executeTrial(line, trialOptions(*options)) : execute(line, *options);
    });
}

} // namespace quadric::app
