// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/slurm/job_outcome.h"
#include "core/run/slurm/job_script.h"
#include "core/run/slurm/job_status.h"
#include "core/run/words/worker_protocol.h"
#include "core/run/worker/launcher.h"

#include <QElapsedTimer>

#include <memory>

namespace quadric::run {

struct SlurmAnswer;

/// One run as one job of a Slurm cluster: submitted under a name of its own, watched through the queue, its
/// output read while it grows. Unlike a process of this machine a job outlives its runner; the next one finds
/// it by its number, or by its name where the runner died before it could note the number.
class SlurmRun : public RunProcess {
    Q_OBJECT

public:
    /// With `isLeftOver`, a job of this name may be at work already: it is looked for before one is
    /// submitted. `job` is its number, where it is known.
    SlurmRun(JobRequest request, JobFolder folder, std::shared_ptr<SlurmQueue> queue, bool isLeftOver = false,
             std::string job = {});
    ~SlurmRun() override;

    void start(const Launch& launch, const RunLimits& limits) override;
    void stop() override;
    double elapsedSeconds() const override;
    machine::Findings findings() const override { return m_telemetry.findings(); }

private:
    enum class Stage { NotStarted, Looking, Submitting, Watching, Concluding, Ended };

    void begin(const Launch& launch);
    void searchForJob();
    void test();
    void submit();
    void submitted(const SlurmAnswer& answer);
    void refused(const SlurmAnswer& answer);
    void retrySubmission(const std::string& problem);
    void watch(const std::string& job);
    void emitJobFacts(const std::string& nodes = {});
    void emitJobPlace();

    void look(const QueueLook& look);
    void searchQueueForName(const QueueLook& look);
    void followQueueEntry(const QueueEntry& entry);
    void handleNoAnswer(const std::string& problem);
    void showState(const std::string& state);
    void readFiles();
    void forwardErrorLines(const std::vector<Line>& lines);

    void cancel(WorkerExit::Kind reason);
    void sendCancel();
    void cancelAgain();
    void queryJobRecord();
    void queryControllerStart(const JobRecord& record);
    void conclude(const std::optional<JobRecord>& record);
    JobEvidence findEvidence(const std::optional<JobRecord>& record) const;
    bool waitsForFiles(const std::optional<JobRecord>& record);
    void end(const WorkerExit& exit);

    JobRequest m_request;
    JobFolder m_folder;
    std::shared_ptr<SlurmQueue> m_queue;
    bool m_isLeftOver;
    std::string m_job;
    std::string m_script;
    RunLimits m_limits;
    Stage m_stage = Stage::NotStarted;
    bool m_wasStarted = false;
    int m_looksInVain = 0;
    int m_refusalPauseMs = 0;
    int m_cancels = 0;
    std::string m_state;
    std::optional<WorkerExit::Kind> m_endReason;
    std::optional<int> m_rankStatus;
    bool m_wasForsaken = false;   ///< the controller was away or began anew when the job ended
    double m_secondsAtLook = 0.0; ///< what Slurm said at m_sinceLook
    QElapsedTimer m_sinceLook;
    QElapsedTimer m_sinceRefused, m_sinceCancel, m_sinceEnd, m_sinceUnanswered;
    FileTail m_output, m_errors, m_scriptLog;
    LineReader m_errorLines;
    JobTelemetry m_telemetry;
};

} // namespace quadric::run
