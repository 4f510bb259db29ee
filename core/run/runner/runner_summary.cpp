// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/runner/runner.h"
#include "core/study/outcome.h"
#include "core/text/numbers.h"

namespace quadric::run {

void RunnerSummary::count(const study::Run& ended)
{
    if (ended.kind == study::RunKind::Baseline)
        return;
    done += ended.status == study::RunStatus::Done ? 1 : 0;
    if (ended.status == study::RunStatus::Failed)
        ++(study::isCancelled(ended) ? cancelled : failed);
}

std::string RunnerSummary::inWords() const
{
    if (!problem.empty())
        return problem;
    std::string counts = text::formatCount(done, "run") + " done";
    if (failed > 0)
        counts += ", " + std::to_string(failed) + " failed";
    if (cancelled > 0)
        counts += ", " + std::to_string(cancelled) + " cancelled";
    if (baselines > 0)
        counts += ", " + text::formatCount(baselines, "baseline");
    const std::string noted = note.empty() ? "" : ". " + note;
    const std::string why = whyStopped.empty() ? "" : ". " + whyStopped;
    if (isStopped)
        return "Stopped: " + counts + ", " + std::to_string(pending) + " pending" + why + noted;
    const bool isIdle = done + failed + cancelled == 0;
    return (isIdle ? "Nothing to do: no run is pending" : "Finished: " + counts) + noted;
}

} // namespace quadric::run
