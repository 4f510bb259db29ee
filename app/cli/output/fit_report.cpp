// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/fit_report.h"

#include "core/model/process/shown_process.h"

#include "core/report/findings/process_findings.h"
#include "core/report/findings/reading.h"
#include "core/study/slice.h"

namespace quadric::app {

FitReport reportOf(const study::Study& study, model::Fit fit, const model::Recommendation& scales,
                   const FitReportOptions& options)
{
    const study::CodedPoint center = study::Coding(study.factors).center();
    FitReport report;
    report.canonical = model::canonicalAnalysis(fit, center);
    if (report.canonical)
        report.eigenvalueIntervals = model::eigenvalueIntervals(fit, *report.canonical, center);
    report.boxCox = model::boxCox(fit);
    report.curvature = model::curvatureTest(fit);
    report.orders = model::compareOrders(fit);
    report.recommendation = scales;
    report.verdict = report::judgeFit(fit);
    report.findings = report::findInModel(fit, scales);
    report.anovaWords = report::readAnova(fit);
    report.coefficientWords = report::readCoefficients(fit);
    report.levels = model::summarizeLevels(study, fit.response);
    if (fit.response == plan::speedUpResponse(study))
        report.speedUp =
            plan::computeSpeedUp(study, fit, study::Coding(study.factors).toCoded(study::sliceOf(study)));
    if (options.folds > 0)
        report.crossValidation = model::crossValidate(fit, options.folds, options.seed);
    if (options.paths) {
        const std::vector<double> radii = model::evenRadii();
        report.ridgeAscent = model::ridgePath(fit, model::Direction::Ascent, center, radii);
        report.ridgeDescent = model::ridgePath(fit, model::Direction::Descent, center, radii);
        report.steepestAscent = model::steepestPath(fit, model::Direction::Ascent, center, radii);
    }
    report.process = model::shownProcess(study, fit.response);
    if (report.process)
        report.processWords = report::compareProcesses(study, {fit}, {*report.process});
    report.fit = std::move(fit);
    return report;
}

} // namespace quadric::app
