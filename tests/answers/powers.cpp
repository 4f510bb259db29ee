// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/select/boxcox.h"

#include <cmath>

namespace quadric::answers {

namespace {

/// The truth and its noise on the scale of this power, results given back in their own unit.
study::Study measuredOnScale(const study::Study& plan, const Truth& truth, double power, Random& random)
{
    study::Study study = measured(plan, truth, random);
    for (study::Run& run : study.runs) {
        double& y = run.results.at("y");
        y = power == 0.0 ? std::exp(y) : std::pow(1.0 + power * y, 1.0 / power);
    }
    return study;
}

bool containsTruth(const study::Study& study, double power)
{
    const std::optional<model::BoxCox> profile = model::boxCox(model::fitResponse(study, "y"));
    return profile && profile->low.value_or(-5.0) <= power && power <= profile->high.value_or(5.0);
}

} // namespace

std::vector<Claim> simulatePowers(int studies)
{
    struct Kind {
        const char* type;
        int factors;
        double power, level; ///< the mean on the scale of the power
    };
    Random random(2);
    std::vector<Claim> claims;
    for (const Kind& kind : {Kind{"box-behnken", 3, 0.0, 3.0}, Kind{"box-behnken", 4, 0.0, 3.0},
                             Kind{"central-composite", 2, 0.0, 3.0}, Kind{"central-composite", 3, 0.5, 20.0},
                             Kind{"box-behnken", 4, 1.0, 20.0}}) {
        const study::Study plan = planned(kind.type, kind.factors);
        int right = 0;
        for (int i = 0; i < studies; ++i) {
            Truth truth = drawTruth(random, kind.factors, 0.1 * kind.level, 0.02 * kind.level);
            truth.constant = kind.level;
            right += containsTruth(measuredOnScale(plan, truth, kind.power, random), kind.power);
        }
        claims.push_back(makeShare("95 % interval of the Box–Cox power " +
                                       std::to_string(kind.power).substr(0, 3) + ": " + kind.type + ", " +
                                       std::to_string(kind.factors) + " factors",
                                   right, studies, 0.92, 0.97));
    }
    return claims;
}

} // namespace quadric::answers
