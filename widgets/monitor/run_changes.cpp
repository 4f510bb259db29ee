// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/monitor/run_changes.h"

#include "widgets/design/matrix/run_edits.h"
#include "widgets/monitor/baseline_chooser.h"

#include <QCoreApplication>

namespace quadric::widgets {

namespace {

QString changeWords(const char* text)
{
    return QCoreApplication::translate("RunChanges", text);
}

/// "Rerun run 4", "Rerun 3 runs".
QString labelFor(const char* one, const char* many, const std::vector<int>& runs)
{
    return runs.size() == 1 ? changeWords(one).arg(runs.front())
                            : changeWords(many).arg(static_cast<qint64>(runs.size()));
}

study::Study withoutExecution(study::Study study, const std::vector<int>& runs)
{
    for (const int id : runs) {
        study::Run* run = study::findRun(study, id);
        if (!run)
            continue;
        run->status = study::RunStatus::Pending;
        run->failure.reset();
        run->reason.clear();
        run->results.clear();
        run->spread.clear();
        run->provenance = {};
    }
    return study;
}

} // namespace

RunChange makeRerun(study::Study study, const std::vector<int>& runs)
{
    return {withoutExecution(std::move(study), runs),
            labelFor(QT_TRANSLATE_NOOP("RunChanges", "Rerun run %1"),
                     QT_TRANSLATE_NOOP("RunChanges", "Rerun %1 runs"), runs)};
}

RunChange makeRetry(study::Study study, const std::vector<int>& failedRuns)
{
    return {withoutExecution(std::move(study), failedRuns),
            labelFor(QT_TRANSLATE_NOOP("RunChanges", "Retry run %1"),
                     QT_TRANSLATE_NOOP("RunChanges", "Retry %1 failed runs"), failedRuns)};
}

RunChange makeRepetition(study::Study study, const std::vector<int>& disturbedRuns)
{
    return {withoutExecution(std::move(study), disturbedRuns),
            labelFor(QT_TRANSLATE_NOOP("RunChanges", "Repeat disturbed run %1"),
                     QT_TRANSLATE_NOOP("RunChanges", "Repeat %1 disturbed runs"), disturbedRuns)};
}

RunChange makeExclusion(study::Study study, const std::vector<int>& runs)
{
    return {withRunsLeftOut(std::move(study), runs, "by hand"),
            labelFor(QT_TRANSLATE_NOOP("RunChanges", "Exclude run %1"),
                     QT_TRANSLATE_NOOP("RunChanges", "Exclude %1 runs"), runs)};
}

RunChange makeInclusion(study::Study study, const std::vector<int>& runs)
{
    return {withRunsTakenBack(std::move(study), runs),
            labelFor(QT_TRANSLATE_NOOP("RunChanges", "Include run %1"),
                     QT_TRANSLATE_NOOP("RunChanges", "Include %1 runs"), runs)};
}

RunChange makeParallel(study::Study study, int runs)
{
    study.benchmark.parallel = runs;
    return {std::move(study),
            runs == 1 ? changeWords(QT_TRANSLATE_NOOP("RunChanges", "One run at a time"))
                      : changeWords(QT_TRANSLATE_NOOP("RunChanges", "%1 runs at once")).arg(runs),
            QStringLiteral("parallel")};
}

RunChange makeBaselineMode(study::Study study, study::BaselineMode mode)
{
    study.benchmark.baseline = mode;
    return {std::move(study), labelOf(mode)};
}

} // namespace quadric::widgets
