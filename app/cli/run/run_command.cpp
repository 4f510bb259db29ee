// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/output/study_output.h"
#include "app/cli/plan/plan_commands.h"
#include "app/cli/run/run_progress.h"
#include "app/shell/visible_output.h"
#include "core/model/feasibility/feasibility.h"
#include "core/model/process/process.h"
#include "core/model/select/model_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/merit/optimum.h"
#include "core/optimize/next/chosen_limits.h"
#include "core/optimize/next/run_plan.h"
#include "core/report/findings/answer_findings.h"
#include "core/run/follow/run_durations.h"
#include "core/run/launch/launch.h"
#include "core/run/launch/quoted_words.h"
#include "core/run/runner/run_line.h"
#include "core/run/runner/runner.h"
#include "core/run/words/run_proposals.h"
#include "core/run/worker/worker_process.h"
#include "core/study/document/document.h"

#include <QCoreApplication>
#include <QTimer>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <clocale>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr int kMostConfirmed = 3; ///< settings; then somebody has to look
constexpr int kMostFailed = 6;    ///< added runs in a row: more than a boundary would explain

/// The latest added runs failed one after the other, so that it is not the settings.
bool haveAllFailed(const study::Study& study)
{
    int failed = 0;
    const std::vector<const study::Run*> runs = study::inRunOrder(study);
    for (auto run = runs.rbegin(); run != runs.rend() && failed < kMostFailed; ++run) {
        const bool isAdded =
            (*run)->kind == study::RunKind::Augment || (*run)->kind == study::RunKind::Confirmation;
        if (!isAdded || (*run)->status != study::RunStatus::Failed)
            return false;
        ++failed;
    }
    return failed == kMostFailed;
}

double secondsOf(const study::Study& study)
{
    double sum = 0.0;
    for (const study::Run& run : study.runs)
        sum += run.provenance.seconds.value_or(0.0);
    return sum;
}

optimize::OptimizeOptions makeSearchOptions(const study::Study& study)
{
    optimize::OptimizeOptions options;
    options.staysNearRuns = optimize::readNearRuns(study) == optimize::NearRuns::On;
    options.leastRunsProbability = optimize::readLeastRunsProbability(study);
    return options;
}

/// As the page Optimize and `quadric optimize`.
std::optional<study::Settings> recommended(const study::Study& measured)
{
    const study::Study study = model::withChosenModels(measured);
    const std::vector<model::Fit> fits = optimize::fitForGoals(study);
    const optimize::Optimum best = optimize::findOptimum(study, fits, makeSearchOptions(study));
    return best.isOk() ? std::optional(best.settings) : std::nullopt;
}

bool hasConfirmation(const study::Study& study, const study::Settings& settings)
{
    return std::ranges::any_of(study.runs, [&](const study::Run& run) {
        return run.kind == study::RunKind::Confirmation && run.settings == settings;
    });
}

/// Chooses the runs with which a runner goes on by itself: those that are worth most for their time, until it
/// is spent or no run is expected to gain enough; then runs that confirm the best settings. Settings whose
/// confirmation fails are not recommended any more, so that others are asked about and confirmed.
class FurtherRuns {
public:
    /// `budget`: seconds of runs from now on. `confirming`: runs at the best settings; 0: none.
    FurtherRuns(std::filesystem::path document, double budget, int confirming)
        : m_document(std::move(document))
        , m_budget(budget)
        , m_before(secondsOf(study::loadStudy(m_document).study))
        , m_confirming(confirming)
    {
    }

    /// The next ones of this study, all runs of which have ended; none: that is the end. Notes them, and why
    /// there are none, in the log of proposals.
    std::vector<study::Run> next(const study::Study& study)
    {
        m_spent = std::max(0.0, secondsOf(study) - m_before);
        std::vector<study::Run> runs;
        if (haveAllFailed(study)) {
            m_end = report::describeFailedRow(kMostFailed);
            noteEnd();
            return runs;
        }
        if (m_asked < kMostConfirmed)
            runs = m_spent < m_budget ? improving(study) : spent();
        if (runs.empty() && m_confirming > 0 && m_asked < kMostConfirmed)
            runs = confirming(study);
        if (runs.empty())
            noteEnd();
        return runs;
    }

    /// Why it ended, in a sentence; empty before.
    const std::string& end() const { return m_end; }

private:
    std::vector<study::Run> spent()
    {
        m_end = report::describePlanEnd({}, 0.0);
        return {};
    }

    std::vector<study::Run> improving(const study::Study& study)
    {
        optimize::PlanOptions options;
        options.search = makeSearchOptions(study);
        options.most = std::max(1, study.benchmark.parallel);
        options.secondsOf = run::learnDurations(study);
        options.seconds = options.secondsOf ? m_budget - m_spent : 0.0;
        const study::Study analyzed = model::withChosenModels(study);
        const optimize::RunPlan plan = optimize::planRuns(analyzed, model::fitProcesses(analyzed), options);
        m_end = report::describePlanEnd(plan, options.leastGain);
        std::vector<study::Settings> settings;
        std::vector<run::RunProposal> proposals;
        for (const optimize::PlannedRun& run : plan.runs) {
            settings.push_back(run.settings);
            proposals.push_back({.gain = run.gain,
                                 .runsProbability = run.runsProbability,
                                 .seconds = run.seconds,
                                 .isRepeat = run.isRepeat});
        }
        return noted(study, study::RunKind::Augment, std::move(settings), std::move(proposals));
    }

    std::vector<study::Run> confirming(const study::Study& study)
    {
        const std::optional<study::Settings> best = recommended(study);
        if (!best || hasConfirmation(study, *best))
            return {};
        ++m_asked;
        const auto count = static_cast<std::size_t>(m_confirming);
        run::RunProposal proposal{.purpose = run::RunProposal::Purpose::Confirmation};
        if (const auto feasibility = model::feasibilityOf(study))
            proposal.runsProbability =
                feasibility->probabilityAt(study::Coding(study.factors).toCoded(*best).x);
        return noted(study, study::RunKind::Confirmation, std::vector(count, *best),
                     std::vector(count, proposal));
    }

    std::vector<study::Run> noted(const study::Study& study, study::RunKind kind,
                                  std::vector<study::Settings> settings,
                                  std::vector<run::RunProposal> proposals)
    {
        if (settings.empty())
            return {};
        const study::Study after = study::withRuns(study, settings, kind);
        std::vector<study::Run> runs(after.runs.end() - std::ssize(settings), after.runs.end());
        run::ProposalRecord record{.spent = m_spent, .budget = m_budget};
        for (std::size_t i = 0; i < runs.size(); ++i) {
            proposals[i].run = runs[i].id;
            proposals[i].settings = study::writeSettings(runs[i].settings);
            record.runs.push_back(proposals[i]);
        }
        run::appendProposals(m_document, record);
        return runs;
    }

    void noteEnd() { run::appendProposals(m_document, {.end = m_end, .spent = m_spent, .budget = m_budget}); }

    std::filesystem::path m_document;
    double m_budget, m_before, m_spent = 0.0;
    int m_confirming;
    int m_asked = 0; ///< settings that were to be confirmed
    std::string m_end;
};

struct RunOptions {
    StudyOption study;
    std::string only, devices, launcher;
    std::optional<int> parallel;
    bool retryFailed = false, keepGoing = false, pauseOnFailures = false;
    bool approve = false, events = false, test = false, detach = false, shortLooks = false;
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
        runner.shortLook = [](const study::Study& measured) {
            const study::Study study = model::withChosenModels(measured);
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
                     [progress](const study::Run& run) { progress->showRecord(run); });
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
    run::RunnerOptions runnerChoices = runnerOptions(options);
    if (options.approve)
        runnerChoices.approvedNow = approveAndShow(options.study.path);
    run::Runner runner(options.study.path, std::move(runnerChoices));
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

/// Starts `quadric run` with the same options in a session of its own, where the end of the terminal does not
/// reach it.
void detach(CommandLine& line, const RunOptions& options)
{
    QCoreApplication application(line.argc, line.argv);
    if (options.approve)
        approveAndShow(options.study.path);
    QStringList arguments;
    for (int i = 2; i < line.argc; ++i) {
        const std::string argument = line.argv[i];
        if (argument != options.study.path && argument != "--detach")
            arguments << QString::fromStdString(argument);
    }
    if (const QString reason = run::startRunner(options.study.path, arguments); !reason.isEmpty())
        throw WorkError(reason.toStdString());
    const std::string study = run::quoteWord(options.study.path);
    std::cout << "The runs go on in the background, also when this terminal is closed.\n"
              << "Follow them: quadric status " << study << " --follow\n"
              << "Stop them:   quadric control " << study << " stop\n";
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
    Command& command = line.program.addCommand("run", "Execute the pending runs of a study");
    addStudyOption(command, options->study);
    command.option("--only", options->only, Kind::listOf(Kind::run()), "RUNS",
                   "Only these runs, by number: 1,4");
    command.flag("--retry-failed", options->retryFailed, "Execute failed runs again");
    const Option keepGoing =
        command.flag("--keep-going", options->keepGoing,
                     "Go on also where runs keep failing in the same way, or cannot be started at all");
    command
        .flag("--pause-on-failures", options->pauseOnFailures,
              "Pause in such a case instead of stopping, until quadric control resumes or stops it")
        .excludes(keepGoing);
    command.option("--devices", options->devices, Kind::freeText(), "GPUS",
                   "GPUs that may be used, by number or UUID: 0,1");
    command.option("--parallel", options->parallel, Kind::wholeNumber(1, study::kMostParallelRuns), "N",
                   "Number of runs at once, each on its own GPUs or cores; overrides the study");
    command.option("--launcher", options->launcher, Kind::oneOf({"local", "slurm"}), "TEXT",
                   "Where runs are executed: local, slurm; overrides the study");
    const Option spend =
        command.option("--spend", options->spend, Kind::freeText(), "TIME",
                       "Then go on by itself: add and execute the runs that are expected to gain "
                       "most, until this time is spent or no run gains enough");
    command
        .option("--confirm", options->confirm, Kind::wholeNumber(1, kMostConfirming), "N",
                "At the end, confirm the best settings with so many runs")
        .needs(spend);
    command.flag("--short-looks", options->shortLooks,
                 "End a follow-up early where its setting is worse than the best one with 99.9 % certainty");
    command.flag("--approve", options->approve, "Approve the study's command as it is now");
    const Option test =
        command.flag("--test", options->test,
                     "Execute one run once (--only chooses it), show what was read, and save nothing");
    const Option events =
        command.flag("--events", options->events, "Print one JSON object per line while runs proceed");
    command
        .flag("--detach", options->detach,
              "Execute the runs in the background, where closing the terminal does not end them")
        .excludes(test)
        .excludes(events);
    command.whenCalled([&line, options] {
        if (options->detach)
            return detach(line, *options);
        line.exitStatus =
            options->test ? executeTrial(line, trialOptions(*options)) : execute(line, *options);
    });
}

} // namespace quadric::app
