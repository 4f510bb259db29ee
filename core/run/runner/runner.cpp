// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/runner.h"

#include "core/machine/reader.h"
#include "core/run/follow/run_durations.h"
#include "core/run/recipe/recipe.h"
#include "core/run/runner/run_line.h"
#include "core/run/runner/runner_state.h"
#include "core/run/runner/study_records.h"
#include "core/run/words/run_files.h"
#include "core/run/worker/run_policy.h"
#include "core/run/worker/worker_process.h"
#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/file.h"

#include <QDateTime>
#include <QLocalSocket>
#include <QSysInfo>

#include <algorithm>

#include <unistd.h>

namespace quadric::run {

namespace {

using study::RunStatus;

/// Room for the records of one run: settings, results, and the details that its worker tells.
constexpr std::size_t kRecordBytes = std::size_t{256} * 1024;

const QString kShortLook = QStringLiteral("QUADRIC_SHORT_LOOK");

QString textOf(const study::ShortLook& bar)
{
    const study::OrderedJson object = {{"response", bar.response},
                                       {"worse_than", bar.worseThan.value_or(0.0)}};
    return QString::fromStdString(study::toLine(object));
}

std::vector<std::string> commandOf(const Launch& launch)
{
    std::vector<std::string> argv = {launch.program.toStdString()};
    for (const QString& argument : launch.arguments)
        argv.push_back(argument.toStdString());
    return argv;
}

/// A runner of the study on this machine is alive.
bool isAnswering(const std::filesystem::path& document)
{
    constexpr int kPatienceMs = 1000;
    QLocalSocket socket;
    socket.connectToServer(controlSocket(document));
    return socket.waitForConnected(kPatienceMs);
}

/// Those that somebody has added to the document meanwhile: new runs get other numbers.
void addRunsOf(const std::filesystem::path& document, study::Study& known)
{
    try {
        for (const study::Run& run : study::loadWithoutJournal(document).study.runs) {
            if (!study::findRun(known, run.id))
                known.runs.push_back(run);
        }
    } catch (const study::DocumentError&) {
        return; // moved or removed: its numbers are free
    }
}

/// The record of a run that is being started: `run` with what is known about the attempt beforehand.
study::Run startedRecord(study::Run run, const Launch& launch, const Placement& placement,
                         const std::filesystem::path& document)
{
    const std::filesystem::path log = logPath(document, run.id);
    run.status = study::RunStatus::Running;
    run.provenance.command = commandOf(launch);
    run.provenance.log = (log.parent_path().filename() / log.filename()).string();
    run.provenance.host = QSysInfo::machineHostName().toStdString();
    run.provenance.started = QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString();
    note(placement, run.provenance);
    return run;
}

} // namespace

RunnerState::RunnerState(Runner& owner, std::filesystem::path path, RunnerOptions chosen)
    : runner(owner)
    , document(std::move(path))
    , options(std::move(chosen))
    , lock(std::in_place, document)
{
    if (!options.launcher)
        options.launcher = makeLocalLauncher();
}

void RunnerState::prepare()
{
    study::LoadedStudy loaded = study::loadStudy(document);
    if (!loaded.refusedJournal.empty())
        throw study::DocumentError(loaded.refusedJournal);
    study = std::move(loaded.study);
    try {
        checkRecipe(study, options.launcher->mostRuns());
        checkRuns(study, options);
        options.launcher->check(study, document);
    } catch (const RecipeError& error) {
        throw RecipeError(document.string() + ": " + error.what());
    }
    approved = requireApproval(study, document, options.approvedNow);
    const std::vector<int> selected = selectRuns(study, options);
    if (!selected.empty())
        line.findBaselines();
    for (const int id : selected)
        line.enqueue(id);
}

void RunnerState::begin()
{
    guarded([this] {
        endLeftovers(studyKey(document).toStdString());
        records.open(document, lock);
        announcer.open(document);
        announcer.send(startedEvent(::getpid(), QSysInfo::machineHostName().toStdString(), line.countRuns()));
        control.emplace(document, *this);
        startDueRuns();
    });
}

void RunnerState::startDueRuns()
{
    const auto most = static_cast<std::size_t>(options.launcher->mostRuns());
    const auto isActive = [this](int id) { return active.contains(id); };
    RunQueue& queue = line.queue();
    records.checkFolder();
    const bool mayStart = !summary.isStopped && summary.whyStopped.empty() && !isPaused;
    while (mayStart && !records.isHeld() && active.size() < most && !queue.isEmpty() &&
           line.bringBaselineForward(isActive)) {
        const study::Run& next = *study::findRun(study, queue.ids().front());
        const std::string limit = findLimitInTheWay();
        if (!limit.empty() && active.empty())
            throw study::DocumentError(limit);
        const auto placement = limit.empty() ? options.launcher->place(study, next) : std::nullopt;
        if (!placement)
            break; // nobody overtakes the first in the queue: it is never starved by smaller runs
        startRun(*queue.takeFirst(), *placement);
    }
    const bool isHeld = records.isHeld() && !records.isGivenUp();
    const bool isAsking = isPaused && !queue.isEmpty() && summary.whyStopped.empty();
    const bool isWaiting = (isHeld || isAsking) && !summary.isStopped;
    if (active.empty() && !isWaiting)
        addFurtherRuns() ? startDueRuns() : finish();
}

bool RunnerState::addFurtherRuns()
{
    const bool mayAsk = options.furtherRuns && line.queue().isEmpty() && !summary.isStopped &&
                        summary.whyStopped.empty() && !isPaused && !records.isHeld();
    if (!mayAsk)
        return false;
    study::Study asked = study;
    std::erase_if(asked.runs, [](const study::Run& run) { return run.kind == study::RunKind::Baseline; });
    addRunsOf(document, asked);
    const std::vector<study::Run> further = options.furtherRuns(asked);
    asked.runs.insert(asked.runs.end(), further.begin(), further.end());
    checkRecipe(asked, options.launcher->mostRuns()); // two of them may share a result file
    for (const study::Run& run : further) {
        checkRunSettings(study, run);
        study.runs.push_back(run);
        records.record(run, "run-added");
        line.enqueue(run.id);
    }
    announcer.sendQueue(line.queue());
    return !further.empty();
}

void RunnerState::resumeOnceWritable()
{
    if (!records.lookAfterJournal())
        return;
    announcer.sendQueue(line.queue());
    startDueRuns();
}

void RunnerState::startRun(int id, const Placement& placement)
{
    records.reserve(kRecordBytes * (active.size() + 1));
    const study::Run& known = *study::findRun(study, id);
    // Pending: a window may have called it so after its runner died.
    const bool mayBeLeft = known.status == RunStatus::Running || known.status == RunStatus::Pending;
    auto process = mayBeLeft ? options.launcher->reattach(study, known) : nullptr;
    const bool isLeftOver = process != nullptr;
    const study::Run pending = isLeftOver ? known : nextAttempt(known);
    Launch launch = launchFor(*approved, pending, options.devices);
    confine(launch, placement);
    if (known.status != RunStatus::Done) // one that is measured again is so in full
        offerShortLook(launch, pending);
    launch.owner = studyKey(document);
    const BaselineShare share = line.makeBaselineShare(pending);
    launch.arguments << share.arguments;
    study::Run run = isLeftOver ? known : startedRecord(pending, launch, placement, document);
    if (!isLeftOver)
        share.note(run.provenance);
    run.status = RunStatus::Running;
    if (!process)
        process = options.launcher->makeProcess(study, run);
    if (known.status == RunStatus::Done)
        announcer.send(runEvent("run-started", run)); // its result stays until there is a better one
    else
        records.record(run, "run-started");
    announcer.sendQueue(line.queue());
    auto& started = active[id] = std::make_unique<ActiveRun>(run, forRun(study.benchmark.parse, study, run),
                                                             document, std::move(process));
    follow(*started);
    started->start(launch, limitsOf(study.benchmark), isLeftOver);
    sendRemaining();
}

void RunnerState::offerShortLook(Launch& launch, const study::Run& run) const
{
    launch.environment.remove(kShortLook); // of a runner around this one
    if (!options.shortLook || run.kind != study::RunKind::Augment)
        return;
    if (const auto bar = options.shortLook(study))
        launch.environment.insert(kShortLook, textOf(*bar));
}

void RunnerState::follow(ActiveRun& run)
{
    QObject::connect(&run, &ActiveRun::news, &runner,
                     [this](const QByteArray& event) { announcer.send(event); });
    QObject::connect(&run, &ActiveRun::progressed, &runner, [this] {
        if (remainingNews.lets())
            sendRemaining();
    });
    // Queued, and by id: what follows may delete the run.
    const int id = run.id();
    const auto ifActive = [this, id](auto action) {
        if (active.contains(id))
            guarded(action);
    };
    QObject::connect(
        &run, &ActiveRun::factsChanged, &runner,
        [this, id, ifActive] {
            const bool hasResult = study::findRun(study, id)->status == RunStatus::Done;
            if (!hasResult) // one that is measured again keeps its record until then
                ifActive([this, id] { records.record(active.at(id)->run(), "run-changed"); });
        },
        Qt::QueuedConnection);
    QObject::connect(
        &run, &ActiveRun::ended, &runner,
        [this, id, ifActive](const WorkerExit& exit) { ifActive([this, id, &exit] { runEnded(id, exit); }); },
        Qt::QueuedConnection);
}

void RunnerState::sendRemaining()
{
    std::vector<RunProgress> progress;
    for (const auto& [id, run] : active)
        progress.push_back({run->done(), run->elapsedSeconds(), options.launcher->share(study, run->run())});
    std::vector<double> waiting;
    for (const int id : line.queue().ids())
        waiting.push_back(options.launcher->share(study, *study::findRun(study, id)));
    if (const auto left = estimateTimeLeft(study, waiting, progress))
        announcer.send(remainingEvent(*left));
}

void RunnerState::finish()
{
    summary.pending = static_cast<int>(std::ranges::count_if(study.runs, [](const study::Run& run) {
        return run.status == RunStatus::Pending && run.kind != study::RunKind::Baseline;
    }));
    summary.isStopped =
        summary.isStopped || !summary.whyStopped.empty() || (records.isGivenUp() && summary.pending > 0);
    FoldOutcome outcome = records.finish();
    summary.problem = std::move(outcome.problem);
    summary.note = noteOfUse + (noteOfUse.empty() || outcome.note.empty() ? "" : " ") + outcome.note;
    const char* good = summary.isStopped ? "stopped" : "finished";
    end(summary.problem.empty() ? good : "failed");
}

void RunnerState::giveUp(const std::string& why)
{
    summary.problem = why;
    active.clear();
    try {
        const std::string place = records.rescue();
        summary.problem += place.empty() || place == why ? "" : ". " + place;
    } catch (const std::exception& error) {
        summary.problem += std::string(". ") + error.what();
    }
    end("failed");
}

void RunnerState::end(const std::string& reason)
{
    if (hasEnded)
        return;
    hasEnded = true;
    control.reset();
    announcer.send(endedEvent(reason, summary.inWords()));
    records.close();
    announcer.close();
    lock.reset();
    emit runner.ended(summary);
}

Runner::Runner(const std::filesystem::path& document, const RunnerOptions& options, QObject* parent)
    : QObject(parent)
{
    if (!study::isThere(document))
        throw study::DocumentError(document.string() + ": no such file, expected a study" +
                                   hintAtRecovered(document));
    checkPlace(document);
    m_state = std::make_unique<RunnerState>(*this, document, options);
    if (isAnswering(document))
        throw study::DocumentError(document.string() +
                                   ": the study is being run by a process whose journal was removed, "
                                   "expected no other runner; wait for it or stop it");
    m_state->prepare();
}

Runner::~Runner() = default;

void Runner::start()
{
    QMetaObject::invokeMethod(
        this, [this] { m_state->begin(); }, Qt::QueuedConnection);
}

void Runner::stop()
{
    m_state->stop();
}

ControlReply Runner::handle(const ControlRequest& request)
{
    return m_state->handle(request);
}

int Runner::plannedRuns() const
{
    const auto runs = [this](const auto& entry) {
        return entry.second->run().kind != study::RunKind::Baseline;
    };
    return m_state->line.countRuns() + static_cast<int>(std::ranges::count_if(m_state->active, runs));
}

int Runner::plannedBaselines() const
{
    return m_state->line.queue().size() - m_state->line.countRuns();
}

std::string Runner::usersOfGpus() const
{
    if (m_state->options.launcher->name() != "local")
        return {};
    for (const int id : m_state->line.queue().ids()) {
        const Launch launch =
            launchFor(*m_state->approved, *study::findRun(m_state->study, id), m_state->options.devices);
        if (canUseGpus(launch))
            return machine::usersNow(makeReaderOptions(launch, 0));
    }
    return {};
}

} // namespace quadric::run
