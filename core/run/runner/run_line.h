// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner/baselines.h"
#include "core/run/runner/runner.h"
#include "core/run/worker/launcher.h"
#include "core/run/worker/run_outcome.h"
#include "core/study/run.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <set>
#include <string>

namespace quadric::run {

/// The runs to come, by id, in the order in which they will be executed; each at most once.
class RunQueue {
public:
    void append(int id) { m_ids.push_back(id); }
    void prepend(int id) { m_ids.push_front(id); }

    /// The next run, taken out.
    std::optional<int> takeFirst();

    /// False when it was not in the queue.
    bool remove(int id) { return std::erase(m_ids, id) > 0; }

    bool contains(int id) const { return std::ranges::find(m_ids, id) != m_ids.end(); }
    bool isEmpty() const { return m_ids.empty(); }
    int size() const { return static_cast<int>(m_ids.size()); }
    const std::deque<int>& ids() const { return m_ids; }

private:
    std::deque<int> m_ids;
};

/// Throws RecipeError when a run has settings that are not legal, or when a run that was chosen does not
/// exist.
void checkRuns(const study::Study& study, const RunnerOptions& options);

/// Ids of the runs to execute, in the study's run order: pending ones, those left "running" by a runner that
/// died, and failed ones where they are to be repeated; then those of which a former runner has not made the
/// repetition that it granted.
std::vector<int> selectRuns(const study::Study& study, const RunnerOptions& options);

/// True where the run could not be started for a reason that is none of its settings: its program, its folder
/// or the setup of its job is not there or may not be used.
bool isStartFailure(const study::Run& ended, const WorkerExit& exit);

/// So many runs in a row are no chance any more.
inline constexpr int kMostAlike = 3;

/// Counts texts that differ in nothing but numbers.
class AlikeInARow {
public:
    /// How many have come one after the other, this one included; 0 for an empty text, which begins anew.
    int count(const std::string& text);
    /// The last text without its numbers.
    const std::string& last() const { return m_last; }

private:
    std::string m_last;
    int m_count = 0;
};

/// Notices when further runs would most likely fail as those before did. Runs that somebody has cancelled,
/// and those that a cluster took away, say nothing about that.
class FailureWatch {
public:
    /// An attempt has ended in this way; `willRepeat`: the runs to come would fail for the same reason.
    /// Returns why they should not be started, in sentences; empty: nothing speaks against it.
    std::string note(const study::Run& ended, bool willRepeat);

    /// The user wants to go on all the same: failures like the last one are no reason any more.
    void accept();

private:
    AlikeInARow m_alike;
    std::set<std::string> m_accepted;
};

/// The runs to come, each behind the baseline of the scaling efficiency that it needs.
class RunLine {
public:
    /// Both must outlive it.
    RunLine(study::Study& study, const RunnerOptions& options)
        : m_study(study)
        , m_options(options)
    {
    }

    RunQueue& queue() { return m_queue; }
    const RunQueue& queue() const { return m_queue; }

    /// Puts the study's baselines among its runs here, and finds out which runs need which.
    void findBaselines();

    /// Last in the queue, behind its baseline where that is not measured yet.
    void enqueue(int id);
    /// A run that is repeated comes last; a baseline comes next, others wait for it.
    void requeue(const study::Run& run);
    /// Lets the first run in the queue come behind its baseline. False while that is at work: the first
    /// waits.
    bool bringBaselineForward(const std::function<bool(int)>& isActive);

    /// A run has ended for this time. True for a baseline that was measured.
    bool noteEnded(const study::Run& ended);
    /// Nobody waits for this baseline any more.
    void giveUp(int id) { m_baselines.giveUp(id); }

    /// What the run is given of its baseline when it starts now.
    BaselineShare makeBaselineShare(const study::Run& run) const
    {
        return m_baselines.makeBaselineShare(run, m_study);
    }

    /// Runs of the experiment in the queue: baselines are not counted among them.
    int countRuns() const;

private:
    /// The id of the baseline that must be measured before this run, which is among the runs then.
    std::optional<int> baselineDueBefore(int id);

    study::Study& m_study;
    const RunnerOptions& m_options;
    RunQueue m_queue;
    Baselines m_baselines;
};

/// What was asked for when the runner was started, instead of what the study says.
struct LauncherChoice {
    std::string name = {};            ///< "local" or "slurm"; empty: as `benchmark.launcher` says
    std::optional<int> parallel = {}; ///< runs at once on this machine; not set: as `benchmark.parallel` says
    std::string devices = {};         ///< GPUs that may be used; empty: as CUDA_VISIBLE_DEVICES says
};

/// Where the runs of the study are executed. Reads this machine where several runs share it. Throws
/// RecipeError.
std::unique_ptr<Launcher> launcherFor(const study::Study& study, const std::filesystem::path& document,
                                      const LauncherChoice& asked = {});

} // namespace quadric::run
