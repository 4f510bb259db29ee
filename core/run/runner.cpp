// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner.h"

#include "core/run/approval.h"
#include "core/run/events.h"
#include "core/run/output_parse.h"
#include "core/run/run_log.h"
#include "core/run/run_phase.h"
#include "core/run/worker_process.h"
#include "core/study/coding.h"
#include "core/study/document.h"
#include "core/study/file.h"
#include "core/study/journal.h"

#include <QDateTime>
#include <QElapsedTimer>
#include <QSysInfo>

#include <nlohmann/json.hpp>

#include <cassert>
#include <deque>
#include <optional>
#include <unistd.h>

namespace quadric::run {

namespace {

using study::RunStatus;

/// Shortest time between two samples, or two reports of progress, that are passed on.
constexpr qint64 kNewsPauseMs = 50;
/// Log lines that are passed on as events within a second; the log file has all of them.
constexpr int kMostLogEventsPerSecond = 50;

/// Lets through what comes no faster than a rate.
class Throttle {
public:
    bool lets()
    {
        if (m_clock.isValid() && m_clock.elapsed() < kNewsPauseMs)
            return false;
        m_clock.start();
        return true;
    }

private:
    QElapsedTimer m_clock;
};

class LogThrottle {
public:
    bool lets()
    {
        if (!m_second.isValid() || m_second.elapsed() >= 1000) {
            m_second.start();
            m_count = 0;
        }
        return ++m_count <= kMostLogEventsPerSecond;
    }

private:
    QElapsedTimer m_second;
    int m_count = 0;
};

std::string jsonText(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string commandText(const Launch& launch)
{
    nlohmann::json argv = {launch.program.toStdString()};
    for (const QString& argument : launch.arguments)
        argv.push_back(argument.toStdString());
    return argv.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void checkSettings(const study::Study& study)
{
    const study::Coding coding(study.factors);
    for (const study::Run& run : study.runs) {
        try {
            coding.toCoded(run.settings);
        } catch (const std::invalid_argument& error) {
            throw RecipeError("run " + std::to_string(run.id) + ": " + error.what());
        }
        for (const auto& [name, value] : run.settings) {
            if (!study::findFactor(study, name))
                throw RecipeError("run " + std::to_string(run.id) + ": setting \"" + name +
                                  "\" is not a factor of the study");
        }
    }
}

bool isSelected(const study::Run& run, const RunnerOptions& options)
{
    if (!options.only.empty() && !options.only.contains(run.id))
        return false;
    // A run that is "running" here was in the hands of a runner that died: this process holds the lock.
    return run.status == RunStatus::Pending || run.status == RunStatus::Running ||
           (run.status == RunStatus::Failed && options.retryFailed);
}

/// Seconds that the runs which are done took, as far as they say so.
std::vector<double> secondsOfDoneRuns(const study::Study& study)
{
    std::vector<double> seconds;
    for (const study::Run& run : study.runs) {
        const auto found = run.provenance.details.find("seconds");
        if (run.status != RunStatus::Done || found == run.provenance.details.end())
            continue;
        const nlohmann::json value = nlohmann::json::parse(found->second, nullptr, false);
        if (value.is_number())
            seconds.push_back(value.get<double>());
    }
    return seconds;
}

} // namespace

std::string RunnerSummary::inWords() const
{
    if (!problem.empty())
        return problem;
    const std::string failures = failed == 0 ? "" : ", " + std::to_string(failed) + " failed";
    const std::string counts = std::to_string(done) + (done == 1 ? " run done" : " runs done") + failures;
    if (isStopped)
        return "Stopped: " + counts + ", " + std::to_string(pending) + " pending";
    return done + failed == 0 ? "Nothing to do: no run is pending" : "Finished: " + counts;
}

/// One run in the runner's hands.
struct ActiveRun {
    study::Run run;
    RunPhase phase = RunPhase::Waiting;
    WorkerReport report;
    WorkerProtocol output;
    LineReader errors;
    std::string rawOutput; ///< for programs that do not speak the protocol
    RunLog log;
    std::filesystem::file_time_type startedAt = std::filesystem::file_time_type::clock::now();
    WorkerProcess process;
    double done = 0.0;
    std::string phaseName;
    Throttle samples, progress;
    LogThrottle logEvents;

    ActiveRun(study::Run starting, const std::filesystem::path& logFile)
        : run(std::move(starting))
        , log(logFile)
    {
    }

    void moveTo(RunPhase next)
    {
        assert(mayMove(phase, next));
        phase = next;
    }
};

struct Runner::State {
    Runner& runner;
    std::filesystem::path document;
    RunnerOptions options;
    std::optional<study::StudyLock> lock;
    study::Study study;
    ParseSpec parse;
    std::deque<int> queue; ///< ids of the runs to come
    std::optional<study::JournalWriter> journal;
    std::optional<EventWriter> events;
    std::unique_ptr<ActiveRun> active;
    std::vector<double> durations; ///< seconds of runs that are done
    RunnerSummary summary;
    bool hasEnded = false;

    State(Runner& owner, std::filesystem::path path, RunnerOptions chosen)
        : runner(owner)
        , document(std::move(path))
        , options(std::move(chosen))
        , lock(std::in_place, document)
    {
    }

    void prepare();
    void checkSelection() const;
    void checkApproval() const;
    void begin();
    void next();
    void startRun(study::Run run);
    void connectWorker(ActiveRun& worker);
    void takeOutput(const QByteArray& bytes);
    void takeErrors(const QByteArray& bytes);
    void takeMessages(const std::vector<WorkerMessage>& messages);
    void passOn(const WorkerMessage& message);
    void passLog(const std::string& line);
    void workerEnded(const WorkerExit& exit);
    void readOwnFormat(const WorkerExit& exit);
    void record(const study::Run& run, const char* event);
    void send(const QByteArray& event);
    void sendRemaining();
    void requestStop();
    void finish();
    void end(const std::string& reason);

    template <typename Action> void guarded(Action action);
};

void Runner::State::checkSelection() const
{
    for (const int id : options.only) {
        if (!study::findRun(study, id))
            throw RecipeError("run " + std::to_string(id) + ": the study has no such run");
    }
}

void Runner::State::checkApproval() const
{
    if (options.approve)
        approve(study, document);
    if (!isApproved(study, document))
        throw ApprovalError(document.string() + ": benchmark.argv is not approved. " +
                            approvalQuestion(study, document).toStdString() +
                            "Nothing was executed. To approve exactly this, run again with --approve");
}

void Runner::State::prepare()
{
    study = study::loadStudy(document).study;
    try {
        checkRecipe(study);
        checkSettings(study);
        checkSelection();
    } catch (const RecipeError& error) {
        throw RecipeError(document.string() + ": " + error.what());
    }
    parse = readParseSpec(study.benchmark.parse, study);
    checkApproval();
    for (const study::Run* run : study::inRunOrder(study)) {
        if (isSelected(*run, options))
            queue.push_back(run->id);
    }
    durations = secondsOfDoneRuns(study);
}

/// Problems with the disk end the runner, with a message; what is in the journal stays.
template <typename Action> void Runner::State::guarded(Action action)
{
    try {
        action();
    } catch (const std::exception& error) {
        summary.problem = error.what();
        active.reset();
        end("failed");
    }
}

void Runner::State::begin()
{
    guarded([this] {
        journal.emplace(document);
        events.emplace(document);
        send(startedEvent(::getpid(), QSysInfo::machineHostName().toStdString(),
                          static_cast<int>(queue.size())));
        next();
    });
}

void Runner::State::next()
{
    if (queue.empty() || summary.isStopped) {
        finish();
        return;
    }
    const int id = queue.front();
    queue.pop_front();
    startRun(backToPending(*study::findRun(study, id)));
}

void Runner::State::startRun(study::Run run)
{
    const Launch launch = launchFor(study, run, document, options.devices);
    const std::filesystem::path logFile = logPath(document, run.id);
    run.status = RunStatus::Running;
    run.provenance.details["command"] = commandText(launch);
    run.provenance.details["log"] =
        jsonText((logFile.parent_path().filename() / logFile.filename()).string());
    run.provenance.details["host"] = jsonText(QSysInfo::machineHostName().toStdString());
    run.provenance.details["started"] =
        jsonText(QDateTime::currentDateTimeUtc().toString(Qt::ISODate).toStdString());
    record(run, "run-started");
    active = std::make_unique<ActiveRun>(run, logFile);
    active->moveTo(RunPhase::Starting);
    connectWorker(*active);
    sendRemaining();
    active->process.start(launch, study.benchmark.timeoutSeconds);
}

void Runner::State::connectWorker(ActiveRun& worker)
{
    WorkerProcess& process = worker.process;
    QObject::connect(&process, &WorkerProcess::started, &runner, [this] {
        if (active->phase == RunPhase::Starting)
            active->moveTo(RunPhase::Executing);
    });
    QObject::connect(&process, &WorkerProcess::standardOutput, &runner,
                     [this](const QByteArray& bytes) { takeOutput(bytes); });
    QObject::connect(&process, &WorkerProcess::standardError, &runner,
                     [this](const QByteArray& bytes) { takeErrors(bytes); });
    // Queued: the process object must not be deleted inside its own signal.
    QObject::connect(
        &process, &WorkerProcess::ended, &runner,
        [this](const WorkerExit& exit) { guarded([this, &exit] { workerEnded(exit); }); },
        Qt::QueuedConnection);
}

void Runner::State::takeOutput(const QByteArray& bytes)
{
    if (parse.kind != ParseSpec::Kind::Protocol) {
        std::string& kept = active->rawOutput;
        kept.append(bytes.constData(), static_cast<std::size_t>(bytes.size()));
        if (kept.size() > 2 * kMostOutputBytes)
            kept.erase(0, kept.size() - kMostOutputBytes);
    }
    takeMessages(active->output.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())}));
}

/// Standard error is log, whatever it looks like.
void Runner::State::takeErrors(const QByteArray& bytes)
{
    for (const Line& line : active->errors.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())}))
        takeMessages({asLogText(line)});
}

void Runner::State::takeMessages(const std::vector<WorkerMessage>& messages)
{
    for (const WorkerMessage& message : messages) {
        note(active->report, message);
        passOn(message);
    }
}

void Runner::State::passOn(const WorkerMessage& message)
{
    const int id = active->run.id;
    if (const auto* progress = std::get_if<Progress>(&message)) {
        active->done = progress->done;
        const bool isNewPhase = progress->phase != active->phaseName;
        active->phaseName = progress->phase;
        if (active->progress.lets() || isNewPhase) {
            send(progressEvent(id, *progress));
            sendRemaining();
        }
    } else if (const auto* sample = std::get_if<Sample>(&message)) {
        if (active->samples.lets())
            send(sampleEvent(id, *sample));
    } else if (const auto* text = std::get_if<LogText>(&message)) {
        passLog(text->text);
    } else if (const auto* bad = std::get_if<BadMessage>(&message)) {
        passLog(bad->failure.message);
    }
}

void Runner::State::passLog(const std::string& line)
{
    active->log.write(line);
    if (active->logEvents.lets())
        send(logEvent(active->run.id, line));
}

void Runner::State::workerEnded(const WorkerExit& exit)
{
    takeMessages(active->output.finish());
    for (const Line& line : active->errors.finish())
        takeMessages({asLogText(line)});
    readOwnFormat(exit);
    if (exit.kind == WorkerExit::Kind::Stopped) {
        active->moveTo(RunPhase::Waiting);
        record(backToPending(active->run), "run-stopped");
    } else {
        active->run.provenance.details["seconds"] = study::toText(exit.seconds);
        const study::Run run = conclude(study, active->run, active->report, exit);
        const bool isDone = run.status == RunStatus::Done;
        active->moveTo(isDone ? RunPhase::Done : RunPhase::Failed);
        ++(isDone ? summary.done : summary.failed);
        if (isDone)
            durations.push_back(exit.seconds);
        record(run, isDone ? "run-done" : "run-failed");
    }
    active.reset();
    sendRemaining();
    next();
}

/// Results of programs that do not speak the worker protocol.
void Runner::State::readOwnFormat(const WorkerExit& exit)
{
    if (parse.kind == ParseSpec::Kind::Protocol || exit.kind != WorkerExit::Kind::Exited || exit.code != 0)
        return;
    const auto outcome = parse.kind == ParseSpec::Kind::File
                             ? parseResultFile(parse, workingFolder(study, document), active->startedAt)
                             : parseOutput(parse, active->rawOutput);
    if (const auto* result = std::get_if<Result>(&outcome))
        active->report.result = *result;
    else
        active->report.failure = std::get<study::Failure>(outcome);
}

/// Journal first, then everybody else.
void Runner::State::record(const study::Run& run, const char* event)
{
    journal->append(run);
    *study::findRun(study, run.id) = run;
    send(runEvent(event, run));
    emit runner.runRecorded(run);
}

void Runner::State::send(const QByteArray& event)
{
    if (events)
        events->write(event);
    emit runner.eventWritten(event);
}

/// From the mean of the finished runs, or from the progress of the first.
void Runner::State::sendRemaining()
{
    const double fraction = active ? active->done : 0.0;
    const double runs = static_cast<double>(queue.size()) + (active ? 1.0 - fraction : 0.0);
    double mean = 0.0;
    for (const double seconds : durations)
        mean += seconds / static_cast<double>(durations.size());
    if (durations.empty() && fraction > 0.05)
        mean = active->process.elapsedSeconds() / fraction;
    if (mean > 0.0 || runs == 0.0)
        send(remainingEvent(mean * runs));
}

void Runner::State::requestStop()
{
    if (summary.isStopped || hasEnded)
        return;
    summary.isStopped = true;
    if (!active)
        return;
    active->moveTo(RunPhase::Stopping);
    active->process.stop();
}

void Runner::State::finish()
{
    summary.pending = study::countRuns(study, RunStatus::Pending);
    journal.reset();
    study::foldJournal(document);
    end(summary.isStopped ? "stopped" : "finished");
}

void Runner::State::end(const std::string& reason)
{
    if (hasEnded)
        return;
    hasEnded = true;
    send(endedEvent(reason, summary.inWords()));
    journal.reset();
    events.reset();
    lock.reset();
    emit runner.ended(summary);
}

Runner::Runner(const std::filesystem::path& document, const RunnerOptions& options, QObject* parent)
    : QObject(parent)
{
    if (study::identityOf(document) == study::FileIdentity{})
        throw study::DocumentError(document.string() + ": no such file, expected a study");
    m_state = std::make_unique<State>(*this, document, options);
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
    m_state->requestStop();
}

int Runner::plannedRuns() const
{
    return static_cast<int>(m_state->queue.size()) + (m_state->active ? 1 : 0);
}

} // namespace quadric::run
