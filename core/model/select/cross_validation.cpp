// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/cross_validation.h"

#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/regression.h"
#include "core/model/fit/variance_estimates.h"

#include <algorithm>
#include <cmath>

namespace quadric::model {

namespace {

int countOf(const std::vector<int>& groups)
{
    return groups.empty() ? 0 : *std::ranges::max_element(groups) + 1;
}

/// Groups in random order, each dealt to the fold that has the fewest runs so far.
std::vector<int> foldsOf(const std::vector<int>& groups, int folds, std::uint64_t seed)
{
    const int count = countOf(groups);
    std::vector<std::size_t> order(static_cast<std::size_t>(count));
    RandomBits random(seed);
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    for (std::size_t i = order.size(); i > 1; --i)
        std::swap(order[i - 1], order[drawBelow(random, i)]);

    std::vector<std::ptrdiff_t> sizes(static_cast<std::size_t>(folds), 0);
    std::vector<int> foldOfGroup(order.size());
    for (const std::size_t group : order) {
        const auto smallest = std::ranges::min_element(sizes);
        foldOfGroup[group] = static_cast<int>(smallest - sizes.begin());
        *smallest += std::ranges::count(groups, static_cast<int>(group));
    }
    std::vector<int> foldOf;
    foldOf.reserve(groups.size());
    for (const int group : groups)
        foldOf.push_back(foldOfGroup[static_cast<std::size_t>(group)]);
    return foldOf;
}

void judge(const Fit& fit, const Eigen::VectorXd& deleted, CrossValidation& result)
{
    const Observations& data = fit.data->observations;
    double squares = 0.0;
    for (Eigen::Index i = 0; i < data.size(); ++i) {
        const double predicted = toResponseUnit(fit, data.z[i] - deleted[i]);
        result.predicted.push_back(predicted);
        squares += (data.y[i] - predicted) * (data.y[i] - predicted);
    }
    const double n = static_cast<double>(data.size());
    result.error = std::sqrt(squares / n);
    result.s = std::sqrt(deleted.squaredNorm() / n);
    if (const double sst = fit.data->regression.sstInBlocks; sst > 0)
        result.r2 = 1 - weighted(data, deleted).squaredNorm() / sst;
}

/// Variance of replicates where the model misses more than they differ: its residuals are then no noise.
std::optional<double> varianceOfReplicates(const Fit& fit)
{
    const AnovaRow* lack = rowOf(fit, "Lack of fit");
    const AnovaRow* pure = rowOf(fit, "Pure error");
    const bool isMissing = lack != nullptr && lack->p && *lack->p < kSignificance;
    return isMissing && pure != nullptr ? pure->ms : std::nullopt;
}

/// Log score that weights have to gain: with equal spreads that chance makes differ they gain so much in one
/// study of twenty at most (tests/answers).
constexpr double kWorthwhileGain = 2.0;
/// A run whose 1 − h is smaller is predicted by itself alone.
constexpr double kDecidesItself = 1e-9;
constexpr int kFewestDegrees = 2;

double logDensityOfT(double t, double df)
{
    return std::lgamma((df + 1) / 2) - std::lgamma(df / 2) - std::log(df * M_PI) / 2 -
           (df + 1) / 2 * std::log1p(t * t / df);
}

/// Sum over the runs of the log density at their values, as the others predict it; model's scale.
double computeLogScore(const Regression& regression)
{
    const int df = regression.df - 1;
    double score = 0.0;
    for (Eigen::Index i = 0; i < regression.n; ++i) {
        const double free = 1 - regression.solution.leverage[i];
        if (free < kDecidesItself)
            continue;
        const double residual = regression.solution.residuals[i];
        const double rest = std::max(regression.sse - residual * residual / free, 1e-12 * regression.sse);
        const double root = regression.rootWeights.size() > 0 ? regression.rootWeights[i] : 1.0;
        const double sd = std::sqrt(rest / df / free);
        score += logDensityOfT(residual / free / sd, df) - std::log(sd / root);
    }
    return score;
}

} // namespace

CrossValidation crossValidate(const Fit& fit, int folds, std::uint64_t seed)
{
    CrossValidation result;
    result.seed = seed;
    if (!fit.isOk() || fit.data == nullptr) {
        result.message = fit.message.empty() ? "There is no fit to validate." : fit.message;
        return result;
    }
    const std::vector<int>& groups = fit.data->replicateGroups;
    const int settings = countOf(groups);
    result.runs = fit.data->observations.runs;
    result.folds = folds > 0 ? folds : settings;
    if (result.folds < 2 || result.folds > settings) {
        result.message = "Cross-validation in " + std::to_string(result.folds) +
                         " folds needs between 2 and as many folds as there are different settings (" +
                         std::to_string(settings) + ").";
        return result;
    }
    result.foldOf = folds > 0 ? foldsOf(groups, folds, seed) : groups;
    if (const auto deleted = deletedResiduals(fit.data->regression, result.foldOf))
        judge(fit, *deleted, result);
    else
        result.message = "Without the runs of one fold the model cannot be estimated, so there is no "
                         "cross-validation with these folds.";
    return result;
}

RepeatedValidation repeatValidation(const Fit& fit, int folds, int repeats)
{
    RepeatedValidation repeated;
    repeated.folds = folds;
    std::vector<double> errors, shares;
    for (int seed = 1; seed <= repeats; ++seed) {
        const CrossValidation single = crossValidate(fit, folds, static_cast<std::uint64_t>(seed));
        repeated.message = single.message;
        if (single.error)
            errors.push_back(*single.error);
        if (single.r2)
            shares.push_back(*single.r2);
    }
    if (errors.empty())
        return repeated;
    const auto meanOf = [](const std::vector<double>& values) {
        double sum = 0.0;
        for (const double value : values)
            sum += value;
        return sum / static_cast<double>(values.size());
    };
    repeated.message.clear();
    repeated.repeats = static_cast<int>(errors.size());
    repeated.error = meanOf(errors);
    for (const double error : errors)
        repeated.errorSd += (error - repeated.error) * (error - repeated.error);
    repeated.errorSd = std::sqrt(repeated.errorSd / std::max(1.0, static_cast<double>(errors.size()) - 1.0));
    if (!shares.empty()) {
        repeated.r2 = meanOf(shares);
        repeated.r2Low = *std::ranges::min_element(shares);
        repeated.r2High = *std::ranges::max_element(shares);
    }
    return repeated;
}

std::optional<VarianceComponents> estimateVarianceComponents(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || fit.dfResidual == 0)
        return std::nullopt;
    const std::optional<double> replicates = varianceOfReplicates(fit);
    const double ofRun = replicates.value_or(varianceOfNewRun(fit));
    VarianceComponents components{.insideRuns = {}, .betweenRuns = ofRun, .betweenBlocks = {}};
    if (const auto inside = variancesInside(fit.data->observations, fit.transform)) {
        components.insideRuns = inside->mean();
        components.betweenRuns =
            fit.weighting && !replicates ? fit.weighting->betweenRuns : std::max(ofRun - inside->mean(), 0.0);
    }
    if (fit.blockVariance)
        components.betweenBlocks = fit.blockVariance->between;
    return components;
}

std::optional<WeightAdvice> adviseWeights(const Fit& fit)
{
    if (!fit.isOk() || fit.data == nullptr || fit.dfResidual < kFewestDegrees || fit.sigma <= 0)
        return std::nullopt;
    Observations data = fit.data->observations;
    std::optional<Weighting> weighting;
    weighBySpread(fit, fit.terms, data, weighting);
    if (!weighting)
        return std::nullopt;
    const auto scoreOf = [&] {
        return computeLogScore(solveRegression(data, fit.factors, fit.terms, FitOptions{}.rankTolerance));
    };
    const Eigen::VectorXd errors = variancesInside(data, fit.transform)->cwiseSqrt();
    WeightAdvice advice{.isUsed = fit.weighting.has_value(),
                        .gain = scoreOf(),
                        .lightest = weighting->lightest,
                        .heaviest = weighting->heaviest,
                        .smallestError = errors.minCoeff(),
                        .largestError = errors.maxCoeff()};
    data.rootWeights.resize(0);
    advice.gain -= scoreOf();
    advice.isRecommended = WeightAdvice::isWorthwhile(advice.gain);
    return advice;
}

study::Weights recommendedWeights(const study::Study& study, std::string_view response)
{
    const study::Response* found = study::findResponse(study, response);
    const auto model = study.model.find(std::string(response));
    FitOptions options;
    if (model != study.model.end())
        options.model = model->second;
    const std::optional<WeightAdvice> advice = adviseWeights(fitResponse(study, response, options));
    if (advice && advice->isRecommended)
        return study::Weights::Spread;
    const bool isKept = found != nullptr && !(advice && advice->isHarmful());
    return isKept ? found->weights : study::Weights::Equal;
}

bool WeightAdvice::isWorthwhile(double gain)
{
    return gain > kWorthwhileGain;
}

} // namespace quadric::model
