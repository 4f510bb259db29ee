// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval.h"
#include "core/run/runner/run_line.h"
#include "core/run/runner/study_records.h"
#include "core/run/words/control.h"
#include "core/run/worker/active_run.h"
#include "core/run/worker/run_policy.h"
#include "core/run/worker/run_telemetry.h"

#include <QLocalServer>

#include <map>
#include <optional>

class QLocalSocket;

namespace quadric::run {

struct RunnerState;

/// Listens for the requests of any number of clients; owned by the runner, which holds the study's lock. A
/// socket that cannot be made stops no experiment: the runner is then asked by signal only.
class ControlServer : public QObject {
public:
    ControlServer(const std::filesystem::path& document, RunnerState& state);

private:
    void greet();
    void answer(QLocalSocket& client);

    RunnerState& m_state;
    QLocalServer m_server;
};

/// The inside of Runner: lets runs begin and end.
struct RunnerState {
    Runner& runner;
    std::filesystem::path document;
    RunnerOptions options;
    std::optional<study::StudyLock> lock;
    study::Study study;
    std::optional<ApprovedStudy> approved; ///< from when prepare() has checked it
    RunLine line{study, options};
    Announcer announcer{runner};
    StudyRecords records{study, announcer, [this] { guarded([this] { resumeOnceWritable(); }); }};
    std::optional<ControlServer> control;
    std::map<int, std::unique_ptr<ActiveRun>> active; ///< by id of the run
    Throttle remainingNews{1000};                     ///< while runs are in progress
    RunnerSummary summary;
    FailureWatch failures;
    AlikeInARow disturbances;
    std::string noteOfUse; ///< that the machine is in use all the time, in sentences; empty: it is not
    bool isPaused = false;
    std::string pausedBecause; ///< in sentences; empty: somebody has asked for it
    bool hasEnded = false;

    RunnerState(Runner& owner, std::filesystem::path path, RunnerOptions chosen);

    void prepare();
    void begin();
    /// Does what clients of the control channel ask a runner for (docs/running.md).
    ControlReply handle(const ControlRequest& request);
    ControlReply stop();
    /// Starts what may be started now; ends when nothing is left.
    void startDueRuns();
    /// Adds the runs to go on with where none is left. False: there are none.
    bool addFurtherRuns();
    /// startDueRuns(), once a study that could not be written can be.
    void resumeOnceWritable();
    void startRun(int id, const Placement& placement);
    void offerShortLook(Launch& launch, const study::Run& run) const;
    void follow(ActiveRun& run);
    void runEnded(int id, const WorkerExit& exit);
    /// Records the outcome, and repeats the run where the policy says so. A result that is there already
    /// stays until there is another.
    void take(study::Run outcome);
    /// Others use the machine all the time: to measure again would bring nothing better.
    void giveUpRepetitions(const std::string& disturbance);
    study::Run completed(study::Run run) const;
    bool willRepeat(const study::Run& ended, const WorkerExit& exit) const;
    /// Starts no further run for this reason, until somebody resumes or for good (RunnerOptions::onFailures).
    void pauseForFailures(const std::string& why);
    void sendRemaining();
    void finish();
    /// The end where the runner cannot go on.
    void giveUp(const std::string& why);
    void end(const std::string& reason);

    /// Problems with the disk end the runner, with a message; what is in the journal stays.
    template <typename Action> void guarded(Action action)
    {
        try {
            action();
        } catch (const std::bad_alloc&) {
            giveUp("there is not enough memory to go on; all results so far are kept");
        } catch (const std::exception& error) {
            giveUp(error.what());
        }
    }
};

} // namespace quadric::run
