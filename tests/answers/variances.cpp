// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/fit/diagnostics.h"
#include "core/model/predict/predict.h"
#include "core/model/select/fit_checks.h"
#include "core/model/select/model_choice.h"
#include "core/report/findings/fit_findings.h"

#include <algorithm>
#include <cmath>

namespace quadric::answers {

namespace {

constexpr double kLevel = 0.05;

/// The truths of a plan's runs, moved and stretched to reach from 1 to `fold`.
std::vector<double> stretchedTruths(const study::Study& plan, const Truth& truth, double fold)
{
    const study::Coding coding(plan.factors);
    std::vector<double> means;
    for (const study::Run& run : plan.runs)
        means.push_back(truth.at(coding.toCoded(run.settings)));
    const auto [low, high] = std::ranges::minmax(means);
    for (double& mean : means)
        mean = 1.0 + (fold - 1.0) * (mean - low) / (high - low);
    return means;
}

study::Study withResults(study::Study study, const std::vector<double>& results)
{
    for (std::size_t i = 0; i < results.size(); ++i) {
        study.runs[i].results["y"] = results[i];
        study.runs[i].status = study::RunStatus::Done;
    }
    return study;
}

bool isUnequal(const model::Fit& fit)
{
    const std::optional<model::SpreadCheck> check = model::checkSpread(fit);
    return check && check->p < kLevel;
}

bool isCorrelated(const model::Fit& fit)
{
    return fit.residualChecks.durbinWatsonP.value_or(1.0) < kLevel;
}

/// Whether the logarithm is chosen, on which the scatter is even, or the report card warns of the scatter.
bool isSeen(const study::Study& study)
{
    const model::Fit fit = model::fitStudy(model::withChosenModels(study)).front();
    return fit.transform.kind == study::TransformKind::Log ||
           std::ranges::any_of(report::findInFit(fit), [](const report::Finding& finding) {
               return finding.code == "unequal-variance";
           });
}

/// At a random place of a study on a log scale: whether the 95 % intervals of the mean and of a new run are
/// right.
std::pair<bool, bool> covers(const study::Study& study, const Truth& logTruth, Random& random)
{
    study::CodedPoint at(Eigen::VectorXd::Zero(std::ssize(study.factors)));
    for (double& x : at.x)
        x = drawUniform(random, -1.0, 1.0);
    const double mean = std::exp(logTruth.at(at));
    const double run = mean * std::exp(logTruth.sigma * drawNormal(random));
    const model::Prediction prediction = model::predict(model::fitStudy(study).front(), at);
    const auto isIn = [](const std::optional<model::Interval>& interval, double value) {
        return interval && interval->low <= value && value <= interval->high;
    };
    return {isIn(prediction.confidence, mean), isIn(prediction.prediction, run)};
}

void simulateNull(const char* type, int factors, int studies, std::vector<Claim>& claims)
{
    Random random(11);
    const study::Study plan = planned(type, factors);
    int unequal = 0, correlated = 0, kept = 0;
    for (int i = 0; i < studies; ++i) {
        Truth truth = drawTruth(random, factors, 4.0);
        truth.constant = 60.0;
        const study::Study study = measured(plan, truth, random);
        const model::Fit fit = model::fitResponse(study, "y");
        unequal += isUnequal(fit);
        correlated += isCorrelated(fit);
        kept += model::withChosenModels(study).responses.front().transform.kind == study::TransformKind::None;
    }
    const std::string of =
        std::string(": ") + type + ", " + std::to_string(factors) + " factors, equal independent noise";
    claims.push_back(makeShare("Breusch–Pagan below 0.05" + of, unequal, studies, 0.03, 0.07));
    claims.push_back(makeShare("Durbin–Watson below 0.05" + of, correlated, studies, 0.03, 0.07));
    claims.push_back(makeShare("No transform is chosen" + of, kept, studies, 0.92, 1.0));
}

/// Thirty runs in random order, noise with a correlation of 0.8 from run to run.
Claim simulateCorrelation(int studies)
{
    Random random(12);
    study::Study plan = planned("central-composite", 3);
    plan = study::withRuns(plan, std::vector(30 - plan.runs.size(), plan.runs.front().settings),
                           study::RunKind::Augment);
    const study::Coding coding(plan.factors);
    int found = 0;
    for (int i = 0; i < studies; ++i) {
        Truth truth = drawTruth(random, 3, 4.0);
        truth.quadratic.setZero();
        std::vector<double> results(plan.runs.size());
        double noise = drawNormal(random);
        for (const study::Run* run : study::inRunOrder(plan)) {
            noise = 0.8 * noise + 0.6 * drawNormal(random);
            const auto place = static_cast<std::size_t>(run - plan.runs.data());
            results[place] = truth.at(coding.toCoded(run->settings)) + noise;
        }
        found += isCorrelated(model::fitResponse(withResults(plan, results), "y", {.model = "linear"}));
    }
    return makeShare("Noise with a correlation of 0.8 is found, 30 runs", found, studies, 0.8, 1.0);
}

/// Noise of 5 % of the value, which spans a factor of 30.
Claim simulateProportionalNoise(const char* type, int factors, int studies)
{
    Random random(13);
    const study::Study plan = planned(type, factors);
    int seen = 0;
    for (int i = 0; i < studies; ++i) {
        std::vector<double> results = stretchedTruths(plan, drawTruth(random, factors, 4.0), 30.0);
        for (double& result : results)
            result *= 1.0 + 0.05 * drawNormal(random);
        seen += isSeen(withResults(plan, results));
    }
    return makeShare(std::string("Noise of 5 % over a factor of 30 is put on a log scale or warned of: ") +
                         type + ", " + std::to_string(factors) + " factors",
                     seen, studies, 0.8, 1.0);
}

/// A quadratic truth of the logarithm, with noise of 5 %, and the model that is chosen.
void simulateLogScale(const char* type, int factors, int studies, std::vector<Claim>& claims)
{
    Random random(14);
    const study::Study plan = planned(type, factors);
    int means = 0, runs = 0;
    for (int i = 0; i < studies; ++i) {
        Truth truth = drawTruth(random, factors, 0.8, 0.05);
        truth.constant = 1.5;
        study::Study study = measured(plan, truth, random);
        for (study::Run& run : study.runs)
            run.results["y"] = std::exp(run.results["y"]);
        const auto [mean, run] = covers(model::withChosenModels(study), truth, random);
        means += mean;
        runs += run;
    }
    const std::string of =
        std::string(" on the chosen scale: ") + type + ", " + std::to_string(factors) + " factors";
    claims.push_back(makeShare("95 % interval of the mean" + of, means, studies, 0.9, 1.0));
    claims.push_back(makeShare("95 % interval of a new run" + of, runs, studies, 0.9, 1.0));
}

} // namespace

std::vector<Claim> simulateVariances(int studies)
{
    std::vector<Claim> claims;
    for (const int factors : {3, 5})
        simulateNull("box-behnken", factors, studies, claims);
    claims.push_back(simulateCorrelation(studies));
    for (const int factors : {3, 4})
        claims.push_back(simulateProportionalNoise("box-behnken", factors, studies));
    for (const int factors : {3, 4})
        simulateLogScale("box-behnken", factors, studies, claims);
    return claims;
}

} // namespace quadric::answers
