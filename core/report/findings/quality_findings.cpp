// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/regression.h"
#include "core/model/select/run_order_effects.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <set>

namespace quadric::report {

namespace {

using model::AnovaRow;
using text::formatPClause;

/// Appends what was found, if anything was.
void append(std::optional<Finding> finding, Findings& findings)
{
    if (finding)
        findings.push_back(std::move(*finding));
}

Finding withSeverity(Finding finding, Severity severity)
{
    finding.severity = severity;
    return finding;
}

bool hasSquares(const model::Fit& fit)
{
    return std::ranges::any_of(fit.terms, [](const model::Term& term) {
        return std::ranges::any_of(term.powers, [](int power) { return power > 1; });
    });
}

/// "A × B, A² and C".
std::string listTerms(std::vector<std::string> names)
{
    for (std::string& name : names)
        name = text::formatTerm(name, text::Typography::Typeset);
    return text::formatList(names);
}

/// Runs at equal settings in different blocks.
bool isRepeatedAcrossBlocks(const model::Fit& fit)
{
    if (!fit.data || fit.data->regression.blocks.empty())
        return false;
    model::Observations data = fit.data->observations;
    std::ranges::fill(data.blocks, 1);
    const std::vector<int> groups = model::replicateGroups(data, fit.factors);
    return std::set<int>(groups.begin(), groups.end()).size() < groups.size();
}

const Entry& significanceEntry(bool isSignificant, bool isChosen)
{
    if (isChosen)
        return isSignificant ? catalogue::kSignificantChoice : catalogue::kNoSignificantChoice;
    return isSignificant ? catalogue::kSignificantModel : catalogue::kNoSignificantModel;
}

/// As the table of the fit shows it.
std::string formatR2(double r2)
{
    return text::formatShare(r2, 3, text::Typography::Typeset);
}

/// Leaving one of so few runs out says more of the design than of new runs.
bool isLeveraged(const model::Fit& fit, double predicted)
{
    const bool isPoor = predicted < model::kPoorPrediction || *fit.r2 - predicted > model::kLargestR2Gap;
    return isPoor && fit.parameters >= model::kHighMeanLeverage * fit.n;
}

const Entry& predictionEntry(double r2, double predicted)
{
    if (predicted < 0)
        return catalogue::kWorseThanMean;
    if (r2 - predicted > model::kLargestR2Gap)
        return catalogue::kOverfitted;
    if (predicted < model::kPoorPrediction)
        return catalogue::kPredictsPoorly;
    return predicted < model::kGoodPrediction ? catalogue::kPredictsFairly : catalogue::kPredictsWell;
}

} // namespace

void addDegreesOfFreedom(const model::Fit& fit, Findings& findings)
{
    const Entry& entry = fit.dfResidual == 0                      ? catalogue::kNoResidualDf
                         : fit.dfResidual < model::kFewResidualDf ? catalogue::kFewResidualDf
                                                                  : catalogue::kResidualDf;
    findings.push_back(makeFinding(entry, {{"n", text::formatCount(fit.n, "run")},
                                           {"p", text::formatCount(fit.parameters, "coefficient")},
                                           {"df", text::formatCount(fit.dfResidual, "degree")}}));
}

std::optional<Finding> aliasFinding(const model::Fit& fit)
{
    if (fit.aliased.empty())
        return std::nullopt;
    return makeFinding(catalogue::kAliasedTerms, {{"terms", listTerms(fit.aliased)}});
}

void addTerms(const model::Fit& fit, Findings& findings)
{
    append(aliasFinding(fit), findings);
    std::vector<std::string> names;
    for (const model::Coefficient& row : fit.coefficients)
        if (row.vif && *row.vif > model::kLargestVif)
            names.push_back(row.term);
    if (!names.empty())
        findings.push_back(
            makeFinding(catalogue::kCollinearTerms,
                        {{"terms", listTerms(names)}, {"limit", text::formatExactly(model::kLargestVif)}}));
}

/// Nothing varies, or nothing is left for error.
std::optional<Finding> untestableFinding(const model::Fit& fit)
{
    if (!fit.r2)
        return makeFinding(catalogue::kConstantResponse);
    if (fit.dfResidual > 0 && fit.sigma == 0.0)
        return makeFinding(catalogue::kNoResidualError);
    return std::nullopt;
}

void addUntestable(const model::Fit& fit, Findings& findings)
{
    append(untestableFinding(fit), findings);
}

std::optional<Finding> significanceFinding(const model::Fit& fit)
{
    if (std::optional<Finding> untestable = untestableFinding(fit))
        return untestable;
    const std::optional<double> p = model::findModelP(fit);
    if (!p)
        return std::nullopt;
    return makeFinding(significanceEntry(*p < model::kSignificance, model::isChosen(fit)),
                       {{"p", formatPClause(*p)}, {"r2", text::formatPercent(*fit.r2)}});
}

void addSignificance(const model::Fit& fit, Findings& findings)
{
    append(significanceFinding(fit), findings);
}

void addPredictionOfProcess(const model::Fit& fit, Findings& findings)
{
    const double predicted = fit.r2Predicted.value_or(0.0);
    findings.push_back(makeFinding(
        predictionEntry(predicted, predicted),
        {{"predicted", formatR2(predicted)}, {"basis", std::string(catalogue::kLeaveSettingOut)}}));
}

void addPrediction(const model::Fit& fit, Findings& findings)
{
    if (fit.predictor)
        return addPredictionOfProcess(fit, findings);
    if (!fit.r2 || fit.dfResidual == 0)
        return;
    if (!fit.r2Predicted) {
        findings.push_back(makeFinding(catalogue::kUndefinedPrediction));
        return;
    }
    const double predicted = *fit.r2Predicted;
    if (isLeveraged(fit, predicted)) {
        findings.push_back(
            makeFinding(catalogue::kLeveragedPrediction,
                        {{"predicted", formatR2(predicted)},
                         {"r2", formatR2(*fit.r2)},
                         {"n", text::formatCount(fit.n, "run")},
                         {"p", text::formatCount(fit.parameters, "coefficient")},
                         {"leverage", text::formatDecimals(1.0 * fit.parameters / fit.n, 2)}}));
        return;
    }
    Finding finding =
        makeFinding(predictionEntry(*fit.r2, predicted),
                    {{"predicted", formatR2(predicted)},
                     {"r2", formatR2(*fit.r2)},
                     {"basis", std::string(model::isChosen(fit) ? catalogue::kLeaveOneOutOfChoice
                                                                : catalogue::kLeaveOneOut)}});
    if (predicted < model::kPoorPrediction)
        finding.severity = Severity::Red;
    findings.push_back(std::move(finding));
}

void addPrecision(const model::Fit& fit, Findings& findings)
{
    if (fit.adequatePrecision && *fit.adequatePrecision < model::kAdequatePrecision)
        findings.push_back(makeFinding(catalogue::kLowPrecision,
                                       {{"precision", text::formatBriefly(*fit.adequatePrecision)},
                                        {"limit", text::formatExactly(model::kAdequatePrecision)}}));
}

void addModeledCurvature(const model::Fit& fit, Findings& findings)
{
    const AnovaRow* cubic = model::rowOf(fit, "Cubic");
    const bool isCubic = cubic != nullptr && cubic->p && *cubic->p < model::kSignificance;
    const AnovaRow* row = isCubic ? cubic : model::rowOf(fit, "Quadratic");
    if (!hasSquares(fit) || row == nullptr || !row->p)
        return;
    const bool isCurved = *row->p < model::kSignificance;
    findings.push_back(
        makeFinding(isCurved ? catalogue::kModeledCurvature : catalogue::kIdleSquares,
                    {{"p", formatPClause(*row->p)}, {"terms", isCubic ? "cubic" : "squared"}}));
}

void addCenterCurvature(const model::Fit& fit, Findings& findings)
{
    const std::optional<model::CurvatureTest> test = model::curvatureTest(fit);
    if (!test || !test->p)
        return;
    const bool isCurved = *test->p < model::kSignificance;
    findings.push_back(withSeverity(makeFinding(isCurved ? catalogue::kCurvature : catalogue::kNoCurvature,
                                                {{"p", formatPClause(*test->p)}}),
                                    judgeP(*test->p)));
}

std::optional<Finding> lackOfFitFinding(const model::Fit& fit)
{
    if (!fit.r2 || fit.dfResidual == 0)
        return std::nullopt;
    const AnovaRow* pure = model::rowOf(fit, "Pure error");
    const AnovaRow* lack = model::rowOf(fit, "Lack of fit");
    const bool areCopies = fit.data != nullptr && fit.data->observations.copies.areAllReplicates;
    if (pure == nullptr && !areCopies)
        return makeFinding(isRepeatedAcrossBlocks(fit) ? catalogue::kNoReplicatesInBlocks
                                                       : catalogue::kNoReplicates);
    if (pure == nullptr || pure->ss <= 0)
        return makeFinding(catalogue::kEqualReplicates);
    if (lack == nullptr || !lack->p)
        return std::nullopt;
    const double power =
        model::computeTestPower(lack->df, pure->df, lack->df * (model::kSeenLackOfFit - 1.0));
    const bool isFound = *lack->p < model::kSignificance;
    const Entry& entry = isFound                        ? catalogue::kLackOfFit
                         : power < model::kTellingPower ? catalogue::kUncertainLackOfFit
                                                        : catalogue::kNoLackOfFit;
    Finding finding = makeFinding(entry, {{"p", formatPClause(*lack->p)},
                                          {"df", std::to_string(pure->df) + " df"},
                                          {"size", text::formatExactly(model::kSeenLackOfFit)},
                                          {"power", text::formatPower(power)}});
    return isFound ? withSeverity(std::move(finding), judgeP(*lack->p)) : finding;
}

void addLackOfFit(const model::Fit& fit, Findings& findings)
{
    append(lackOfFitFinding(fit), findings);
}

} // namespace quadric::report
