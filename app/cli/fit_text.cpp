// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/fit_report.h"
#include "app/cli/text_table.h"

#include <cmath>
#include <iostream>

namespace quadric::app {

namespace {

using model::Fit;

/// With more runs than this their residuals are only listed in the JSON.
constexpr std::size_t kMostRunsListed = 40;

std::string pText(const std::optional<double>& p)
{
    return p ? probabilityText(p) : std::string();
}

void printTitle(const std::string& title)
{
    std::cout << '\n' << title << '\n';
}

void printQuality(const Fit& fit)
{
    std::cout << fit.response << (fit.unit.empty() ? "" : " (" + fit.unit + ")") << ": model " << fit.model
              << ", " << fit.n << " runs, " << fit.dfResidual << " residual degrees of freedom";
    if (fit.transform.kind != study::TransformKind::None)
        std::cout << ", " << study::nameOf(fit.transform) << " of the response";
    std::cout << "\nR² " << numberText(fit.r2, 4) << ", adjusted " << numberText(fit.r2Adjusted, 4)
              << ", predicted " << numberText(fit.r2Predicted, 4);
    if (fit.dfResidual > 0)
        std::cout << "; residual standard deviation " << numberText(fit.sigma, 4);
    if (fit.adequatePrecision)
        std::cout << "; adequate precision " << numberText(*fit.adequatePrecision, 3);
    if (fit.aicc)
        std::cout << "; AICc " << numberText(*fit.aicc, 5);
    std::cout << '\n';
    if (!fit.choice.empty())
        std::cout << fit.choice << '\n';
}

void printCard(const FitReport& report)
{
    printTitle("Report card");
    TextTable table({"", "topic", "finding"});
    for (const report::Finding& finding : report.findings)
        table.addRow({std::string(shownName(finding.severity)), finding.topic,
                      finding.sentence + (finding.advice.empty() ? "" : " → " + finding.advice)});
    table.print(std::cout);
}

void printSentences(const std::string& title, const std::vector<std::string>& sentences)
{
    printTitle(title);
    for (const std::string& sentence : sentences)
        std::cout << "  " << sentence << '\n';
}

void printOrders(const model::ModelSummary& summary)
{
    printTitle("Orders of the model: " + summary.message);
    TextTable table({"order", "coefficients", "sequential p", "lack of fit p", "R² adjusted", "R² predicted",
                     "AICc", ""});
    for (const model::OrderSummary& row : summary.orders) {
        std::string note = row.isSuggested ? "suggested" : "";
        if (!row.aliased.empty())
            note += (note.empty() ? "" : ", ") + std::string("not all terms can be estimated");
        table.addRow({row.name, std::to_string(row.parameters), pText(row.sequentialP), pText(row.lackOfFitP),
                      numberText(row.r2Adjusted, 4), numberText(row.r2Predicted, 4), numberText(row.aicc, 5),
                      note});
    }
    table.print(std::cout);
}

void printAnova(const Fit& fit)
{
    printTitle("Analysis of variance (groups of terms in their order, then each term given all others)");
    TextTable table({"source", "df", "sum of squares", "mean square", "F", "p", "contribution %"});
    for (const model::AnovaRow& row : fit.anova)
        table.addRow({row.source, static_cast<double>(row.df), numberText(row.ss), numberText(row.ms),
                      numberText(row.f, 4), pText(row.p), std::string()});
    for (const model::AnovaRow& row : fit.termRows)
        table.addRow({"  " + row.source, static_cast<double>(row.df), numberText(row.ss), numberText(row.ms),
                      numberText(row.f, 4), pText(row.p), numberText(row.contribution, 3)});
    table.print(std::cout);
}

std::string boundsText(const model::Coefficient& coefficient)
{
    return coefficient.low && coefficient.high
               ? numberText(*coefficient.low, 4) + " … " + numberText(*coefficient.high, 4)
               : "–";
}

void printCoefficients(const Fit& fit)
{
    printTitle("Coefficients (coded units: −1 is low, +1 is high)");
    TextTable table({"term", "estimate", "std. error", "t", "p",
                     numberText(100.0 * fit.confidence, 4) + " % interval", "VIF"});
    for (const model::Coefficient& c : fit.coefficients) {
        table.addRow({c.term, numberText(c.estimate), numberText(c.se, 4), numberText(c.t, 4),
                      probabilityText(c.p), boundsText(c), numberText(c.vif, 3)});
    }
    table.print(std::cout);
}

void printImportance(const Fit& fit)
{
    printTitle("Importance of the factors (share of the fitted response's variation over the region)");
    TextTable table({"factor", "alone", "with its interactions"});
    for (const model::Importance& row : fit.importance)
        table.addRow({row.factor, numberText(row.main, 3), numberText(row.total, 3)});
    table.print(std::cout);
}

/// Effects that stand out where nothing is left for error.
void printLenth(const Fit& fit)
{
    if (fit.effectLimit.method != "lenth")
        return;
    printTitle("Effects against Lenth's margin of error " + numberText(fit.effectLimit.value, 4) +
               " (simultaneous " + numberText(fit.effectLimit.sme, 4) + ")");
    TextTable table({"term", "effect", ""});
    for (const model::Effect& effect : fit.effects)
        table.addRow(
            {effect.term, numberText(effect.effect),
             std::abs(effect.effect) > fit.effectLimit.value ? std::string("stands out") : std::string()});
    table.print(std::cout);
}

void printCanonical(const model::Canonical& canonical)
{
    printTitle("Stationary point: " + std::string(nameOf(canonical.kind)) +
               (canonical.isNearRidge ? ", on a ridge" : "") +
               (canonical.isInsideRegion ? ", inside the region" : ", outside the region") + ", response " +
               numberText(canonical.response));
    TextTable table({"factor", "value", "coded", "eigenvalue"});
    for (std::size_t i = 0; i < canonical.factors.size(); ++i) {
        const auto row = static_cast<Eigen::Index>(i);
        table.addRow({canonical.factors[i], numberText(canonical.actual[i]),
                      numberText(canonical.point[row], 4), numberText(canonical.eigenvalues[row], 4)});
    }
    table.print(std::cout);
}

void printScales(const FitReport& report)
{
    printTitle("Scales");
    if (report.boxCox) {
        const auto end = [](const std::optional<double>& value, const char* open) {
            return value ? numberText(*value, 3) : std::string(open);
        };
        std::cout << "  Box–Cox power of the response " << numberText(report.boxCox->lambda, 3)
                  << " (95 % interval " << end(report.boxCox->low, "below −5") << " … "
                  << end(report.boxCox->high, "above 5") << "): " << study::nameOf(report.boxCox->recommended)
                  << '\n';
    }
    std::cout << "  " << report.recommendation.message << '\n';
}

void printChecks(const Fit& fit)
{
    const model::ResidualChecks& checks = fit.residualChecks;
    if (!checks.durbinWatson)
        return;
    printTitle("Residuals");
    std::cout << "  Durbin–Watson " << numberText(checks.durbinWatson, 4) << " (p "
              << probabilityText(checks.durbinWatsonP) << ")";
    if (checks.driftP)
        std::cout << "; drift " << numberText(checks.driftSlope, 4) << " a run (p "
                  << probabilityText(checks.driftP) << ")";
    if (checks.shapiroWilk)
        std::cout << "; Shapiro–Wilk " << numberText(checks.shapiroWilk, 4) << " (p "
                  << probabilityText(checks.normalityP) << ")";
    std::cout << '\n';
}

void printDiagnostics(const Fit& fit)
{
    if (fit.diagnostics.size() > kMostRunsListed)
        return;
    TextTable table({"run", "order", "observed", "fitted", "residual", "leverage", "studentised", "deleted",
                     "Cook", "DFFITS"});
    for (const model::Diagnostic& d : fit.diagnostics)
        table.addRow({static_cast<double>(d.run), static_cast<double>(d.order), numberText(d.observed),
                      numberText(d.fitted), numberText(d.residual, 4), numberText(d.leverage, 3),
                      numberText(d.internallyStudentized, 3), numberText(d.externallyStudentized, 3),
                      numberText(d.cooksDistance, 3), numberText(d.dffits, 3)});
    table.print(std::cout);
}

void printCrossValidation(const FitReport& report)
{
    const model::CrossValidation& validation = *report.crossValidation;
    printTitle("Cross-validation in " + std::to_string(validation.folds) + " folds (seed " +
               std::to_string(validation.seed) + ")");
    if (!validation.error)
        std::cout << "  " << validation.message << '\n';
    else
        std::cout << "  error for runs left out " << numberText(validation.error, 4)
                  << (report.fit.unit.empty() ? "" : " " + report.fit.unit) << ", R² "
                  << numberText(validation.r2, 4) << '\n';
}

void printPath(const std::string& title, const model::Path& path)
{
    printTitle(title);
    if (path.points.empty()) {
        std::cout << "  " << path.message << '\n';
        return;
    }
    std::vector<std::string> headings{"radius"};
    headings.insert(headings.end(), path.factors.begin(), path.factors.end());
    headings.insert(headings.end(), {"predicted", "std. error", ""});
    TextTable table(headings);
    for (const model::PathPoint& point : path.points) {
        std::vector<TextTable::Cell> cells{numberText(point.distance, 3)};
        for (const double value : point.actual)
            cells.emplace_back(numberText(value));
        cells.emplace_back(numberText(point.prediction.mean));
        cells.emplace_back(numberText(point.prediction.se, 4));
        cells.emplace_back(std::string(point.prediction.isExtrapolation ? "extrapolated" : ""));
        table.addRow(cells);
    }
    table.print(std::cout);
}

} // namespace

void printReport(const FitReport& report)
{
    const Fit& fit = report.fit;
    printQuality(fit);
    std::cout << "Verdict: " << report.verdict.sentence << '\n';
    printCard(report);
    printSentences("What the analysis of variance says", report.anovaWords);
    printSentences("What the coefficients say", report.coefficientWords);
    printOrders(report.orders);
    printAnova(fit);
    printCoefficients(fit);
    printLenth(fit);
    printImportance(fit);
    if (report.canonical)
        printCanonical(*report.canonical);
    printScales(report);
    printChecks(fit);
    printDiagnostics(fit);
    if (report.crossValidation)
        printCrossValidation(report);
    if (report.ridgeAscent) {
        printPath("Ridge of steepest ascent: the best setting on each sphere about the centre",
                  *report.ridgeAscent);
        printPath("Ridge of steepest descent", *report.ridgeDescent);
        printPath("Steepest ascent: the straight line along the linear coefficients", *report.steepestAscent);
    }
    std::cout << '\n';
}

} // namespace quadric::app
