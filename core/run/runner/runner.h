// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/control.h"
#include "core/run/worker/launcher.h"
#include "core/study/study.h"

#include <QObject>
#include <QString>

#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <vector>

namespace quadric::run {

/// What a runner does where further runs would most likely fail as those before did (FailureWatch).
enum class OnFailures {
    Stop,  ///< starts no further one and ends
    Pause, ///< waits until somebody resumes or stops it
    GoOn
};

struct RunnerOptions {
    std::set<int> only;       ///< ids of the runs to execute; empty: all that are pending
    bool retryFailed = false; ///< failed runs are executed again
    OnFailures onFailures = OnFailures::Stop;
    std::string approvedNow = {};            ///< see requireApproval()
    QString devices;                         ///< for CUDA_VISIBLE_DEVICES; empty: all
    std::shared_ptr<Launcher> launcher = {}; ///< where runs are executed; empty: here, one at a time
    /// Asked whenever no run is left, with the study as it is then: the runs to go on with, new ones of it;
    /// none: that is the end. Empty: nobody is asked.
    std::function<std::vector<study::Run>(const study::Study&)> furtherRuns = {};
    /// Asked before a follow-up (study::RunKind::Augment) begins: what it has to reach to be measured in
    /// full. Empty: nobody is asked, all are.
    std::function<std::optional<study::ShortLook>(const study::Study&)> shortLook = {};
};

struct RunnerSummary {
    int done = 0;
    int failed = 0;    ///< without those that were cancelled
    int cancelled = 0; ///< ended on request
    int pending = 0;   ///< left over when it was stopped
    int baselines = 0; ///< measured for the scaling efficiency; no runs of the experiment
    bool isStopped = false;
    std::string problem;    ///< why the runner itself could not go on; empty otherwise
    std::string whyStopped; ///< in sentences, where nobody has asked for it; empty otherwise
    std::string note;       ///< what was found changed and made good, in sentences; empty: nothing
    /// A run of the design has ended for good.
    void count(const study::Run& ended);
    std::string inWords() const;
};

struct RunnerState;

/// Executes the pending runs of a study in their stored order, as many at a time as the launcher takes.
/// Owns the study for as long as it lives. Every outcome is in the synced journal before anybody hears of it;
/// the journal is folded into the document when the runner ends.
class Runner : public QObject {
    Q_OBJECT

public:
    /// Takes the study's lock and checks everything that can be checked before the first run. Throws
    /// study::DocumentError, RecipeError or ApprovalError.
    Runner(const std::filesystem::path& document, const RunnerOptions& options, QObject* parent = nullptr);
    ~Runner() override;

    /// Starts with the first run; needs an event loop.
    void start();

    /// Ends the workers; the runs in progress go back to pending. ended() follows.
    void stop();

    /// Does what any client of the control channel may ask for (docs/running.md).
    ControlReply handle(const ControlRequest& request);

    /// Runs that this runner has to execute, those in progress among them, without baselines.
    int plannedRuns() const;
    /// Baselines that it measures for them, as far as is known now.
    int plannedBaselines() const;

    /// Who computes now on the GPUs of this machine that the first run of the queue to use any may use, in
    /// words; empty: nobody, or no run uses GPUs of this machine.
    std::string usersOfGpus() const;

signals:
    /// One event as a line of JSON without its end (events.h).
    void eventWritten(const QByteArray& event);
    /// A run is started, done, failed or back to pending, and its record is in the journal.
    void runRecorded(const quadric::study::Run& run);
    void ended(const quadric::run::RunnerSummary& summary);

private:
    std::unique_ptr<RunnerState> m_state;
};

} // namespace quadric::run
