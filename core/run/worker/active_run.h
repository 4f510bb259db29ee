// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval.h"
#include "core/run/recipe/output_parse.h"
#include "core/run/words/events.h"
#include "core/run/words/run_files.h"
#include "core/run/worker/launcher.h"
#include "core/run/worker/run_telemetry.h"
#include "core/run/worker/surroundings.h"

#include <filesystem>
#include <memory>

namespace quadric::run {

/// Why a run in progress is ended.
enum class StopReason {
    Stop,   ///< the runner ends: the run goes back to pending
    Skip,   ///< as before, but the runner goes on without it
    Cancel, ///< the user does not want it: it has failed, with kind "cancelled"
};

/// One run in the runner's hands: its process, what it has said so far, its log and its phase.
class ActiveRun : public QObject {
    Q_OBJECT

public:
    /// Opens the run's log afresh. `document` is where the study lies.
    ActiveRun(study::Run run, study::ParseSpec parse, std::filesystem::path document,
              std::unique_ptr<RunProcess> process);

    /// `isLeftOver`: an earlier runner has started the worker, which may have ended since.
    void start(const Launch& launch, const RunLimits& limits, bool isLeftOver = false);

    /// Ends the worker; ended() follows. A second time changes nothing.
    void stop(StopReason reason);

    int id() const { return m_run.id; }
    /// The record of the run while it executes.
    const study::Run& run() const { return m_run; }
    RunPhase phase() const { return m_phase; }
    double done() const { return m_done; }
    /// The ends of what a program printed that does not speak the protocol.
    const std::string& standardOutput() const { return m_rawOutput; }
    const std::string& standardError() const { return m_rawErrors; }
    double elapsedSeconds() const { return m_process->elapsedSeconds(); }
    /// See RunProcess::processId().
    qint64 processId() const { return m_process->processId(); }

    /// The record of the run that ended in this way: done, failed, or pending again where it was
    /// stopped or skipped.
    study::Run concluded(const study::Study& study, const WorkerExit& exit);

signals:
    /// An event for everybody who follows (events.h).
    void news(const QByteArray& event);
    /// The share of the work that is done has changed.
    void progressed();
    /// run() has facts that must be in the journal at once.
    void factsChanged();
    void ended(const quadric::run::WorkerExit& exit);

private:
    void connectProcess();
    void beginRecord(const Launch& launch);
    void watch();
    void recordMeasurement(study::Run& run);
    void moveTo(RunPhase next);
    void handleOutput(const QByteArray& bytes);
    void handleErrorOutput(const QByteArray& bytes);
    void keepRaw(const QByteArray& bytes, std::string& kept) const;
    void handleRemainingOutput();
    void processMessages(const std::vector<WorkerMessage>& messages);
    void recordJob(const study::SlurmJob& job);
    void recordPlace(const std::string& host, const std::string& kernel);
    void recordMachineSample(const std::string& fields);
    void keepElsewhere(const std::string& sample);
    void forwardMessage(const WorkerMessage& message);
    void passSample(const Sample& sample);
    void passProgress(const Progress& progress);
    void passLog(const std::string& line);
    void passValues(const std::string& line);
    study::Run stopped();
    void readOwnFormat(const study::Study& study, const WorkerExit& exit);

    study::Run m_run;
    study::ParseSpec m_parse;
    std::filesystem::path m_document;
    RunPhase m_phase = RunPhase::Waiting;
    WorkerReport m_report;
    WorkerProtocol m_output;
    LineReader m_errors;
    std::string m_rawOutput, m_rawErrors; ///< for programs that do not speak the protocol
    RunLog m_log;
    study::FileIdentity m_fileBefore; ///< the result file of programs that write one, before they start
    StopReason m_stopReason = StopReason::Stop;
    double m_done = 0.0;
    std::string m_phaseName;
    LiveValues m_values;
    Throttle m_samples, m_progress;
    LogThrottle m_logEvents;
    std::unique_ptr<RunProcess> m_process;
    std::optional<Launch> m_watched;            ///< what was launched; empty: nothing is worth watching
    std::unique_ptr<RunTelemetry> m_telemetry;  ///< of this machine
    std::unique_ptr<RunLog> m_samplesElsewhere; ///< of a worker on other machines
    std::unique_ptr<CodeRevision> m_code;
};

/// Executes one setting of a study once, to see whether its results can be read. Nothing gets into the study,
/// and no log is left.
class Trial : public QObject {
    Q_OBJECT

public:
    /// The setting of the run with this number, or of the first run for 0. `document` is where the study is
    /// or will be. Throws RecipeError, and ApprovalError for a command that the user has not approved
    /// (requireApproval()).
    Trial(study::Study study, int runId, std::filesystem::path document, const std::string& approvedNow = {});
    ~Trial() override;

    const study::Settings& settings() const { return m_run.settings; }
    void start();
    void stop();

signals:
    void ended(const quadric::run::TrialReport& report);

private:
    void finish(const WorkerExit& exit);

    study::Study m_study;
    study::Run m_run;
    std::filesystem::path m_document;
    Launch m_launch;
    std::unique_ptr<ActiveRun> m_active;
};

} // namespace quadric::run
