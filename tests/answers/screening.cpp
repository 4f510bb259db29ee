// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"
#include "experiment.h"

#include "core/model/fit/fit.h"

#include <algorithm>

namespace quadric::answers {

namespace {

constexpr double kEffect = 4.0; ///< largest change of the response by one effect, low to high, in σ

/// Two to four effects: two factors, then their interaction, then a square or a third factor.
struct Scenario {
    Truth truth;
    std::vector<std::string> terms;
};

/// `hasSquares`: the design has three levels.
Scenario drawScenario(Random& random, const study::Study& plan, bool hasSquares)
{
    const auto factors = std::ssize(plan.factors);
    const auto pick = [&] { return static_cast<Eigen::Index>(random() % static_cast<unsigned>(factors)); };
    const auto sign = [&] { return random() % 2 == 0 ? 1.0 : -1.0; };
    const Eigen::Index a = pick();
    Eigen::Index b = pick();
    while (b == a)
        b = pick();
    const auto name = [&](Eigen::Index i) { return plan.factors[static_cast<std::size_t>(i)].name; };
    Scenario scenario{noiseOnly(static_cast<int>(factors)), {name(a), name(b)}};
    scenario.truth.linear[a] = sign() * kEffect / 2.0;
    scenario.truth.linear[b] = sign() * kEffect / 2.0;
    if (random() % 2 == 0 || !hasSquares) {
        scenario.truth.quadratic(a, b) = scenario.truth.quadratic(b, a) = sign() * kEffect / 4.0;
        scenario.terms.push_back(name(std::min(a, b)) + "*" + name(std::max(a, b)));
    } else {
        scenario.truth.quadratic(a, a) = sign() * kEffect;
        scenario.terms.push_back(name(a) + "^2");
    }
    return scenario;
}

bool containsAll(const model::Fit& fit, const std::vector<std::string>& terms)
{
    return fit.isOk() && std::ranges::all_of(terms, [&](const std::string& term) {
               return std::ranges::any_of(fit.terms, [&](const model::Term& each) {
                   return model::nameOf(each, fit.factors) == term;
               });
           });
}

} // namespace

std::vector<Claim> simulateScreening(int studies)
{
    struct Kind {
        const char* type;
        int factors, runs;
        bool hasSquares;
    };
    Random random(4);
    std::vector<Claim> claims;
    for (const Kind& kind :
         {Kind{"definitive-screening", 6, 0, true}, Kind{"definitive-screening", 8, 0, true},
          Kind{"fractional-factorial", 5, 16, false}, Kind{"fractional-factorial", 7, 16, false},
          Kind{"plackett-burman", 7, 12, false}}) {
        study::Study plan = planned(kind.type, kind.factors, kind.runs);
        int found = 0;
        int modelled = 0;
        for (int i = 0; i < studies; ++i) {
            const Scenario scenario = drawScenario(random, plan, kind.hasSquares);
            const study::Study study = measured(plan, scenario.truth, random);
            found += containsAll(model::fitResponse(study, "y", {.model = "auto"}), scenario.terms);
            modelled += model::fitStudy(study).front().isOk();
        }
        const std::string what = std::string(kind.type) + ", " + std::to_string(kind.factors) + " factors, " +
                                 std::to_string(plan.runs.size()) + " runs";
        claims.push_back(
            makeShare("Chosen model contains the three true terms (4 σ): " + what, found, studies, 0.9, 1.0));
        claims.push_back(makeShare("There is a model by default: " + what, modelled, studies, 1.0, 1.0));
    }
    return claims;
}

} // namespace quadric::answers
