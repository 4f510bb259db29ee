// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/run_edits.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

bool hasAllResults(const study::Study& study, const study::Run& run)
{
    return std::all_of(study.responses.begin(), study.responses.end(),
                       [&](const auto& response) { return run.results.contains(response.name); });
}

} // namespace

study::Study withTypedResult(study::Study study, int runId, const std::string& response,
                             std::optional<double> value)
{
    study::Run* run = study::findRun(study, runId);
    if (!run)
        return study;
    run->spread.erase(response);
    if (value)
        run->results[response] = *value;
    else
        run->results.erase(response);
    run->provenance.source = run->results.empty() ? study::Source::Unknown : study::Source::Typed;
    run->failure.reset();
    if (run->status != study::RunStatus::Excluded)
        run->status = hasAllResults(study, *run) ? study::RunStatus::Done : study::RunStatus::Pending;
    return study;
}

study::Study withRunLeftOut(study::Study study, int runId, const std::string& reason)
{
    if (study::Run* run = study::findRun(study, runId)) {
        run->status = study::RunStatus::Excluded;
        run->reason = reason;
    }
    return study;
}

study::Study withRunTakenBack(study::Study study, int runId)
{
    study::Run* run = study::findRun(study, runId);
    if (run && run->status == study::RunStatus::Excluded) {
        run->status = !run->results.empty() && hasAllResults(study, *run) ? study::RunStatus::Done
                                                                          : study::RunStatus::Pending;
        run->reason.clear();
    }
    return study;
}

} // namespace quadric::widgets
