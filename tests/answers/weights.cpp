// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/predict/predict.h"
#include "core/model/select/cross_validation.h"

#include <cmath>

namespace quadric::answers {

namespace {

constexpr int kFewerStudies = 4;     ///< than of other kinds: each has its weights searched for
constexpr double kBetweenRuns = 0.5; ///< standard deviation
constexpr int kSamplesOfRun = 20;    ///< from which each run tells its spread
constexpr double kTimes = 26.0;      ///< largest variance inside a run over the smallest

/// Σ of squared normal values over their number.
double drawMeanSquare(Random& random, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; ++i)
        sum += std::pow(drawNormal(random), 2);
    return sum / count;
}

/// Variances inside runs between 1/√ratio and √ratio, equally likely on the log scale.
double drawResult(Random& random, double truth, double ratio, double& spread)
{
    const double variance = std::pow(ratio, drawUniform(random, -0.5, 0.5));
    spread = std::sqrt(variance * drawMeanSquare(random, kSamplesOfRun - 1));
    return truth + kBetweenRuns * drawNormal(random) + std::sqrt(variance) * drawNormal(random);
}

study::Study measuredWithSpread(study::Study study, const Truth& truth, double ratio, Random& random)
{
    const study::Coding coding(study.factors);
    for (study::Run& run : study.runs) {
        run.results["y"] = drawResult(random, truth.at(coding.toCoded(run.settings)), ratio, run.spread["y"]);
        run.status = study::RunStatus::Done;
    }
    return study;
}

struct WeightCounts {
    int mean = 0, run = 0, recommended = 0;
    double weightedSquares = 0.0, equalSquares = 0.0; ///< errors of predictions at random points
};

void countWeighted(const study::Study& plan, double ratio, Random& random, WeightCounts& counts)
{
    const Truth truth = drawTruth(random, 3, 4.0);
    const study::Study study = measuredWithSpread(plan, truth, ratio, random);
    const model::Fit equal = model::fitResponse(study, "y");
    const model::Fit weighted = model::fitResponse(study, "y", {.weights = study::Weights::Spread});
    study::CodedPoint point(Eigen::VectorXd::Zero(3));
    for (Eigen::Index i = 0; i < 3; ++i)
        point[i] = drawUniform(random, -1.0, 1.0);
    double spread = 0.0;
    const double mean = truth.at(point), run = drawResult(random, mean, ratio, spread);
    const model::Prediction at = model::predict(weighted, point);
    counts.mean += at.confidence->low <= mean && mean <= at.confidence->high;
    counts.run += at.prediction->low <= run && run <= at.prediction->high;
    counts.recommended += model::adviseWeights(equal)->isRecommended;
    counts.weightedSquares += std::pow(at.mean - mean, 2);
    counts.equalSquares += std::pow(model::predictMean(equal, point) - mean, 2);
}

/// Root mean square error of predictions, with weights less than without.
Claim lossOf(const WeightCounts& counts, int studies, const std::string& which, double most)
{
    const double equal = std::sqrt(counts.equalSquares / studies);
    Claim loss{.subject = "Error of predictions, weighted less equal" + which, .studies = studies};
    loss.value = std::sqrt(counts.weightedSquares / studies) - equal;
    loss.error = 0.3 * equal / std::sqrt(studies); // of a difference of two that are much alike
    loss.low = -1.0;
    loss.high = most;
    loss.isShare = false;
    return loss;
}

} // namespace

std::vector<Claim> simulateWeights(int studies)
{
    studies = std::max(studies / kFewerStudies, 1);
    Random random(35);
    std::vector<Claim> claims;
    for (const char* type : {"box-behnken", "central-composite"}) {
        const study::Study plan = planned(type, 3);
        for (const double ratio : {1.0, kTimes}) {
            WeightCounts counts;
            for (int i = 0; i < studies; ++i)
                countWeighted(plan, ratio, random, counts);
            const std::string which =
                std::string(", ") + type + (ratio > 1.0 ? ", spreads 26 : 1" : ", equal spreads");
            claims.push_back(makeShare("95 % interval of the mean contains it, weighted" + which, counts.mean,
                                       studies, 0.93, 0.97));
            claims.push_back(makeShare("95 % interval of a run contains it, weighted" + which, counts.run,
                                       studies, 0.93, 0.97));
            claims.push_back(makeShare("Weights recommended" + which, counts.recommended, studies, 0.0,
                                       ratio > 1.0 ? 1.0 : 0.07));
            claims.push_back(lossOf(counts, studies, which, ratio > 1.0 ? 0.0 : 0.05));
        }
    }
    return claims;
}

} // namespace quadric::answers
