// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/slurm_run.h"

#include "core/machine/units_of_measure.h"
#include "core/run/cluster/slurm_call.h"
#include "core/run/launch/launch.h"
#include "core/run/worker/run_telemetry.h"

#include <QTimer>

#include <csignal>

namespace quadric::run {

namespace {

/// How often scancel is repeated, and after which time, before the end of a job is left to Slurm.
constexpr int kMostCancels = 6;
constexpr qint64 kCancelPauseMs = 10'000;
/// How late a file that a node has written may be seen here: network file systems remember what was not
/// there.
constexpr qint64 kFilePatienceMs = 30'000;
/// The same where other files of the node are here already.
constexpr qint64 kShortFilePatienceMs = 5'000;
constexpr int kFilePauseMs = 300;
/// Looks without an answer after which the job's own word about its end is enough.
constexpr int kMostLooksInVain = 3;

} // namespace

SlurmRun::SlurmRun(JobRequest request, JobFolder folder, std::shared_ptr<SlurmQueue> queue, bool isLeftOver,
                   std::string job)
    : m_request(std::move(request))
    , m_folder(std::move(folder))
    , m_queue(std::move(queue))
    , m_isLeftOver(isLeftOver)
    , m_job(std::move(job))
    , m_output(m_folder.openTail(m_folder.path() / "output"))
    , m_errors(m_folder.openTail(m_folder.path() / "errors"))
    , m_scriptLog(m_folder.openTail(m_folder.path() / "slurm.log"))
    , m_telemetry(m_folder)
{
    m_queue->addWatcher();
    connect(m_queue.get(), &SlurmQueue::looked, this, &SlurmRun::look);
}

SlurmRun::~SlurmRun()
{
    m_queue->removeWatcher();
}

void SlurmRun::start(const Launch& launch, const RunLimits& limits)
{
    m_limits = limits;
    try {
        begin(launch);
    } catch (const std::exception& error) {
        end({WorkerExit::Kind::NotStarted, 0, error.what(), 0.0, {}});
    }
}

void SlurmRun::begin(const Launch& launch)
{
    if (m_isLeftOver && !m_job.empty()) {
        watch(m_job);
        return;
    }
    if (isWorthWatching(launch))
        m_request.watch = watchProgram().toStdString();
    m_request.watchesGpus = canUseGpus(launch) && m_request.gpusPerNode > 0;
    m_script = jobScript(m_request, launch, m_folder.path(), m_limits.outputMib);
    // The name is in the journal before a job can have it: facts are recorded before the next event.
    emitJobFacts();
    QTimer::singleShot(0, this, [this] { m_isLeftOver ? searchForJob() : test(); });
}

double SlurmRun::elapsedSeconds() const
{
    return m_sinceLook.isValid() && m_stage != Stage::Ended
               ? m_secondsAtLook + static_cast<double>(m_sinceLook.elapsed()) / machine::kMsPerSecond
               : m_secondsAtLook;
}

void SlurmRun::emitJobFacts(const std::string& nodes)
{
    emit jobKnown({.name = m_request.name,
                   .job = m_job,
                   .request = m_request.inWords(),
                   .settings = m_request.settings,
                   .nodes = nodes});
}

void SlurmRun::emitJobPlace()
{
    const std::optional<JobEnd> end = m_folder.end();
    if (!end)
        return;
    emitJobFacts(end->nodes);
    emit placeKnown(end->nodes, end->kernel);
}

void SlurmRun::showState(const std::string& state)
{
    if (std::exchange(m_state, state) != state)
        emit stateChanged(QString::fromStdString(state));
}

// In the queue

void SlurmRun::look(const QueueLook& look)
{
    if (m_stage == Stage::Looking) {
        searchQueueForName(look);
        return;
    }
    if (m_stage != Stage::Watching)
        return;
    readFiles();
    const auto found = look.jobs.find(m_request.name);
    if (!look.problem.empty())
        handleNoAnswer(look.problem);
    else if (found == look.jobs.end() || found->second.id != m_job)
        queryJobRecord();
    else
        followQueueEntry(found->second);
}

void SlurmRun::followQueueEntry(const QueueEntry& entry)
{
    m_looksInVain = 0;
    m_secondsAtLook = entry.seconds;
    if (entry.state == JobState::Running)
        m_sinceLook.start();
    else
        m_sinceLook.invalidate();
    if (entry.state == JobState::Running && !std::exchange(m_wasStarted, true))
        emit started();
    if (isFinal(entry.state))
        queryJobRecord();
    else if (entry.state == JobState::Pending)
        showState("job " + m_job + " waits in the queue of Slurm" +
                  (entry.reason.empty() ? "" : " (" + entry.reason + ")"));
    else if (entry.state == JobState::Suspended)
        showState("job " + m_job + " is suspended by Slurm");
    else if (!m_endReason)
        showState({});
    if (m_stage == Stage::Watching && entry.seconds > m_limits.seconds)
        cancel(WorkerExit::Kind::TimedOut);
    if (m_stage == Stage::Watching && m_endReason && m_sinceCancel.elapsed() > kCancelPauseMs)
        cancelAgain();
}

/// The job goes on while nobody answers. Its own word is enough where it has ended.
void SlurmRun::handleNoAnswer(const std::string& problem)
{
    ++m_looksInVain;
    m_sinceUnanswered.start();
    showState("Slurm does not answer (" + problem + ")");
    if (m_stage == Stage::Watching && m_looksInVain >= kMostLooksInVain && m_folder.end())
        conclude(std::nullopt);
    else if (m_endReason && m_job.empty())
        end(makeWorkerExit(*m_endReason));
    else if (m_endReason && m_sinceCancel.elapsed() > kCancelPauseMs)
        cancelAgain();
}

void SlurmRun::readFiles()
{
    if (const QByteArray output = m_output.read().text; !output.isEmpty())
        emit standardOutput(output);
    if (const QByteArray log = m_scriptLog.read().text; !log.isEmpty())
        emit standardError(log);
    for (const std::string& sample : m_telemetry.readMore())
        emit machineSampled(sample);
    const QByteArray errors = m_errors.read().text;
    forwardErrorLines(m_errorLines.feed({errors.constData(), static_cast<std::size_t>(errors.size())}));
}

/// What srun says of each rank that has failed would hide what the ranks said before; the status goes into
/// the outcome.
void SlurmRun::forwardErrorLines(const std::vector<Line>& lines)
{
    for (const Line& line : lines) {
        if (!m_rankStatus)
            m_rankStatus = parseRankStatus(line.text);
        if (!isJobEndMessage(line.text))
            emit standardError(QByteArray::fromStdString(line.text) + '\n');
    }
}

// Out of the queue

void SlurmRun::stop()
{
    if (m_stage == Stage::Ended)
        return;
    if (m_stage == Stage::NotStarted)
        end(makeWorkerExit(WorkerExit::Kind::Stopped));
    else
        cancel(WorkerExit::Kind::Stopped);
}

void SlurmRun::cancel(WorkerExit::Kind reason)
{
    if (m_endReason)
        return;
    m_endReason = reason;
    if (!m_job.empty())
        sendCancel();
}

/// scancel ends well for jobs that there are not, too: the queue shows what has come of it. The number may
/// come from a file that somebody else wrote: only a job of this name is ended.
void SlurmRun::sendCancel()
{
    ++m_cancels;
    m_sinceCancel.start();
    showState("job " + m_job + " is being cancelled");
    callSlurm(this,
              {QStringLiteral("scancel"),
               {QStringLiteral("--name=%1").arg(QString::fromStdString(m_request.name)),
                QString::fromStdString(m_job)}},
              [this](const SlurmAnswer&) { m_queue->pollQueue(); });
}

void SlurmRun::cancelAgain()
{
    if (m_cancels < kMostCancels) {
        sendCancel();
        return;
    }
    emit standardError("Slurm has not confirmed the end of job " + QByteArray::fromStdString(m_job) + "\n");
    end(makeWorkerExit(*m_endReason));
}

void SlurmRun::queryJobRecord()
{
    m_stage = Stage::Concluding;
    const SlurmCall call{QStringLiteral("scontrol"),
                         {QStringLiteral("--oneliner"), QStringLiteral("show"), QStringLiteral("job"),
                          QString::fromStdString(m_job)}};
    callSlurm(this, call, [this](const SlurmAnswer& answer) {
        std::optional<JobRecord> record;
        if (answer.isGood())
            record = parseJobRecord(answer.output.toStdString());
        if (record && record->name != m_request.name) // a controller that has lost its jobs counts anew
            record.reset();
        const bool isInDoubt = record && record->state != JobState::Completed;
        if (isInDoubt && isFinal(record->state) && !m_endReason) {
            queryControllerStart(*record);
            return;
        }
        if (answer.isGood() || answer.errors.contains("Invalid job id")) {
            conclude(record);
            return;
        }
        m_stage = Stage::Watching;
        handleNoAnswer("scontrol: " + answer.problem());
    });
}

/// A controller that was away, and one that begins anew, ends jobs that nobody has cancelled.
void SlurmRun::queryControllerStart(const JobRecord& record)
{
    m_wasForsaken = m_sinceUnanswered.isValid() && static_cast<double>(m_sinceUnanswered.elapsed()) <
                                                       kForsakenSeconds * machine::kMsPerSecond;
    const SlurmCall call{QStringLiteral("scontrol"), {QStringLiteral("show"), QStringLiteral("config")}};
    callSlurm(this, call, [this, record](const SlurmAnswer& answer) {
        m_wasForsaken |= endedByStart(record, parseControllerStart(answer.output.toStdString()));
        conclude(record);
    });
}

/// Files of a node that has died will not come any more, nor those of a script that was killed; those of
/// others may be late.
bool SlurmRun::waitsForFiles(const std::optional<JobRecord>& record)
{
    const bool wasExecuted = !record || record->state == JobState::Completed ||
                             (record->state == JobState::Failed && record->signal != SIGKILL);
    if (m_folder.end() || !wasExecuted)
        return false;
    if (!m_sinceEnd.isValid())
        m_sinceEnd.start();
    return m_sinceEnd.elapsed() < (m_folder.setupStep() ? kShortFilePatienceMs : kFilePatienceMs);
}

void SlurmRun::conclude(const std::optional<JobRecord>& record)
{
    m_stage = Stage::Concluding;
    const std::string claim = m_folder.claim();
    if (!claim.empty() && claim != m_job) { // submitted twice: the other one does the work
        watch(claim);
        return;
    }
    if (record && !isFinal(record->state)) {
        m_stage = Stage::Watching;
        return;
    }
    if (waitsForFiles(record)) {
        QTimer::singleShot(kFilePauseMs, this, [this, record] { conclude(record); });
        return;
    }
    readFiles();
    forwardErrorLines(m_errorLines.finish());
    if (record)
        m_secondsAtLook = std::max(m_secondsAtLook, record->seconds);
    if (record && !record->nodes.empty())
        emitJobFacts(record->nodes);
    emitJobPlace();
    WorkerExit exit = determineJobOutcome(findEvidence(record));
    exit.rankFailures = m_folder.rankFailures();
    const bool isOurs = !m_folder.end() || (record && record->state == JobState::Cancelled);
    if (m_endReason && isOurs)
        exit = makeWorkerExit(*m_endReason, *m_endReason == WorkerExit::Kind::TimedOut ? m_limits.seconds
                                                                                       : m_secondsAtLook);
    end(exit);
}

JobEvidence SlurmRun::findEvidence(const std::optional<JobRecord>& record) const
{
    JobEvidence evidence;
    evidence.id = m_job;
    evidence.record = record;
    evidence.end = m_folder.end();
    evidence.rankStatus = m_rankStatus;
    evidence.seconds = m_secondsAtLook;
    evidence.folder = m_folder.path();
    if (m_folder.hasTooMuchOutput())
        evidence.tooMuchMib = m_limits.outputMib;
    evidence.wasForsaken = m_wasForsaken;
    if (const std::optional<int> step = m_folder.setupStep())
        evidence.setup = SetupStep{findSetupLine(m_request.setup, *step), m_folder.setupErrors()};
    return evidence;
}

void SlurmRun::end(const WorkerExit& exit)
{
    if (std::exchange(m_stage, Stage::Ended) == Stage::Ended)
        return;
    emit ended(exit);
}

} // namespace quadric::run
