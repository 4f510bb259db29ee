// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/frame/rail_state.h"

#include "core/plan/work.h"
#include "core/report/findings/fit_findings.h"
#include "core/study/outcome.h"
#include "widgets/base/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace quadric::app {

using widgets::formatCount;

namespace {

QString words(const char* text)
{
    return QCoreApplication::translate("rail", text);
}

int fittedResponses(const widgets::StudyContext& context)
{
    return int(
        std::count_if(context.fits.begin(), context.fits.end(), [](const auto& fit) { return fit.isOk(); }));
}

StepState designState(const study::Study& study)
{
    const auto problems = study::validate(study);
    const auto errors =
        std::count_if(problems.begin(), problems.end(), [](const auto& p) { return p.isError; });
    if (errors > 0)
        return {formatCount(errors, "problem"), Mark::Warning};
    if (study.runs.empty())
        return {words("no runs yet"), Mark::None};
    return {formatCount(qint64(study.runs.size()), "run"), Mark::Done};
}

StepState runState(const widgets::StudyContext& context)
{
    const study::Study& study = context.study;
    const int all = int(study.runs.size()) - study::countRuns(study, study::RunStatus::Excluded);
    const int done = study::countRuns(study, study::RunStatus::Done);
    const int failed = study::countFailed(study);
    const QString share = words("%1 of %2").arg(done).arg(all);
    if (context.isRunning)
        return {share, Mark::Running};
    if (failed > 0)
        return {words("%1, %2 failed").arg(share).arg(failed), Mark::Warning};
    if (all == 0)
        return {words("needs a design"), Mark::None};
    return {share, done == all ? Mark::Done : Mark::None};
}

StepState exploreState(const widgets::StudyContext& context)
{
    const int fitted = fittedResponses(context);
    const int warnings = countWarnings(context);
    if (fitted == 0)
        return {words("needs results"), Mark::None};
    if (warnings > 0)
        return {formatCount(warnings, "warning"), Mark::Warning, true};
    return {words("%1 of %2 fitted").arg(fitted).arg(context.fits.size()), Mark::Done};
}

StepState planState(const widgets::StudyContext& context)
{
    if (std::ranges::any_of(context.fits, plan::tellsTime))
        return {words("ready"), Mark::None};
    return {fittedResponses(context) > 0 ? words("needs a time") : words("needs results"), Mark::None};
}

} // namespace

std::array<StepState, kSteps> stepStates(const widgets::StudyContext& context)
{
    const bool hasFit = fittedResponses(context) > 0;
    const StepState later{hasFit ? words("ready") : words("needs results"), Mark::None};
    return {designState(context.study), runState(context),
            exploreState(context),      later,
            planState(context),         later};
}

int countWarnings(const widgets::StudyContext& context)
{
    return int(report::findWarnings(context.fits, context.scales).size());
}

QString statusWords(const widgets::StudyContext& context)
{
    QStringList parts;
    if (study::hasSimulatedResults(context.study))
        parts << words("simulated data");
    const int failed = study::countFailed(context.study);
    if (failed > 0)
        parts << formatCount(failed, "failed run");
    parts << words("%1 of %2 responses fitted")
                 .arg(fittedResponses(context))
                 .arg(context.study.responses.size());
    return parts.join(QStringLiteral(" · "));
}

} // namespace quadric::app
