// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/reading.h"
#include "core/study/disturbance.h"
#include "widgets/text/statistics.h"
#include "widgets/text/translate.h"
#include "widgets/text/wording.h"

#include <algorithm>

namespace quadric::widgets {

namespace {

int repeatedRuns(const model::Fit& fit)
{
    const model::AnovaRow* row = model::rowOf(fit, "Pure error");
    return row != nullptr && row->ss > 0 ? row->df : 0;
}

QString labelled(const model::Fit& fit, const QString& text)
{
    return QStringLiteral("%1: %2").arg(nameText(fit.response), text);
}

/// Each warning once, with the names of all responses that it is about.
QStringList warningsOf(const std::vector<model::Fit>& fits)
{
    std::vector<std::pair<QString, QStringList>> grouped;
    for (const model::Fit& fit : fits)
        for (const model::Warning& warning : fit.warnings) {
            const QString message = QString::fromStdString(warning.message);
            if (warning.code == "simulated" ||
                warning.code == "failed-runs-left-out") // said for the whole study
                continue;
            auto group = std::find_if(grouped.begin(), grouped.end(),
                                      [&message](const auto& each) { return each.first == message; });
            if (group == grouped.end())
                group = grouped.insert(grouped.end(), {message, {}});
            group->second << nameText(fit.response);
        }
    QStringList texts;
    for (const auto& [message, names] : grouped)
        texts << QStringLiteral("%1: %2").arg(names.join(QStringLiteral(", ")), message);
    return texts;
}

/// A warning says it in more words.
bool isSaidByWarning(const model::Fit& fit)
{
    return verdictOf(fit) == Verdict::Fair &&
           std::ranges::find(fit.warnings, "lack-of-fit", &model::Warning::code) != fit.warnings.end();
}

QString failedRunsText(int failed)
{
    return failed == 1 ? tr("One run failed; the models know nothing about its setting.")
                       : tr("%1 runs failed; the models know nothing about their settings.").arg(failed);
}

QString repeatsText(int df)
{
    return df == 1 ? tr("repeated runs measure the noise itself (1 degree of freedom).")
                   : tr("repeated runs measure the noise itself (%1 degrees of freedom).").arg(df);
}

} // namespace

QStringList reasonsToTrust(const study::Study& study, const std::vector<model::Fit>& fits)
{
    QStringList reasons;
    for (const model::Fit& fit : fits) {
        if (fit.isOk() && verdictOf(fit) == Verdict::Good)
            reasons << labelled(fit, verdictText(fit));
        if (fit.isOk() && repeatedRuns(fit) > 0)
            reasons << labelled(fit, repeatsText(repeatedRuns(fit)));
    }
    const bool isMeasured =
        !study.runs.empty() && std::all_of(study.runs.begin(), study.runs.end(), [](const study::Run& run) {
            return run.status != study::RunStatus::Done || run.provenance.source == study::Source::Measured;
        });
    if (isMeasured && study::countRuns(study, study::RunStatus::Done) > 0)
        reasons << tr("All results were measured, each beside the settings that were really run.");
    return reasons;
}

QStringList reasonsToDoubt(const study::Study& study, const std::vector<model::Fit>& fits)
{
    QStringList reasons;
    if (study::hasSimulatedResults(study))
        reasons << tr("The results are simulated: they come from a formula, not from hardware.");
    for (const model::Fit& fit : fits)
        if (verdictOf(fit) != Verdict::Good && !isSaidByWarning(fit))
            reasons << labelled(fit, verdictText(fit));
    for (const model::Fit& fit : fits)
        if (fit.isOk() && model::explainsNoMoreThanChance(fit))
            reasons << QString::fromStdString(model::readAnova(fit).front());
    reasons << warningsOf(fits);
    if (const int failed = study::countRuns(study, study::RunStatus::Failed); failed > 0)
        reasons << failedRunsText(failed);
    const auto disturbed = std::count_if(study.runs.begin(), study.runs.end(), study::isDisturbed);
    if (disturbed > 0)
        reasons
            << (disturbed == 1
                    ? tr("One run was disturbed while it was measured: throttled, or on a shared machine.")
                    : tr("%1 runs were disturbed while they were measured: throttled, or on a shared "
                         "machine.")
                          .arg(disturbed));
    if (const int pending = study::countRuns(study, study::RunStatus::Pending); pending > 0)
        reasons << tr("Runs of the design that are still missing: %1.").arg(pending);
    return reasons;
}

} // namespace quadric::widgets
