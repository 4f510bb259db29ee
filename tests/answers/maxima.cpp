// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/merit/optimum.h"

#include <algorithm>
#include <cmath>

namespace quadric::answers {

namespace {

constexpr int kGridSteps = 6; ///< of each factor

/// The largest prediction on a grid.
double findLargest(const model::Fit& fit)
{
    const auto factors = static_cast<Eigen::Index>(fit.factors.size());
    const auto points = static_cast<int>(std::pow(kGridSteps + 1, factors));
    double largest = -std::numeric_limits<double>::infinity();
    study::CodedPoint x{Eigen::VectorXd(factors)};
    for (int i = 0; i < points; ++i) {
        for (int factor = 0, rest = i; factor < factors; ++factor, rest /= kGridSteps + 1)
            x[factor] = -1.0 + 2.0 * (rest % (kGridSteps + 1)) / kGridSteps;
        largest = std::max(largest, model::predictMean(fit, x));
    }
    return largest;
}

bool isLargest(const study::Study& study)
{
    const std::vector<model::Fit> fits = optimize::fitForGoals(study);
    const optimize::Optimum optimum = optimize::findOptimum(study, fits);
    if (!optimum.isOk())
        return false;
    const double slack = 1e-6 * (fits.front().largestObserved - fits.front().smallestObserved);
    const optimize::ResponseAtOptimum& y = optimum.responses.front();
    return y.sacrifice <= slack && y.predicted.mean >= findLargest(fits.front()) - slack;
}

} // namespace

std::vector<Claim> simulateMaxima(int studies)
{
    struct Kind {
        const char* type;
        int factors;
        const char* model;
    };
    Random random(1);
    std::vector<Claim> claims;
    for (const Kind& kind :
         {Kind{"box-behnken", 3, "quadratic"}, Kind{"box-behnken", 4, "quadratic"},
          Kind{"central-composite", 2, "quadratic"}, Kind{"central-composite", 3, "quadratic"},
          Kind{"box-behnken", 3, "linear"}, Kind{"full-factorial", 3, "interactions"},
          Kind{"definitive-screening", 4, "linear"}, Kind{"plackett-burman", 5, "linear"},
          Kind{"latin-hypercube", 3, "quadratic"}}) {
        study::Study plan = planned(kind.type, kind.factors);
        plan.model["y"] = kind.model;
        int right = 0;
        for (int i = 0; i < studies; ++i)
            right += isLargest(measured(plan, drawTruth(random, kind.factors, 4.0), random));
        claims.push_back(makeShare("Best setting of one response is its maximum: " + std::string(kind.type) +
                                       ", " + std::to_string(kind.factors) + " factors, " + kind.model,
                                   right, studies, 1.0, 1.0));
    }
    return claims;
}

} // namespace quadric::answers
