// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/select/weight_advice.h"
#include "core/model/fit/weights.h"

#include <cmath>

namespace quadric::model {

namespace {

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
