// SPDX-License-Identifier: GPL-3.0-or-later
// Which effects are called significant where there is nothing but noise.
#include "claims.h"
#include "experiment.h"

#include "core/model/base/distributions.h"
#include "core/model/base/thresholds.h"
#include "core/model/fit/effects.h"
#include "core/model/predict/curves.h"

#include <algorithm>
#include <cmath>

namespace quadric::answers {
namespace {

struct Screened {
    std::string name, type, model;
    int factors = 3;
};

model::Fit fitNoise(const Screened& design, Random& random)
{
    const study::Study study =
        measured(planned(design.type, design.factors), noiseOnly(design.factors), random);
    return model::fitResponse(study, "y", {.model = design.model});
}

/// Per effect in the half-normal plot, 5 % of noise are beyond the limit.
Claim countBeyondLimit(const Screened& design, int studies)
{
    Random random(19);
    int beyond = 0, effects = 0;
    for (int i = 0; i < studies; ++i) {
        const model::HalfNormalPlot plot = model::halfNormalPlot(fitNoise(design, random));
        effects += static_cast<int>(plot.points.size());
        beyond += static_cast<int>(std::ranges::count_if(plot.points, &model::ScorePoint::isActive));
    }
    return makeShare("noise, one effect beyond the limit of the half-normal plot: " + design.name, beyond,
                     effects, 0.035, 0.065);
}

/// A study of noise in which at least one effect is named.
Claim countNamed(const Screened& design, int studies)
{
    Random random(23);
    int named = 0;
    for (int i = 0; i < studies; ++i) {
        const std::vector<model::RankedEffect> effects = model::rankEffects(fitNoise(design, random));
        named += std::ranges::any_of(effects,
                                     [](const model::RankedEffect& effect) {
                                         return effect.significance == model::Significance::Family;
                                     })
                     ? 1
                     : 0;
    }
    return makeShare("noise, at least one effect called significant: " + design.name, named, studies, 0.0,
                     0.06);
}

} // namespace

std::vector<Claim> simulateEffects(int studies)
{
    const std::vector<Screened> designs{
        {"Box–Behnken, 3 factors", "box-behnken", "quadratic", 3},
        {"Box–Behnken, 5 factors", "box-behnken", "quadratic", 5},
        {"central composite, 3 factors", "central-composite", "quadratic", 3},
        {"definitive screening, 6 factors", "definitive-screening", "linear", 6}};
    std::vector<Claim> claims;
    for (const Screened& design : designs)
        claims.push_back(countBeyondLimit(design, studies));
    claims.push_back(countNamed(designs[0], studies));
    claims.push_back(countNamed(designs[2], studies));
    return claims;
}

} // namespace quadric::answers
