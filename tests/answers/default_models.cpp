// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/predict/predict.h"
#include "core/model/select/model_choice.h"

#include <cmath>

namespace quadric::answers {

namespace {

constexpr double kNoise = 0.02; ///< of the logarithm
constexpr double kFar = 100.0;  ///< σ of the additive truths above 0

/// y = exp(4 + a A + b B + c C), with 2 % of noise.
study::Study multiplied(study::Study plan, const Eigen::Vector3d& slopes, Random& random)
{
    const study::Coding coding(plan.factors);
    for (study::Run& run : plan.runs) {
        run.results["y"] =
            std::exp(4.0 + slopes.dot(coding.toCoded(run.settings).x) + kNoise * drawNormal(random));
        run.status = study::RunStatus::Done;
    }
    return plan;
}

/// One new run at a random place is inside the interval of the model that is taken by default.
bool isNextRunInside(const study::Study& plan, Random& random)
{
    Eigen::Vector3d slopes;
    study::CodedPoint place{Eigen::VectorXd(3)};
    for (Eigen::Index i = 0; i < 3; ++i) {
        slopes[i] = drawUniform(random, 0.5, 1.5);
        place[i] = drawUniform(random, -1.0, 1.0);
    }
    const study::Study study = model::withChosenModels(multiplied(plan, slopes, random));
    const model::Fit fit = model::fitStudy(study).front();
    const double run = std::exp(4.0 + slopes.dot(place.x) + kNoise * drawNormal(random));
    const model::Interval interval = *model::predict(fit, place).prediction;
    return run >= interval.low && run <= interval.high;
}

} // namespace

std::vector<Claim> simulateDefaultModels(int studies)
{
    Random random(5);
    const study::Study plan = planned("box-behnken", 3);
    int inside = 0, kept = 0;
    for (int i = 0; i < studies; ++i) {
        inside += isNextRunInside(plan, random);
        Truth truth = drawTruth(random, 3, 4.0);
        truth.constant = kFar;
        kept += model::withChosenModels(measured(plan, truth, random)).responses.front().transform.kind ==
                study::TransformKind::None;
    }
    return {makeShare("A new run of a product of factors is in its 95 % interval, models by default", inside,
                      studies, 0.93, 0.99),
            makeShare("Sums of factors are not transformed by default", kept, studies, 0.95, 1.0)};
}

} // namespace quadric::answers
