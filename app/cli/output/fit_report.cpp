// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/fit_report.h"

#include "core/plan/words/cluster_tables.h"
#include "core/report/equation.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/findings/reading.h"
#include "core/report/table.h"
#include "core/report/tables/model_tables.h"
#include "core/report/tables/run_tables.h"
#include "core/study/shown_study.h"
#include "core/text/visible_text.h"

#include <iostream>

namespace quadric::app {

FitReport reportOf(const study::Study& study, model::Fit fit, const FitReportOptions& options)
{
    const study::CodedPoint center = study::Coding(study.factors).center();
    FitReport report;
    report.canonical = model::canonicalAnalysis(fit, center);
    if (report.canonical)
        report.eigenvalueIntervals = model::eigenvalueIntervals(fit, *report.canonical, center);
    report.boxCox = model::boxCox(fit);
    report.curvature = model::curvatureTest(fit);
    report.orders = model::compareOrders(fit);
    report.verdict = report::judgeFit(fit);
    report.findings = report::findInFit(fit);
    report.anovaWords = report::readAnova(fit);
    report.coefficientWords = report::readCoefficients(fit);
    report.levels = model::summarizeLevels(study, fit.response);
    if (fit.response == plan::speedUpResponse(study))
        report.speedUp =
            plan::computeSpeedUp(study, fit, study::Coding(study.factors).toCoded(study::readSlice(study)));
    if (options.folds > 0)
        report.crossValidation = model::crossValidate(fit, options.folds, options.seed);
    if (options.paths) {
        const std::vector<double> radii = model::evenRadii();
        report.ridgeAscent = model::ridgePath(fit, model::Direction::Ascent, center, radii);
        report.ridgeDescent = model::ridgePath(fit, model::Direction::Descent, center, radii);
        report.steepestAscent = model::steepestPath(fit, model::Direction::Ascent, center, radii);
    }
    report.fit = std::move(fit);
    return report;
}

namespace {

using model::Fit;

/// With more runs than this their residuals are only listed in the JSON.
constexpr std::size_t kMostRunsListed = 40;

void printTitle(const std::string& title)
{
    std::cout << '\n' << title << '\n';
}

std::string withAdvice(const std::string& sentence, const std::string& advice)
{
    return advice.empty() ? sentence : sentence + " → " + advice;
}

void printModel(const Fit& fit)
{
    std::cout << text::makeVisible(fit.response + (fit.unit.empty() ? "" : " (" + fit.unit + ")") + ": " +
                                   report::describeModel(fit))
              << " · " << text::formatCount(fit.n, "run") << " · "
              << text::formatCount(fit.dfResidual, "residual degree") << " of freedom\n";
}

/// What is not in order, each cause once and without the verdict's, and how many checks passed.
void printFindings(const FitReport& report)
{
    for (const report::Finding& finding : report::pickCauses(report.findings)) {
        if (finding.code != report.verdict.reason.code)
            std::cout << finding.topic << ": "
                      << text::makeVisible(withAdvice(finding.sentence, finding.advice)) << '\n';
    }
    const report::Finding last = report::foldPassed(report.findings).back();
    if (last.severity == report::Severity::Green)
        std::cout << last.sentence << '\n';
}

void printCard(const FitReport& report)
{
    printTitle("Report card");
    report::Table table{.columns = {{"", {}, report::ColumnKind::Text},
                                    {"topic", {}, report::ColumnKind::Text},
                                    {"finding", {}, report::ColumnKind::Text}}};
    for (const report::Finding& finding : report.findings)
        table.rows.push_back(
            {std::string(shownName(finding)), finding.topic, withAdvice(finding.sentence, finding.advice)});
    std::cout << renderTerminal(table);
}

void printSentences(const std::string& title, const std::vector<std::string>& sentences)
{
    printTitle(title);
    for (const std::string& sentence : sentences)
        std::cout << "  " << sentence << '\n';
}

void printCanonical(const model::Canonical& canonical, const std::vector<model::Interval>& eigenvalues)
{
    printTitle("Stationary point: " + std::string(nameOf(canonical.kind)) +
               (canonical.isNearRidge ? ", on a ridge" : "") +
               (canonical.isInsideRegion ? ", inside the region" : ", outside the region") + ", response " +
               text::formatNumber(canonical.response));
    std::cout << renderTerminal(report::makeStationaryTable(canonical, eigenvalues));
    std::cout << report::describeStationary(canonical, eigenvalues) << '\n';
}

void printEquation(const Fit& fit, bool isFull)
{
    printTitle("Equation");
    std::cout << "  " << text::makeVisible(report::writeEquation(fit)) << '\n';
    if (isFull)
        std::cout << "  " << text::makeVisible(report::describeEquation(fit)) << '\n';
}

void printCrossValidation(const FitReport& report)
{
    const model::CrossValidation& validation = *report.crossValidation;
    printTitle("Cross-validation in " + std::to_string(validation.folds) + " folds (seed " +
               std::to_string(validation.seed) + ")");
    if (!validation.error)
        std::cout << "  " << validation.message << '\n';
    else
        std::cout << "  error for runs left out " << text::formatNumber(*validation.error)
                  << (report.fit.unit.empty() ? "" : " " + report.fit.unit) << ", R² "
                  << formatCell(report::makeCell(validation.r2, report::Digits::Share)) << '\n';
}

void printPath(const std::string& title, const model::Path& path)
{
    printTitle(title);
    if (path.points.empty()) {
        std::cout << "  " << path.message << '\n';
        return;
    }
    std::cout << renderTerminal(report::makePathTable(path));
}

void printTables(const FitReport& report)
{
    const Fit& fit = report.fit;
    printCard(report);
    printSentences("What the analysis of variance says", report.anovaWords);
    printTable(report::makeFitTable(fit));
    printTable(report::makeOrderTable(report.orders));
    printTable(report::makeAnovaTable(fit));
    printTable(report::makeTermTable(fit));
    if (!fit.effectLimit.method.empty())
        printTable(report::makeEffectTable(fit));
    printTable(report::makeLevelTable(report.levels));
    printTable(report::makeResidualTestTable(fit));
    if (fit.diagnostics.size() <= kMostRunsListed)
        printTable(report::makeCaseTable(fit));
}

} // namespace

void printReport(const FitReport& report, const FitReportOptions& options)
{
    const Fit& fit = report.fit;
    printModel(fit);
    if (options.isFull && !fit.choice.empty())
        std::cout << fit.choice << '\n';
    std::cout << "Verdict: "
              << text::makeVisible(withAdvice(report.verdict.sentence, report.verdict.reason.advice)) << '\n';
    if (!options.isFull)
        printFindings(report);
    printSentences("What the coefficients say", report.coefficientWords);
    printTable(report::makeCoefficientTable(fit));
    printEquation(fit, options.isFull);
    if (options.isFull)
        printTables(report);
    if (report.speedUp && !report.speedUp->counts.empty())
        printTable(plan::makeSpeedUpTable(*report.speedUp));
    if (report.crossValidation)
        printCrossValidation(report);
    if (report.ridgeAscent) {
        if (report.canonical)
            printCanonical(*report.canonical, report.eigenvalueIntervals);
        printPath("Ridge of steepest ascent: the best setting on each sphere about the center",
                  *report.ridgeAscent);
        printPath("Ridge of steepest descent", *report.ridgeDescent);
        printPath("Steepest ascent: the straight line along the linear coefficients", *report.steepestAscent);
    }
    std::cout << '\n';
}

} // namespace quadric::app
