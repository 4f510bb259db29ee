// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/cholesky.h"
#include "core/algebra/symmetric_eigen.h"
#include "core/design/evaluate/aliasing.h"
#include "core/design/generate/fraction.h"

#include <algorithm>
#include <cmath>

namespace quadric::design {

namespace {

/// p / (n · value): the average (A) or largest (G) variance against the least possible.
double efficiency(const Information& information, double value)
{
    return 100.0 * static_cast<double>(information.p()) / (static_cast<double>(information.n()) * value);
}

double conditionOf(const Eigen::MatrixXd& x)
{
    const Eigen::VectorXd singular = algebra::singularValues(x);
    return singular[0] / singular[singular.size() - 1];
}

/// Variance of a coefficient against the one that it would have if its column were orthogonal to all others.
std::vector<std::pair<std::string, double>> varianceInflation(const Information& information)
{
    std::vector<std::pair<std::string, double>> factors;
    for (Eigen::Index i = 0; i < information.p(); ++i) {
        const model::Column& column = information.columns[static_cast<std::size_t>(i)];
        const Eigen::ArrayXd values = information.x.col(i);
        const double spread = (values - values.mean()).square().sum();
        if (!column.term.isIntercept())
            factors.emplace_back(column.name, information.covariance(i, i) * spread);
    }
    return factors;
}

std::vector<LeverageRow> leverageRows(const Information& information)
{
    std::vector<LeverageRow> rows;
    for (std::size_t i = 0; i < information.runs.size(); ++i)
        rows.push_back({information.runs[i]->id, information.leverage[static_cast<Eigen::Index>(i)]});
    std::sort(rows.begin(), rows.end(),
              [](const LeverageRow& a, const LeverageRow& b) { return a.run < b.run; });
    return rows;
}

/// The regular two-level fraction that the runs are, where they are one; axial runs break its aliases.
std::optional<Fraction> regularFraction(const study::Study& study)
{
    const bool hasAxial = std::any_of(study.runs.begin(), study.runs.end(), [](const study::Run& run) {
        return run.kind == study::RunKind::Axial;
    });
    std::optional<Fraction> fraction = hasAxial ? std::nullopt : fractionOf(study);
    return fraction && fraction->resolution > 0 ? fraction : std::nullopt;
}

/// Defining relation, resolution and chains of a regular fraction; else the terms with equal columns.
void addAliases(const study::Study& study, const Information& information, Evaluation& result)
{
    const std::optional<Fraction> fraction = regularFraction(study);
    if (!fraction) {
        result.aliases = equalColumns(information);
        return;
    }
    result.resolution = fraction->resolution;
    for (const Word& word : fraction->definingWords)
        result.definingRelation.push_back(nameOf(word, study.factors));
    for (const AliasChain& chain : fraction->aliasChains()) {
        std::vector<std::string>& names = result.aliases.emplace_back();
        for (const Word& effect : chain)
            names.push_back(nameOf(effect, study.factors));
    }
}

void addLeftOut(const study::Study& study, const Information& information, Evaluation& result)
{
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Failed || run.status == study::RunStatus::Excluded)
            result.runsLeftOut.push_back(run.id);
    }
    for (const model::Column& column : information.leftOut)
        result.termsLeftOut.push_back(column.name);
}

} // namespace

std::vector<OutsideRange> findOutsideRange(const study::Study& study)
{
    std::vector<OutsideRange> found;
    for (const study::Factor& factor : study.factors) {
        OutsideRange outside{factor, {}};
        for (const study::Run& run : study.runs) {
            const auto value = run.settings.find(factor.name);
            if (value == run.settings.end() || run.kind == study::RunKind::Axial || !factor.isNumeric())
                continue;
            const double number = study::numberOf(value->second);
            if (number < factor.low || number > factor.high)
                outside.runs.push_back(run.id);
        }
        if (!outside.runs.empty())
            found.push_back(std::move(outside));
    }
    return found;
}

double dEfficiencyOf(const Information& information)
{
    const double logDeterminant = -algebra::Cholesky(information.covariance).logDeterminant();
    return 100.0 * std::exp(logDeterminant / static_cast<double>(information.p())) /
           static_cast<double>(information.n());
}

namespace {

/// Points of the region times squared coefficients: the variance at all of them takes about a second. Models
/// of up to 223 coefficients get as many points as are asked for.
constexpr double kMostSpaceWork = 5e9;

int pointsFor(const Information& information, int wanted)
{
    const auto p = static_cast<double>(information.p());
    return static_cast<int>(std::min(static_cast<double>(wanted), kMostSpaceWork / (p * p)));
}

} // namespace

Evaluation evaluate(const study::Study& study, std::string_view model, const EvaluateOptions& options)
{
    const Information information = informationOf(study, model);
    const DesignSpace space =
        designSpaceOf(study, pointsFor(information, options.designSpacePoints), options.designSpaceSeed);
    const RegionVariance variance = regionVariance(information, space);
    Evaluation result;
    result.runs = static_cast<int>(information.n());
    result.model = model;
    result.dfModel = static_cast<int>(information.p()) - 1;
    result.dfBlocks = static_cast<int>(information.blocks.cols());
    result.dfPureError = std::min(pureErrorDf(information), information.dfResidual());
    result.dfLackOfFit = information.dfResidual() - result.dfPureError;
    result.dEfficiency = dEfficiencyOf(information);
    result.aEfficiency = efficiency(information, information.covariance.trace());
    result.gEfficiency = efficiency(information, variance.largest);
    result.iValue = variance.average;
    result.condition = conditionOf(information.x);
    result.maxLeverage = information.leverage.maxCoeff();
    result.vif = varianceInflation(information);
    result.leverage = leverageRows(information);
    result.power = powerOf(information, options.effectSd);
    result.region = space.sentence;
    result.regionShare = space.share;
    result.fds = variance.curve;
    result.correlation = correlationOf(information);
    result.aliasMatrix = aliasMatrixOf(information);
    addAliases(study, information, result);
    result.legal = legalReport(study, model);
    result.checks = checksOf(study, information);
    result.outside = findOutsideRange(study);
    addLeftOut(study, information, result);
    return result;
}

} // namespace quadric::design
