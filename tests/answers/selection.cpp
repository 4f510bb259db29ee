// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/base/thresholds.h"
#include "core/model/fit/diagnostics.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/optimize/answer/optimism.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace quadric::answers {

namespace {

struct Design {
    const char* type;
    int factors;
    const char* name;
};
constexpr Design kDesigns[] = {{"box-behnken", 3, "Box–Behnken 3"},
                               {"box-behnken", 4, "Box–Behnken 4"},
                               {"box-behnken", 5, "Box–Behnken 5"},
                               {"central-composite", 3, "central composite 3"}};

/// Of the prediction at an optimum, where few studies show less.
constexpr double kLeastVariance = 1.0;
/// With fewer studies only the smallest design is optimized.
constexpr int kFewStudies = 10;

/// What really happens, anew for each study.
struct Kind {
    const char* name;
    Truth (*draw)(Random& random, int factors);
};

Truth drawThreeTerms(Random&, int factors)
{
    Truth truth = noiseOnly(factors);
    truth.linear[0] = 3.0;
    truth.linear[1] = 2.0;
    truth.quadratic(0, 1) = truth.quadratic(1, 0) = 1.0;
    return truth;
}

constexpr Kind kKinds[] = {
    {"strong effects", [](Random& random, int factors) { return drawTruth(random, factors, 4.0); }},
    {"weak effects", [](Random& random, int factors) { return drawTruth(random, factors, 1.0); }},
    {"three true terms", &drawThreeTerms},
    {"nothing", [](Random&, int factors) { return noiseOnly(factors); }}};

/// Expectations that are met.
struct Coverage {
    int mean = 0, run = 0;

    void count(const model::Interval& confidence, const model::Interval& prediction, double truth,
               double noise)
    {
        mean += confidence.low <= truth && truth <= confidence.high;
        run += prediction.low <= truth + noise && truth + noise <= prediction.high;
    }
};

study::CodedPoint drawPoint(Random& random, int factors)
{
    study::CodedPoint point{Eigen::VectorXd(factors)};
    for (int i = 0; i < factors; ++i)
        point[i] = drawUniform(random, -1.0, 1.0);
    return point;
}

study::Study planChosen(const Design& design)
{
    study::Study plan = planned(design.type, design.factors);
    plan.model["y"] = "auto";
    return plan;
}

/// Intervals at random points after the terms were chosen.
void simulateRandomPoints(const Design& design, const Kind& kind, int studies, Random& random,
                          std::vector<Claim>& claims)
{
    const study::Study plan = planChosen(design);
    Coverage covered;
    for (int i = 0; i < studies; ++i) {
        const Truth truth = kind.draw(random, design.factors);
        const study::Study study = measured(plan, truth, random);
        const model::Fit fit = model::fitStudy(study).front();
        const study::CodedPoint point = drawPoint(random, design.factors);
        const model::Prediction at = model::predict(fit, point);
        covered.count(*at.confidence, *at.prediction, truth.at(point), truth.sigma * drawNormal(random));
    }
    const std::string of = std::string(" after auto, at random points: ") + design.name + ", " + kind.name;
    claims.push_back(makeShare("95 % interval of the mean" + of, covered.mean, studies, 0.93, 1.0));
    claims.push_back(makeShare("95 % interval of a new run" + of, covered.run, studies, 0.93, 1.0));
}

/// Prediction and intervals at the optimum, corrected for having been chosen.
void simulateOptima(const Design& design, const Kind& kind, bool hasBias, int studies, Random& random,
                    std::vector<Claim>& claims)
{
    const study::Study plan = planChosen(design);
    const study::Coding coding(plan.factors);
    Coverage covered;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < studies; ++i) {
        const Truth truth = kind.draw(random, design.factors);
        const study::Study study = measured(plan, truth, random);
        const std::vector<model::Fit> fits = optimize::fitForGoals(study);
        const optimize::Optimum optimum = optimize::findOptimum(study, fits);
        const optimize::OptimumCorrection correction = optimize::correctOptimum(study, fits, optimum);
        const optimize::CorrectedPrediction& y = correction.responses.front();
        const double real = truth.at(coding.toCoded(optimum.settings));
        covered.count(*y.confidence, *y.prediction, real, truth.sigma * drawNormal(random));
        const double error = (y.mean - real) / truth.sigma;
        sum += error;
        squares += error * error;
    }
    const std::string of = std::string(" at the optimum after auto: ") + design.name + ", " + kind.name;
    claims.push_back(makeShare("95 % interval of the mean" + of, covered.mean, studies, 0.90, 1.0));
    claims.push_back(makeShare("95 % interval of a new run" + of, covered.run, studies, 0.90, 1.0));
    if (hasBias) {
        const double mean = sum / studies;
        const double variance = std::max(squares / studies - mean * mean, kLeastVariance);
        claims.push_back({"Corrected prediction minus truth" + of, studies, mean,
                          std::sqrt(variance / studies), -0.3, 0.3, false});
    }
}

/// Probability of a new run to be at least `limit`.
double computeChance(const Truth& truth, const study::CodedPoint& point, double limit)
{
    return 0.5 * std::erfc((limit - truth.at(point)) / truth.sigma / std::sqrt(2.0));
}

/// The probability at the most robust setting, minus the true one there, for a limit that one in five of the
/// runs meets.
void simulateProbability(const Design& design, const Kind& kind, int studies, Random& random,
                         std::vector<Claim>& claims)
{
    const study::Study plan = planChosen(design);
    const study::Coding coding(plan.factors);
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < studies; ++i) {
        const Truth truth = kind.draw(random, design.factors);
        study::Study study = measured(plan, truth, random);
        std::vector<double> results;
        for (const study::Run& run : study.runs)
            results.push_back(run.results.find("y")->second);
        std::ranges::sort(results);
        const double limit = results[results.size() * 4 / 5];
        study.responses.front().low = limit;
        const optimize::RobustOptimum robust = optimize::findRobust(study, optimize::fitForGoals(study));
        const double error = robust.corrected.value_or(robust.limits.probability.value_or(1.0)) -
                             computeChance(truth, coding.toCoded(robust.settings), limit);
        sum += error;
        squares += error * error;
    }
    const double mean = sum / studies;
    const double variance = std::max(squares / studies - mean * mean, kLeastVariance / 4.0);
    claims.push_back(
        {std::string("Corrected probability minus truth at the most robust setting after auto: ") +
             design.name + ", " + kind.name,
         studies, mean, std::sqrt(variance / studies), -0.1, 0.2, false, ""});
}

} // namespace

std::vector<Claim> simulateChosenModels(int studies)
{
    Random random(5);
    std::vector<Claim> claims;
    for (const Design& design : kDesigns) {
        const study::Study plan = planChosen(design);
        int beyond = 0;
        for (int i = 0; i < studies; ++i) {
            const study::Study study = measured(plan, noiseOnly(design.factors), random);
            const model::Fit fit = model::fitStudy(study).front();
            beyond += model::findModelP(fit).value_or(1.0) < model::kSignificance;
        }
        claims.push_back(makeShare(std::string("Noise is significant after auto: ") + design.name, beyond,
                                   studies, 0.0, 0.06));
        for (const Kind& kind : kKinds)
            simulateRandomPoints(design, kind, studies, random, claims);
    }
    return claims;
}

std::vector<Claim> simulateChosenOptima(int studies)
{
    Random random(6);
    std::vector<Claim> claims;
    const std::string_view bounded[] = {kKinds[0].name, kKinds[1].name};
    const std::size_t designs = studies < kFewStudies ? 1 : std::size(kDesigns);
    for (const Design& design : std::span(kDesigns).first(designs)) {
        for (const Kind& kind : kKinds) {
            simulateOptima(design, kind, std::ranges::count(bounded, kind.name) > 0, studies, random, claims);
            simulateProbability(design, kind, studies, random, claims);
        }
    }
    return claims;
}

} // namespace quadric::answers
