// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The inside of Runner: runner.cpp lets runs begin and end, runner_requests.cpp does what is asked for,
// runner_held.cpp waits for a study that cannot be written.

#include "core/run/active_run.h"
#include "core/run/baselines.h"
#include "core/run/control_server.h"
#include "core/run/events.h"
#include "core/run/record_keeper.h"
#include "core/run/remaining_time.h"
#include "core/run/run_policy.h"
#include "core/run/run_queue.h"
#include "core/run/runner.h"
#include "core/run/throttle.h"

#include <QTimer>

#include <map>
#include <optional>

namespace quadric::run {

struct Runner::State {
    Runner& runner;
    std::filesystem::path document;
    RunnerOptions options;
    std::optional<study::StudyLock> lock;
    study::Study study;
    RunQueue queue;
    Baselines baselines;
    std::string noSharedBaselines; ///< why every run measures its own, where that was not asked for
    std::optional<RecordKeeper> records;
    std::optional<EventWriter> events;
    std::optional<ControlServer> control;
    std::map<int, std::unique_ptr<ActiveRun>> active; ///< by id of the run
    RemainingTime remaining;
    Throttle remainingNews{1000}; ///< while runs are in progress
    RunnerSummary summary;
    bool isPaused = false;
    bool hasEnded = false;
    QTimer held; ///< looks whether the study can be written again, while records are elsewhere

    State(Runner& owner, std::filesystem::path path, RunnerOptions chosen);

    void prepare();
    void checkApproval() const;
    void begin();
    /// Starts what may be started now; ends when nothing is left.
    void goOn();
    void startRun(int id, const Placement& placement);
    void follow(ActiveRun& run);
    void runEnded(int id, const WorkerExit& exit);
    /// Records the outcome, and repeats the run where the policy says so. A result that is there already
    /// stays until there is another.
    void take(study::Run outcome, double seconds);
    /// The run was measured again, in vain.
    void keep(const study::Run& known, const study::Run& outcome);
    void count(const study::Run& run, double seconds);
    /// Journal first, then everybody else.
    void record(const study::Run& run, const char* event);
    void send(const QByteArray& event);
    void sendQueue();
    /// Holds the queue while the study cannot be written; the runs in progress go on.
    bool isHeld() const { return held.isActive(); }
    void hold();
    void tryToGoOn();
    void sendRemaining();
    void finish();

    // runner_baselines.cpp: baselines of the scaling efficiency
    /// Puts the study's baselines among its runs here, and finds out which runs need which.
    void findBaselines();
    /// The id of the baseline that must be measured before this run, which is among the runs then.
    std::optional<int> baselineDueBefore(int id);
    /// Last in the queue, behind its baseline where that is not measured yet.
    void enqueue(int id);
    /// Lets the first run in the queue come behind its baseline. False while that is at work: the first
    /// waits.
    bool bringBaselineForward();
    /// A run that is repeated comes last; a baseline comes next, others wait for it.
    void requeue(const study::Run& run);
    /// A run has ended for this time: what that means for baselines.
    void noteBaseline(const study::Run& ended);
    /// Runs in the queue that are no baselines.
    int countInQueue() const;
    /// Where the duration of the run is looked up: a baseline takes about as long as a run that needs it.
    const study::Settings& settingsForDuration(const study::Run& run) const;

    void end(const std::string& reason);

    ControlReply handle(const ControlRequest& request);
    ControlReply tellStatus() const;
    ControlReply pause();
    ControlReply resume();
    ControlReply requestStop();
    ControlReply handleRun(ControlAction action, const study::Run& run);
    ControlReply cancel(const study::Run& run);
    ControlReply skip(const study::Run& run);
    ControlReply retry(const study::Run& run);
    ControlReply first(const study::Run& run);

    /// Problems with the disk end the runner, with a message; what is in the journal stays.
    template <typename Action> void guarded(Action action)
    {
        try {
            action();
        } catch (const std::exception& error) {
            summary.problem = error.what();
            active.clear();
            end("failed");
        }
    }
};

} // namespace quadric::run
