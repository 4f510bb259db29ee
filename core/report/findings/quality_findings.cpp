// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/base/thresholds.h"
#include "core/model/fit/diagnostics.h"
#include "core/model/fit/regression.h"
#include "core/model/select/center_runs.h"
#include "core/model/select/cross_validation.h"
#include "core/report/catalogue/fit_sentences.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace quadric::report {

namespace {

using model::AnovaRow;
using text::formatPClause;

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

/// As the table of the fit shows it.
std::string formatR2(double r2)
{
    return text::formatShare(r2, 3, text::Typography::Typeset);
}

/// Leaving one of so few runs out says more of the design than of new runs.
bool isLeveraged(const model::Fit& fit, double predicted)
{
    return predicted < model::kPoorPrediction && fit.parameters >= model::kHighMeanLeverage * fit.n;
}

const Entry& predictionEntry(double predicted)
{
    if (predicted < 0)
        return catalogue::kWorseThanMean;
    if (predicted < model::kPoorPrediction)
        return catalogue::kPredictsPoorly;
    return predicted < model::kGoodPrediction ? catalogue::kPredictsFairly : catalogue::kPredictsWell;
}

bool isPredictedWell(const model::Fit& fit)
{
    return fit.r2Predicted && *fit.r2Predicted >= model::kGoodPrediction;
}

/// The error for settings left out as a clause with "{error}" and "{share}" of the range of the results;
/// empty where it is not known.
std::string errorClause(const model::Fit& fit, std::string_view pattern)
{
    const std::optional<double> error =
        fit.data == nullptr ? std::nullopt : model::crossValidate(fit, 0).error;
    const double range = fit.largestObserved - fit.smallestObserved;
    if (!error || range <= 0.0)
        return {};
    return fill(pattern,
                {{"error", text::formatBriefly(*error, 2) + (fit.unit.empty() ? "" : " " + fit.unit)},
                 {"share", text::formatPercent(*error / range)}});
}

/// A square of a factor that the runs have at two levels could not be estimated by any of them.
bool isImpossibleSquare(const model::Fit& fit, const std::string& name)
{
    for (std::size_t i = 0; i < fit.factors.size() && fit.data != nullptr; ++i) {
        if (name != fit.factors[i].name + "^2")
            continue;
        std::set<double> levels;
        for (const study::CodedPoint& point : fit.data->observations.points)
            levels.insert(point[static_cast<Eigen::Index>(i)]);
        return levels.size() < 3;
    }
    return false;
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

/// What is significant and yet too small to matter asks for nothing.
void markHarmless(Finding& finding)
{
    finding.severity = Severity::Green;
    finding.advice.clear();
}

} // namespace

std::optional<Finding> checkDegreesOfFreedom(const model::Fit& fit)
{
    const Entry& entry = fit.dfResidual == 0                      ? catalogue::kNoResidualDf
                         : fit.dfResidual < model::kFewResidualDf ? catalogue::kFewResidualDf
                                                                  : catalogue::kResidualDf;
    return makeFinding(entry, {{"n", text::formatCount(fit.n, "run")},
                               {"p", text::formatCount(fit.parameters, "coefficient")},
                               {"df", text::formatCount(fit.dfResidual, "degree")}});
}

std::optional<Finding> checkAliases(const model::Fit& fit)
{
    std::vector<std::string> terms = fit.aliased;
    std::erase_if(terms, [&](const std::string& name) { return isImpossibleSquare(fit, name); });
    if (terms.empty())
        return std::nullopt;
    return makeFinding(catalogue::kAliasedTerms, {{"terms", listTerms(std::move(terms))}});
}

std::optional<Finding> checkCollinearity(const model::Fit& fit)
{
    std::vector<std::string> names;
    for (const model::Coefficient& row : fit.coefficients)
        if (row.vif && *row.vif > model::kLargestVif)
            names.push_back(row.term);
    if (names.empty())
        return std::nullopt;
    return makeFinding(catalogue::kCollinearTerms,
                       {{"terms", listTerms(names)}, {"limit", text::formatExactly(model::kLargestVif)}});
}

std::optional<Finding> checkSignificance(const model::Fit& fit)
{
    if (std::optional<Finding> untestable = untestableFinding(fit))
        return untestable;
    const std::optional<double> p = model::findModelP(fit);
    if (!p)
        return std::nullopt;
    const bool isChosen = model::isChosen(fit);
    return makeFinding(*p < model::kSignificance ? catalogue::kSignificantModel
                                                 : catalogue::kNoSignificantModel,
                       {{"chosen", std::string(isChosen ? catalogue::kChosenModel : "")},
                        {"after", std::string(isChosen ? catalogue::kAfterChoice : "")},
                        {"p", formatPClause(*p)},
                        {"r2", text::formatPercent(*fit.r2)}});
}

std::optional<Finding> checkPrediction(const model::Fit& fit)
{
    if (!fit.r2 || fit.dfResidual == 0)
        return std::nullopt;
    if (!fit.r2Predicted)
        return makeFinding(catalogue::kUndefinedPrediction);
    const double predicted = *fit.r2Predicted;
    if (isLeveraged(fit, predicted))
        return makeFinding(catalogue::kLeveragedPrediction,
                           {{"n", text::formatCount(fit.n, "run")},
                            {"p", text::formatCount(fit.parameters, "coefficient")},
                            {"leverage", text::formatDecimals(1.0 * fit.parameters / fit.n, 2)}});
    const std::string_view basis =
        model::isChosen(fit) ? catalogue::kLeaveOneOutOfChoice : catalogue::kLeaveOneOut;
    return makeFinding(predictionEntry(predicted), {{"predicted", formatR2(predicted)},
                                                    {"basis", std::string(basis)},
                                                    {"error", errorClause(fit, catalogue::kErrorLeftOut)}});
}

std::optional<Finding> checkCenterCurvature(const model::Fit& fit)
{
    const std::optional<model::CurvatureTest> test = model::curvatureTest(fit);
    if (!test || !test->p)
        return std::nullopt;
    const Eigen::VectorXd& z = fit.data->observations.z;
    const double share = std::abs(test->difference) / (z.maxCoeff() - z.minCoeff());
    const bool isCurved = *test->p < model::kSignificance;
    Finding finding = makeFinding(isCurved ? catalogue::kCurvature : catalogue::kNoCurvature,
                                  {{"p", formatPClause(*test->p)}, {"share", text::formatPercent(share)}});
    finding.severity = findSeverity(*test->p);
    if (share < model::kSmallCurvature)
        markHarmless(finding);
    return finding;
}

std::optional<Finding> checkLackOfFit(const model::Fit& fit)
{
    if (!fit.r2 || fit.dfResidual == 0)
        return std::nullopt;
    const AnovaRow* pure = model::rowOf(fit, "Pure error");
    const AnovaRow* lack = model::rowOf(fit, "Lack of fit");
    const bool areCopies = fit.data != nullptr && fit.data->observations.copies.areAllReplicates;
    if (pure == nullptr && !areCopies)
        return makeFinding(
            catalogue::kNoReplicates,
            {{"blocks", std::string(isRepeatedAcrossBlocks(fit) ? catalogue::kWithinBlocks : "")}});
    if (pure == nullptr || pure->ss <= 0)
        return makeFinding(catalogue::kEqualReplicates);
    if (lack == nullptr || !lack->p)
        return std::nullopt;
    const bool isLacking = *lack->p < model::kSignificance;
    Finding finding =
        makeFinding(isLacking ? catalogue::kLackOfFit : catalogue::kNoLackOfFit,
                    {{"p", formatPClause(*lack->p)},
                     {"df", std::to_string(pure->df) + " df"},
                     {"error", isLacking ? errorClause(fit, catalogue::kErrorOfRange) : std::string()}});
    if (isPredictedWell(fit))
        markHarmless(finding);
    return finding;
}

} // namespace quadric::report
