// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/select/model_choice.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/plan/cost.h"

#include <algorithm>
#include <cmath>

namespace quadric::answers {

namespace {

constexpr int kFactors = 3;
constexpr int kFewerStudies = 4; ///< than of other kinds: each interval takes thousands of pairs of errors
constexpr double kEpochs = 20.0;
/// The energy costs about as much as the time.
constexpr plan::Prices kPrices{.gpuHour = 2.5, .kilowattHour = 100.0};

/// How time and energy of a unit of the work come about.
struct CostShape {
    const char* words;
    const char* design;
    bool isMeasured = true;   ///< the energy; otherwise power × time
    double correlation = 0.0; ///< of the errors of time and energy
    bool isLog = false;       ///< the truth is quadratic on the log scale, as is the model
};

constexpr CostShape kShapes[] = {
    {"power × time", "box-behnken", false},
    {"measured energy, independent errors", "box-behnken"},
    {"measured energy, errors with a correlation of 0.8", "box-behnken", true, 0.8},
    {"measured energy, errors with a correlation of −0.5", "central-composite", true, -0.5},
    {"logarithms of time and measured energy, correlation 0.8", "central-composite", true, 0.8, true}};

/// Time (min) and energy (kJ) of an epoch.
struct TwoTruths {
    Truth time, energy;
};

TwoTruths drawTruths(const CostShape& shape, Random& random)
{
    TwoTruths truths{drawTruth(random, kFactors, shape.isLog ? 0.3 : 4.0, shape.isLog ? 0.05 : 1.0),
                     drawTruth(random, kFactors, shape.isLog ? 0.3 : 40.0, shape.isLog ? 0.05 : 10.0)};
    truths.time.constant = shape.isLog ? std::log(60.0) : 60.0;
    truths.energy.constant = shape.isLog ? std::log(600.0) : 600.0;
    return truths;
}

/// One run at a point: its time and its energy.
std::pair<double, double> drawRun(const TwoTruths& truths, const CostShape& shape,
                                  const study::CodedPoint& point, Random& random)
{
    const double first = drawNormal(random);
    const double second = shape.correlation * first +
                          std::sqrt(1.0 - shape.correlation * shape.correlation) * drawNormal(random);
    const double time = truths.time.at(point) + truths.time.sigma * first;
    const double energy = truths.energy.at(point) + truths.energy.sigma * second;
    return shape.isLog ? std::pair(std::exp(time), std::exp(energy)) : std::pair(time, energy);
}

study::Study withTimeAndEnergy(const CostShape& shape)
{
    study::Study study = planned(shape.design, kFactors);
    study.responses = {{.name = "time", .unit = "min", .goal = study::Goal::Minimize},
                       {.name = "energy", .unit = "kJ", .goal = study::Goal::Minimize}};
    if (shape.isLog)
        for (const char* response : {"time", "energy"})
            study = model::withTransform(study, response, {study::TransformKind::Log});
    return study;
}

study::Study ran(study::Study study, const TwoTruths& truths, const CostShape& shape, Random& random)
{
    const study::Coding coding(study.factors);
    for (study::Run& run : study.runs) {
        const auto [time, energy] = drawRun(truths, shape, coding.toCoded(run.settings), random);
        run.results = {{"time", time}, {"energy", energy}};
        run.status = study::RunStatus::Done;
    }
    return study;
}

double moneyOfRun(double minutes, double kilojoules, int gpus)
{
    return kEpochs * minutes / 60.0 * gpus * kPrices.gpuHour +
           kEpochs * kilojoules / 3600.0 * kPrices.kilowattHour;
}

/// Whether the 95 % interval contains what one more run at a random point costs.
bool coversCost(const study::Study& study, const TwoTruths& truths, const CostShape& shape, Random& random)
{
    const std::vector<model::Fit> fits{model::fitResponse(study, "time"),
                                       model::fitResponse(study, "energy")};
    study::CodedPoint point(Eigen::VectorXd::Zero(kFactors));
    for (double& x : point.x)
        x = drawUniform(random, -1.0, 1.0);
    constexpr int kGpus = 8;
    constexpr double kWatts = 400.0;
    const plan::RunTime time(fits[0], {plan::WorkKind::PerUnit, kEpochs, 60.0}, point);
    const plan::RunTime joules(fits[1], {plan::WorkKind::PerUnit, kEpochs, 1000.0}, point);
    const plan::JointErrors errors =
        plan::jointErrors(time.df(), joules.df(), optimize::residualCorrelation(fits[0], fits[1]));
    plan::Resources resources{.gpus = kGpus, .wattsPerGpu = kWatts};
    if (shape.isMeasured) {
        resources.joules = &joules;
        resources.errors = &errors;
    }
    const auto [minutes, energy] = drawRun(truths, shape, point, random);
    const double kilojoules = shape.isMeasured ? energy : 1e-3 * kWatts * kGpus * 60.0 * minutes;
    const plan::Estimate money = plan::costOf(time, resources, kPrices).money;
    const double cost = moneyOfRun(minutes, kilojoules, kGpus);
    return money.low <= cost && cost <= money.high;
}

Claim simulateInterval(const CostShape& shape, int studies)
{
    studies = std::max(studies / kFewerStudies, 1);
    Random random(41);
    const study::Study plan = withTimeAndEnergy(shape);
    int right = 0;
    for (int i = 0; i < studies; ++i) {
        const TwoTruths truths = drawTruths(shape, random);
        right += coversCost(ran(plan, truths, shape, random), truths, shape, random);
    }
    return makeShare(std::string("95 % interval of the cost of a run: ") + shape.design + ", " + shape.words,
                     right, studies, 0.93, 0.97);
}

} // namespace

std::vector<Claim> simulateCosts(int studies)
{
    std::vector<Claim> claims;
    for (const CostShape& shape : kShapes)
        claims.push_back(simulateInterval(shape, studies));
    return claims;
}

} // namespace quadric::answers
