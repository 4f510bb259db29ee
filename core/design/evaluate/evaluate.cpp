// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/factorizations.h"
#include "core/design/base/information.h"
#include "core/design/evaluate/aliasing.h"
#include "core/design/generate/fraction.h"
#include "core/model/base/distributions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

/// Points of the region times squared coefficients: the variance at all of them takes about a second. Models
/// of up to 223 coefficients get as many points as are asked for.
constexpr double kMostSpaceWork = 5e9;

int pointsFor(const Information& information, int wanted)
{
    const auto p = static_cast<double>(information.p());
    return static_cast<int>(std::min(static_cast<double>(wanted), kMostSpaceWork / (p * p)));
}

/// Coefficient of a term whose values change the response by `effect` over the cube.
double coefficientForEffect(const model::Term& term, double effect)
{
    const bool isEven =
        std::all_of(term.powers.begin(), term.powers.end(), [](int power) { return power % 2 == 0; });
    return isEven ? effect : effect / 2.0;
}

/// The least over the pairs of levels of a categorical term that differ by the effect, the other levels
/// between them: one coefficient is the effect's, or one is and another is its negative.
double noncentrality(const Eigen::MatrixXd& covariance, double coefficient)
{
    const Eigen::MatrixXd weights = algebra::Cholesky(covariance).inverse();
    double smallest = weights.diagonal().minCoeff();
    for (Eigen::Index i = 0; i < weights.rows(); ++i)
        for (Eigen::Index j = 0; j < i; ++j)
            smallest = std::min(smallest, weights(i, i) + weights(j, j) - 2.0 * weights(i, j));
    return coefficient * coefficient * smallest;
}

/// Grid points of the cube that are looked at for the largest variance, at most.
constexpr double kMostGridPoints = 20000.0;

constexpr int kCurvePoints = 101;

/// Points that climb to the largest variance near them, and the levels at which a factor is tried.
constexpr Eigen::Index kClimbers = 5;
constexpr Eigen::Index kClimbLevels = 21;

/// Levels of all factors times squared coefficients times climbers: a second at the most.
constexpr double kMostClimbWork = 1e9;

std::vector<double> levelsOf(const study::Factor& factor, const std::vector<double>& numeric)
{
    if (factor.isNumeric())
        return numeric;
    std::vector<double> levels(factor.categories.size());
    std::iota(levels.begin(), levels.end(), 0.0);
    return levels;
}

/// All combinations of levels, as many for each factor as stay below the limit; no rows where even two are
/// too many.
Eigen::MatrixXd gridOf(const std::vector<study::Factor>& factors)
{
    static const std::vector<std::vector<double>> kLevels = {
        {-1.0, -0.5, 0.0, 0.5, 1.0}, {-1.0, 0.0, 1.0}, {-1.0, 1.0}};
    const auto columns = static_cast<Eigen::Index>(factors.size());
    for (const std::vector<double>& numeric : kLevels) {
        double points = 1.0;
        for (const study::Factor& factor : factors)
            points *= static_cast<double>(levelsOf(factor, numeric).size());
        if (points > kMostGridPoints)
            continue;
        Eigen::MatrixXd grid(static_cast<Eigen::Index>(points), columns);
        Eigen::Index repeat = 1;
        for (Eigen::Index i = 0; i < columns; ++i) {
            const std::vector<double> levels = levelsOf(factors[static_cast<std::size_t>(i)], numeric);
            const auto count = static_cast<Eigen::Index>(levels.size());
            for (Eigen::Index row = 0; row < grid.rows(); ++row)
                grid(row, i) = levels[static_cast<std::size_t>(row / repeat % count)];
            repeat *= count;
        }
        return grid;
    }
    return Eigen::MatrixXd(0, columns);
}

/// The largest variance that changing one factor after another reaches from `point`.
double climb(const PredictionVariance& variance, const std::vector<study::Factor>& factors,
             Eigen::RowVectorXd point, double reached)
{
    std::vector<double> numeric;
    for (Eigen::Index level = 0; level < kClimbLevels; ++level)
        numeric.push_back(-1.0 + 2.0 * static_cast<double>(level) / static_cast<double>(kClimbLevels - 1));
    Eigen::MatrixXd tried; // the point, once for each level of one factor
    for (bool isHigher = true; isHigher;) {
        isHigher = false;
        for (Eigen::Index i = 0; i < point.size(); ++i) {
            const std::vector<double> levels = levelsOf(factors[static_cast<std::size_t>(i)], numeric);
            const auto count = static_cast<Eigen::Index>(levels.size());
            if (tried.rows() != count)
                tried = point.replicate(count, 1);
            tried.col(i) = Eigen::Map<const Eigen::VectorXd>(levels.data(), count);
            Eigen::Index best = 0;
            const double highest = variance.at(tried).maxCoeff(&best);
            if (highest > reached * (1.0 + 1e-12)) {
                reached = highest;
                point[i] = tried(best, i);
                isHigher = true;
            }
            tried.col(i).setConstant(point[i]);
        }
    }
    return reached;
}

/// Fewer for large models, none for the largest.
Eigen::Index climbersFor(const Information& information)
{
    const auto p = static_cast<double>(information.p());
    double levels = 0.0;
    for (const study::Factor& factor : information.factors)
        levels += static_cast<double>(factor.isNumeric() ? kClimbLevels : std::ssize(factor.categories));
    return std::min(kClimbers, static_cast<Eigen::Index>(kMostClimbWork / (levels * p * p)));
}

/// Where the points have their largest variances, and how large they are after climbing.
double climbFromBest(const PredictionVariance& variance, const Information& information,
                     const Eigen::MatrixXd& points, const Eigen::VectorXd& values)
{
    if (values.size() == 0)
        return 0.0;
    std::vector<Eigen::Index> order(static_cast<std::size_t>(values.size()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    const auto best = order.begin() + std::min(climbersFor(information), values.size());
    std::partial_sort(order.begin(), best, order.end(),
                      [&](Eigen::Index a, Eigen::Index b) { return values[a] > values[b]; });
    double largest = values.maxCoeff();
    std::for_each(order.begin(), best, [&](Eigen::Index i) {
        largest = std::max(largest, climb(variance, information.factors, points.row(i), values[i]));
    });
    return largest;
}

std::vector<FdsPoint> makeFdsCurve(Eigen::VectorXd values)
{
    std::vector<FdsPoint> curve;
    if (values.size() == 0)
        return curve;
    std::sort(values.begin(), values.end());
    for (int i = 0; i < kCurvePoints; ++i) {
        const double fraction = static_cast<double>(i) / (kCurvePoints - 1);
        const auto rank =
            static_cast<Eigen::Index>(std::lround(fraction * static_cast<double>(values.size() - 1)));
        curve.push_back({fraction, std::sqrt(values[rank])});
    }
    return curve;
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

double computeDEfficiency(const Information& information)
{
    const double logDeterminant = -algebra::Cholesky(information.covariance).logDeterminant();
    return 100.0 * std::exp(logDeterminant / static_cast<double>(information.p())) /
           static_cast<double>(information.n());
}

Evaluation evaluate(const study::Study& study, std::string_view model, const EvaluateOptions& options)
{
    const Information information = computeInformation(study, model);
    const DesignSpace space =
        sampleDesignSpace(study, pointsFor(information, options.designSpacePoints), options.designSpaceSeed);
    const RegionVariance variance = regionVariance(information, space);
    Evaluation result;
    result.runs = static_cast<int>(information.n());
    result.model = model;
    result.dfModel = static_cast<int>(information.p()) - 1;
    result.dfBlocks = static_cast<int>(information.blocks.cols());
    result.dfPureError = std::min(pureErrorDf(information), information.dfResidual());
    result.dfLackOfFit = information.dfResidual() - result.dfPureError;
    result.dEfficiency = computeDEfficiency(information);
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
    result.correlation = computeTermCorrelations(information);
    result.aliasMatrix = computeAliasMatrix(information);
    addAliases(study, information, result);
    result.legal = legalReport(study, model);
    result.checks = runDesignChecks(study, information);
    result.outside = findOutsideRange(study);
    addLeftOut(study, information, result);
    return result;
}

std::vector<PowerRow> powerOf(const Information& information, double effectSd)
{
    std::vector<PowerRow> rows;
    if (information.dfResidual() < 1)
        return rows;
    for (Eigen::Index first = 0; first < information.p();) {
        const model::Term& term = information.columns[static_cast<std::size_t>(first)].term;
        Eigen::Index size = 1;
        while (first + size < information.p() &&
               information.columns[static_cast<std::size_t>(first + size)].term == term)
            ++size;
        if (!term.isIntercept()) {
            const double lambda = noncentrality(information.covariance.block(first, first, size, size),
                                                coefficientForEffect(term, effectSd));
            rows.push_back(
                {model::nameOf(term, information.factors), effectSd,
                 model::computeTestPower(static_cast<int>(size), information.dfResidual(), lambda)});
        }
        first += size;
    }
    return rows;
}

RegionVariance regionVariance(const Information& information, const DesignSpace& space)
{
    const PredictionVariance variance(information.columns, information.factors, information.covariance);
    Eigen::MatrixXd runs(information.n(), static_cast<Eigen::Index>(information.factors.size()));
    for (Eigen::Index i = 0; i < runs.rows(); ++i)
        runs.row(i) = information.points[static_cast<std::size_t>(i)].x;
    const Eigen::VectorXd values = variance.at(space.points);

    RegionVariance result;
    result.largest = variance.at(runs).maxCoeff();
    result.curve = makeFdsCurve(values);
    if (space.isConstrained && values.size() > 0) {
        result.average = values.mean();
        result.largest = std::max(result.largest, values.maxCoeff());
        return result;
    }
    result.average =
        (information.covariance * momentMatrix(information.columns, information.factors)).trace();
    const Eigen::MatrixXd grid = gridOf(information.factors);
    result.largest = std::max({result.largest, climbFromBest(variance, information, grid, variance.at(grid)),
                               climbFromBest(variance, information, space.points, values)});
    return result;
}

} // namespace quadric::design
