// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/design/matrix/run_edits.h"

#include "core/study/space/constraint.h"
#include "widgets/base/typed_setting.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

bool hasAllResults(const study::Study& study, const study::Run& run)
{
    return std::all_of(study.responses.begin(), study.responses.end(),
                       [&](const auto& response) { return run.results.contains(response.name); });
}

/// The first constraint that does not hold at these settings; empty: all hold.
QString brokenConstraint(const study::Study& study, const study::Settings& settings)
{
    study::Settings all = settings;
    all.insert(study.fixed.begin(), study.fixed.end());
    for (const std::string& text : study.constraints) {
        try {
            if (!study::Constraint(text).holds(all))
                return QString::fromStdString(text);
        } catch (const std::invalid_argument&) {
            continue; // a condition that cannot be read forbids nothing; the step Factors says so
        }
    }
    return {};
}

} // namespace

bool canChangeSettings(const study::Run& run)
{
    return run.status == study::RunStatus::Pending && run.results.empty();
}

Edit withSetting(const study::Study& study, int runId, const std::string& factor, const QString& typed)
{
    Edit edit{study, {}};
    study::Run* run = study::findRun(edit.study, runId);
    const study::Factor* varied = study::findFactor(study, factor);
    if (!run || !varied)
        return edit;
    if (!canChangeSettings(*run)) {
        edit.problem = tr("Run %1 has results, so its settings stay as they were measured.").arg(runId);
        return edit;
    }
    const QString place = QString::fromStdString(factor);
    QString problem;
    const auto value = typedSetting(*varied, typed.trimmed(), problem);
    if (!value) {
        edit.problem = tr("%1 of run %2: “%3”, %4.").arg(place).arg(runId).arg(typed, problem);
        return edit;
    }
    run->settings[factor] = *value;
    const QString broken = brokenConstraint(study, run->settings);
    if (!broken.isEmpty())
        edit = {study, tr("%1 of run %2: with “%3” the constraint “%4” is broken.")
                           .arg(place)
                           .arg(runId)
                           .arg(typed, broken)};
    return edit;
}

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

study::Study withRunsLeftOut(study::Study study, const std::vector<int>& runIds, const std::string& reason)
{
    for (const int id : runIds) {
        study::Run* run = study::findRun(study, id);
        if (run && run->status != study::RunStatus::Excluded) {
            run->status = study::RunStatus::Excluded;
            run->reason = reason;
        }
    }
    return study;
}

study::Study withRunsTakenBack(study::Study study, const std::vector<int>& runIds)
{
    for (const int id : runIds) {
        study::Run* run = study::findRun(study, id);
        if (run && run->status == study::RunStatus::Excluded) {
            run->status = !run->results.empty() && hasAllResults(study, *run) ? study::RunStatus::Done
                                                                              : study::RunStatus::Pending;
            run->reason.clear();
        }
    }
    return study;
}

bool canDelete(const study::Run& run)
{
    return run.results.empty() && run.status != study::RunStatus::Running;
}

study::Study withoutRuns(study::Study study, const std::vector<int>& runIds)
{
    std::erase_if(study.runs, [&](const study::Run& run) {
        return canDelete(run) && std::ranges::count(runIds, run.id) > 0;
    });
    return study;
}

} // namespace quadric::widgets
