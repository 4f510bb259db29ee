// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/active_run.h"

#include "core/run/launch/launch.h"
#include "core/run/worker/run_policy.h"
#include "core/study/derived.h"
#include "core/study/files/file.h"

#include <cassert>

namespace quadric::run {

namespace {

std::string_view viewOf(const QByteArray& bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

constexpr std::size_t kShownOutput = std::size_t{64} << 10;

study::Run trialRun(const study::Study& study, int runId)
{
    const study::Run* wanted = runId > 0            ? study::findRun(study, runId)
                               : study.runs.empty() ? nullptr
                                                    : &study.runs.front();
    if (wanted == nullptr)
        throw RecipeError(runId > 0 ? "there is no run " + std::to_string(runId) + " in the study"
                                    : "the study has no runs: there is no setting to try");
    checkRunSettings(study, *wanted);
    study::Run run = resetToPending(*wanted);
    run.id = 0; // the log of the run itself stays as it is
    return run;
}

ApprovedStudy checkedAndApproved(const study::Study& study, const std::filesystem::path& document,
                                 const std::string& approvedNow)
{
    checkRecipe(study, 1);
    return requireApproval(study, document, approvedNow);
}

/// What is left of the log when it is cut at the front, at a line.
std::string endOf(std::string text)
{
    if (text.size() <= kShownOutput)
        return text;
    const std::size_t line = text.find('\n', text.size() - kShownOutput);
    return "…" + (line == std::string::npos ? text.substr(text.size() - kShownOutput) : text.substr(line));
}

} // namespace

ActiveRun::ActiveRun(study::Run run, study::ParseSpec parse, std::filesystem::path document,
                     std::unique_ptr<RunProcess> process)
    : m_run(std::move(run))
    , m_parse(std::move(parse))
    , m_document(std::move(document))
    , m_log(logPath(m_document, m_run.id))
    , m_values(m_parse)
    , m_process(std::move(process))
{
    connectProcess();
}

void ActiveRun::connectProcess()
{
    RunProcess* process = m_process.get();
    connect(process, &RunProcess::started, this, [this] {
        if (m_phase == RunPhase::Starting)
            moveTo(RunPhase::Executing);
        watch();
        emit news(stateEvent(m_run.id, {}));
    });
    connect(process, &RunProcess::standardOutput, this, &ActiveRun::handleOutput);
    connect(process, &RunProcess::standardError, this, &ActiveRun::handleErrorOutput);
    connect(process, &RunProcess::jobKnown, this, &ActiveRun::recordJob);
    connect(process, &RunProcess::placeKnown, this, &ActiveRun::recordPlace);
    connect(process, &RunProcess::machineSampled, this, &ActiveRun::recordMachineSample);
    connect(process, &RunProcess::stateChanged, this,
            [this](const QString& state) { emit news(stateEvent(m_run.id, state.toStdString())); });
    // Queued: neither the process nor this may be deleted inside the process's own signal.
    connect(process, &RunProcess::ended, this, &ActiveRun::ended, Qt::QueuedConnection);
}

void ActiveRun::start(const Launch& launch, const RunLimits& limits, bool isLeftOver)
{
    if (m_parse.kind == study::ParseSpec::Kind::File && !isLeftOver)
        m_fileBefore = study::identityOf(std::filesystem::path(launch.folder.toStdString()) / m_parse.file);
    moveTo(RunPhase::Starting);
    beginRecord(launch);
    m_process->start(launch, limits);
}

/// What is known about the measurement before it begins.
void ActiveRun::beginRecord(const Launch& launch)
{
    recordSurroundings(launch, m_run.provenance);
    if (isWorthWatching(launch))
        m_watched = launch;
    if (launch.program != trainerProgram())
        m_code = std::make_unique<CodeRevision>(launch.folder);
}

/// A worker that is a process of this machine is watched from its start; others are by whoever executes them.
void ActiveRun::watch()
{
    if (!m_watched || m_telemetry || m_process->processId() == 0)
        return;
    m_telemetry = std::make_unique<RunTelemetry>(m_run.id, m_document,
                                                 makeReaderOptions(*m_watched, m_process->processId()));
    connect(m_telemetry.get(), &RunTelemetry::news, this, &ActiveRun::news);
}

/// What is known about the measurement after its end.
void ActiveRun::recordMeasurement(study::Run& run)
{
    if (m_telemetry)
        m_telemetry->conclude(run);
    else if (m_watched)
        addFindings(run, m_process->findings());
    if (const auto revision = m_code ? m_code->found() : std::nullopt)
        run.provenance.code = study::CodeState{revision->commit, revision->hasChanges};
}

void ActiveRun::stop(StopReason reason)
{
    if (m_phase == RunPhase::Stopping)
        return;
    m_stopReason = reason;
    moveTo(RunPhase::Stopping);
    m_process->stop();
}

void ActiveRun::moveTo(RunPhase next)
{
    assert(isAllowedTransition(m_phase, next));
    m_phase = next;
}

void ActiveRun::handleOutput(const QByteArray& bytes)
{
    keepRaw(bytes, m_rawOutput);
    processMessages(m_output.feed(viewOf(bytes)));
}

void ActiveRun::keepRaw(const QByteArray& bytes, std::string& kept) const
{
    if (m_parse.kind == study::ParseSpec::Kind::Protocol)
        return;
    kept += viewOf(bytes);
    if (kept.size() > 2 * kMostOutputBytes)
        kept.erase(0, kept.size() - kMostOutputBytes);
}

/// Standard error is log, whatever it looks like, to the protocol.
void ActiveRun::handleErrorOutput(const QByteArray& bytes)
{
    keepRaw(bytes, m_rawErrors);
    for (const Line& line : m_errors.feed(viewOf(bytes)))
        processMessages({asLogText(line)});
}

void ActiveRun::handleRemainingOutput()
{
    processMessages(m_output.finish());
    for (const Line& line : m_errors.finish())
        processMessages({asLogText(line)});
}

void ActiveRun::recordJob(const study::SlurmJob& job)
{
    m_run.provenance.slurm = job;
    emit factsChanged();
}

/// The runner has noted its own machine.
void ActiveRun::recordPlace(const std::string& host, const std::string& kernel)
{
    m_run.provenance.host = host;
    m_run.provenance.kernel = kernel;
    emit factsChanged();
}

void ActiveRun::recordMachineSample(const std::string& fields)
{
    keepElsewhere(fields);
    emit news(telemetryEvent(m_run.id, fields));
}

/// A sample of a worker on other machines.
void ActiveRun::keepElsewhere(const std::string& sample)
{
    if (!m_samplesElsewhere)
        m_samplesElsewhere = std::make_unique<RunLog>(samplesPath(m_document, m_run.id));
    m_samplesElsewhere->write(sample);
}

void ActiveRun::processMessages(const std::vector<WorkerMessage>& messages)
{
    for (const WorkerMessage& message : messages) {
        note(m_report, message);
        forwardMessage(message);
    }
}

void ActiveRun::forwardMessage(const WorkerMessage& message)
{
    if (const auto* progress = std::get_if<Progress>(&message)) {
        passProgress(*progress);
    } else if (const auto* sample = std::get_if<Sample>(&message)) {
        passSample(*sample);
    } else if (const auto* text = std::get_if<LogText>(&message)) {
        passLog(text->text);
        passValues(text->text);
    } else if (const auto* bad = std::get_if<BadMessage>(&message)) {
        passLog(bad->failure.message);
    }
}

void ActiveRun::passSample(const Sample& sample)
{
    if (!m_samples.lets())
        return;
    if (m_telemetry) {
        m_telemetry->keepStep(sample);
    } else if (m_watched && sample.seconds) { // when its line was read here tells nothing
        keepElsewhere(writeSample(sample));
    }
    emit news(sampleEvent(m_run.id, sample));
}

void ActiveRun::passProgress(const Progress& progress)
{
    m_done = progress.done;
    const bool isNewPhase = progress.phase != m_phaseName;
    m_phaseName = progress.phase;
    if (!m_progress.lets() && !isNewPhase)
        return;
    emit news(progressEvent(m_run.id, progress));
    emit progressed();
}

void ActiveRun::passLog(const std::string& line)
{
    m_log.write(line);
    if (m_logEvents.lets())
        emit news(logEvent(m_run.id, line));
}

/// Of a worker on other machines it is not known when it has printed a line.
void ActiveRun::passValues(const std::string& line)
{
    if (!m_telemetry)
        return;
    for (const auto& [response, value] : m_values.read(line))
        m_telemetry->keepValue(response, value);
}

study::Run ActiveRun::concluded(const study::Study& study, const WorkerExit& exit)
{
    handleRemainingOutput();
    if (exit.kind == WorkerExit::Kind::Stopped)
        return stopped();
    readOwnFormat(study, exit);
    m_run.provenance.seconds = exit.seconds;
    study::Run run = conclude(study, m_run, m_report, exit);
    recordMeasurement(run);
    moveTo(run.status == study::RunStatus::Done ? RunPhase::Done : RunPhase::Failed);
    return run;
}

study::Run ActiveRun::stopped()
{
    if (m_stopReason != StopReason::Cancel) {
        moveTo(RunPhase::Waiting);
        return resetToPending(m_run);
    }
    moveTo(RunPhase::Failed);
    m_run.status = study::RunStatus::Failed;
    m_run.failure = study::Failure{"cancelled", "the run was cancelled on request", {}};
    return m_run;
}

/// Results of programs that do not speak the worker protocol.
void ActiveRun::readOwnFormat(const study::Study& study, const WorkerExit& exit)
{
    if (m_parse.kind == study::ParseSpec::Kind::Protocol || exit.kind != WorkerExit::Kind::Exited ||
        exit.code != 0)
        return;
    const auto outcome = m_parse.kind == study::ParseSpec::Kind::File
                             ? parseResultFile(m_parse, workingFolder(study, m_document), m_fileBefore)
                             : parseOutput(m_parse, m_rawOutput, m_rawErrors);
    if (const auto* result = std::get_if<Result>(&outcome))
        m_report.result = *result;
    else
        m_report.failure = std::get<study::Failure>(outcome);
}

Trial::Trial(study::Study study, int runId, std::filesystem::path document, const std::string& approvedNow)
    : m_study(std::move(study))
    , m_run(trialRun(m_study, runId))
    , m_document(std::move(document))
    , m_launch(launchFor(checkedAndApproved(m_study, m_document, approvedNow), m_run))
{
    checkPlace(m_document);
}

Trial::~Trial() = default;

void Trial::start()
{
    m_run.status = study::RunStatus::Running;
    m_active = std::make_unique<ActiveRun>(m_run, forRun(m_study.benchmark.parse, m_study, m_run), m_document,
                                           makeLocalLauncher()->makeProcess(m_study, m_run));
    connect(m_active.get(), &ActiveRun::ended, this, &Trial::finish);
    m_active->start(m_launch, limitsOf(m_study.benchmark));
}

void Trial::stop()
{
    if (m_active)
        m_active->stop(StopReason::Cancel);
}

void Trial::finish(const WorkerExit& exit)
{
    TrialReport report;
    report.run = study::withComputedResults(m_study, m_active->concluded(m_study, exit));
    report.standardOutput = m_active->standardOutput();
    report.standardError = m_active->standardError();
    m_active.release()->deleteLater(); // it is the sender
    const std::filesystem::path log = logPath(m_document, m_run.id);
    report.output = endOf(study::readCompanion(log, logFolder(m_document)).value_or(std::string()));
    if (m_study.benchmark.parse.kind == study::ParseSpec::Kind::Protocol)
        report.standardOutput = report.output;
    std::error_code ignored;
    std::filesystem::remove(log, ignored);
    std::filesystem::remove(samplesPath(m_document, m_run.id), ignored);
    std::filesystem::remove(logFolder(m_document), ignored); // only where it is empty
    emit ended(report);
}

} // namespace quadric::run
