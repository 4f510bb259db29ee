// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/predict/factor_effects.h"

namespace quadric::answers {

namespace {

/// The true share of factor A, alone and with its interactions: of x a variance of 1/3, of x² 4/45, of a
/// product 1/9.
model::Importance findTrueShare(const Truth& truth)
{
    const auto partOf = [&truth](Eigen::Index i) {
        return truth.linear[i] * truth.linear[i] / 3.0 +
               truth.quadratic(i, i) * truth.quadratic(i, i) * 4.0 / 45.0;
    };
    double whole = 0.0, shared = 0.0;
    for (Eigen::Index i = 0; i < truth.linear.size(); ++i) {
        whole += partOf(i);
        for (Eigen::Index j = 0; j < i; ++j) {
            const double product = 4.0 * truth.quadratic(i, j) * truth.quadratic(i, j) / 9.0;
            whole += product;
            shared += j == 0 ? product : 0.0;
        }
    }
    return whole > 0.0 ? model::Importance{"A", partOf(0) / whole, (partOf(0) + shared) / whole}
                       : model::Importance{"A", 0.0, 0.0};
}

bool isInside(const model::Interval& range, double share)
{
    constexpr double kSlack = 1e-9;
    return range.low <= share + kSlack && share <= range.high + kSlack;
}

} // namespace

std::vector<Claim> simulateShares(int studies)
{
    Random random(6);
    std::vector<Claim> claims;
    for (const double size : {8.0, 3.0}) {
        study::Study plan = planned("box-behnken", 3);
        plan.model["y"] = "quadratic";
        int main = 0, total = 0;
        for (int i = 0; i < studies; ++i) {
            const Truth truth = drawTruth(random, 3, size);
            const model::Importance share = findTrueShare(truth);
            const auto certainty =
                model::assessImportance(model::fitResponse(measured(plan, truth, random), "y"));
            main += isInside(certainty.factors[0].main, share.main);
            total += isInside(certainty.factors[0].total, share.total);
        }
        const std::string where =
            "Box–Behnken, 3 factors, effects of " + std::to_string(static_cast<int>(size)) + " σ";
        claims.push_back(
            makeShare("95 % interval of a factor's share alone: " + where, main, studies, 0.93, 1.0));
        claims.push_back(
            makeShare("95 % interval of its share with interactions: " + where, total, studies, 0.93, 1.0));
    }
    study::Study plan = planned("box-behnken", 3);
    int silent = 0;
    for (int i = 0; i < studies; ++i)
        silent +=
            model::assessImportance(model::fitResponse(measured(plan, noiseOnly(3), random), "y")).isNoise();
    claims.push_back(makeShare("Pure noise: no share is told from noise", silent, studies, 0.93, 1.0));
    return claims;
}

} // namespace quadric::answers
