// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval.h"
#include "core/run/runner/baselines.h"
#include "core/run/runner/run_queue.h"
#include "core/run/runner/runner.h"

namespace quadric::run {

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

    /// Puts the study's baselines among its runs here, and finds out which runs need which. Without an answer
    /// of the trainer each run measures its own.
    void findBaselines(const ApprovedStudy& approved);
    /// Why every run measures its own baseline although they should share; empty otherwise.
    const std::string& whyNoShared() const { return m_whyNoShared; }

    /// Last in the queue, behind its baseline where that is not measured yet.
    void enqueue(int id);
    /// A run that is repeated comes last; a baseline comes next, others wait for it.
    void requeue(const study::Run& run);
    /// Lets the first run in the queue come behind its baseline. False while that is at work: the first
    /// waits.
    bool bringBaselineForward(const std::function<bool(int)>& isActive);

    /// A run has ended for this time: what that means for baselines. True for a baseline that was measured.
    bool noteEnded(const study::Run& ended);
    /// Nobody waits for this baseline any more.
    void giveUp(int id) { m_baselines.giveUp(id); }

    /// What the run is given of its baseline when it starts now.
    BaselineShare shareOf(const study::Run& run) const { return m_baselines.shareOf(run, m_study); }

    /// Runs of the experiment in the queue: baselines are not counted among them.
    int countRuns() const;
    /// Where the duration of the run is looked up: a baseline takes about as long as a run that needs it.
    const study::Settings& settingsForDuration(const study::Run& run) const;

private:
    /// The id of the baseline that must be measured before this run, which is among the runs then.
    std::optional<int> baselineDueBefore(int id);

    study::Study& m_study;
    const RunnerOptions& m_options;
    RunQueue m_queue;
    Baselines m_baselines;
    std::string m_whyNoShared;
};

} // namespace quadric::run
