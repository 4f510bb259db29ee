// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/optimum_region.h"

#include <algorithm>

namespace quadric::answers {

namespace {

/// The setting where the truth is largest: climbs along single factors from the corners and the center.
study::CodedPoint findBestPlace(const Truth& truth)
{
    const Eigen::Index factors = truth.linear.size();
    study::CodedPoint best{Eigen::VectorXd::Zero(factors)};
    for (int start = 0; start <= 1 << factors; ++start) {
        study::CodedPoint x{Eigen::VectorXd::Zero(factors)};
        for (Eigen::Index i = 0; start < 1 << factors && i < factors; ++i)
            x[i] = (start >> i & 1) != 0 ? 1.0 : -1.0;
        for (double step = 0.5; step > 1e-4;) {
            study::CodedPoint moved = x;
            for (Eigen::Index i = 0; i < factors; ++i) {
                for (const double to : {x[i] - step, x[i] + step}) {
                    study::CodedPoint tried = moved;
                    tried[i] = std::clamp(to, -1.0, 1.0);
                    if (truth.at(tried) > truth.at(moved))
                        moved = tried;
                }
            }
            if (truth.at(moved) > truth.at(x))
                x = moved;
            else
                step /= 2.0;
        }
        if (truth.at(x) > truth.at(best))
            best = x;
    }
    return best;
}

/// The region of the best setting contains the true one.
bool isPlaceFound(const study::Study& study, const study::CodedPoint& truth)
{
    const std::vector<model::Fit> fits = optimize::fitForGoals(study);
    const optimize::Optimum best = optimize::findOptimum(study, fits);
    const optimize::OptimumRegion region = optimize::findOptimumRegion(study, fits, best);
    return region.contains(study::Coding(study.factors).toSettings(truth));
}

/// A second response z, to be minimized between the same fixed limits as y is maximized between.
study::Study withSecondGoal(study::Study plan)
{
    study::Response second = plan.responses.front();
    second.name = "z";
    second.goal = study::Goal::Minimize;
    plan.responses.push_back(second);
    for (study::Response& response : plan.responses) {
        response.low = 30.0;
        response.high = 70.0;
        plan.model[response.name] = "quadratic";
    }
    return plan;
}

/// The setting with the best true overall desirability, the geometric mean of the shares of the way from
/// limit to limit, on a grid of 17 values for each factor.
study::CodedPoint findBestCompromise(const Truth& y, const Truth& z)
{
    constexpr int kSteps = 16;
    const auto shareOf = [](double way) { return std::clamp(way / 40.0, 0.0, 1.0); };
    study::CodedPoint best{Eigen::VectorXd::Zero(2)}, x{Eigen::VectorXd::Zero(2)};
    double largest = -1.0;
    for (int i = 0; i <= kSteps; ++i) {
        for (int j = 0; j <= kSteps; ++j) {
            x[0] = -1.0 + 2.0 * i / kSteps;
            x[1] = -1.0 + 2.0 * j / kSteps;
            const double overall = shareOf(y.at(x) - 30.0) * shareOf(70.0 - z.at(x));
            if (overall > largest) {
                largest = overall;
                best = x;
            }
        }
    }
    return best;
}

bool isCompromiseFound(study::Study study, Random& random)
{
    const Truth y = drawTruth(random, 2, 4.0), z = drawTruth(random, 2, 4.0);
    const study::Coding coding(study.factors);
    for (study::Run& run : study.runs) {
        const study::CodedPoint x = coding.toCoded(run.settings);
        run.results["y"] = y.at(x) + drawNormal(random);
        run.results["z"] = z.at(x) + drawNormal(random);
        run.status = study::RunStatus::Done;
    }
    return isPlaceFound(study, findBestCompromise(y, z));
}

} // namespace

std::vector<Claim> simulatePlaces(int studies)
{
    struct Kind {
        const char* type;
        int factors;
        double size;
    };
    studies = std::max(1, studies / 10); // each costs a search and a region
    Random random(5);
    std::vector<Claim> claims;
    for (const Kind& kind :
         {Kind{"box-behnken", 3, 8.0}, Kind{"box-behnken", 3, 2.0}, Kind{"central-composite", 2, 4.0},
          Kind{"box-behnken", 4, 4.0}, Kind{"box-behnken", 3, 0.0}}) {
        study::Study plan = planned(kind.type, kind.factors);
        plan.model["y"] = "quadratic";
        int right = 0;
        for (int i = 0; i < studies; ++i) {
            const Truth truth = drawTruth(random, kind.factors, kind.size);
            right += isPlaceFound(measured(plan, truth, random), findBestPlace(truth));
        }
        claims.push_back(
            makeShare("Region of the best setting contains the true one: " + std::string(kind.type) + ", " +
                          std::to_string(kind.factors) + " factors, effects of " +
                          std::to_string(static_cast<int>(kind.size)) + " σ",
                      right, studies, 0.93, 1.0));
    }
    const study::Study plan = withSecondGoal(planned("central-composite", 2));
    int right = 0;
    for (int i = 0; i < studies; ++i)
        right += isCompromiseFound(plan, random);
    claims.push_back(makeShare("Region of the best compromise contains the true one: central-composite, "
                               "2 factors, 2 responses, effects of 4 σ",
                               right, studies, 0.93, 1.0));
    return claims;
}

} // namespace quadric::answers
