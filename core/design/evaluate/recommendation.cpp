// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/design/base/factor_levels.h"
#include "core/design/evaluate/offers.h"

#include <algorithm>

namespace quadric::design {

namespace {

constexpr std::size_t kManyFactors = 6;
constexpr int kManyRuns = 64;

/// A type, in a variant where it matters, and why it is the best choice of those before it failed.
struct Advice {
    std::string_view type;
    std::string_view alpha;
    std::string_view reason;
};

const std::vector<Advice> kScreening = {
    {"definitive-screening", "",
     "With this many factors, first find the few that matter: this takes the fewest runs that keep main "
     "effects "
     "free of interactions and show curvature."},
    {"fractional-factorial", "",
     "With this many factors, first find the few that matter: this fraction keeps main effects free of "
     "two-factor "
     "interactions."},
    {"plackett-burman", "", "With this many factors, first find the few that matter, in the fewest runs."},
    {"d-optimal", "", "The factors' levels and constraints leave no classical screening design."},
};

const std::vector<Advice> kResponseSurface = {
    {"box-behnken", "",
     "It estimates curvature and all interactions in few runs, and stays away from the corners, where "
     "settings are "
     "extreme all at once."},
    {"central-composite", "rotatable",
     "It estimates curvature and all interactions, with the same precision in every direction."},
    {"central-composite", "face",
     "It estimates curvature and all interactions without leaving the range from low to high."},
    {"i-optimal", "",
     "Classical designs have settings that cannot be run here; this one takes the settings that can, for the "
     "smallest prediction error."},
    {"full-factorial", "", "It estimates all interactions and needs nothing but the levels that there are."},
};

const std::vector<Advice> kFactorial = {
    {"full-factorial", "", "Every combination of so few levels can be run, and nothing is mixed up."},
    {"fractional-factorial", "",
     "Every combination would be too many runs; this fraction keeps what matters."},
    {"d-optimal", "", "Every combination would be too many runs; this takes those that tell most."},
};

const std::vector<Advice>& adviceFor(const study::Study& study)
{
    if (study.factors.size() >= kManyFactors)
        return kScreening;
    const auto surface =
        std::ranges::count_if(study.factors, [](const study::Factor& factor) { return hasCenter(factor); });
    return surface >= 2 ? kResponseSurface : kFactorial;
}

DesignOffer* findOffer(std::vector<DesignOffer>& offers, const Advice& advice)
{
    const auto found = std::ranges::find_if(offers, [&](const DesignOffer& offer) {
        const bool isTooLarge = offer.runs > kManyRuns && offer.spec.type == "full-factorial";
        return offer.isPossible && !isTooLarge && offer.spec.type == advice.type &&
               (advice.alpha.empty() || offer.spec.alpha == advice.alpha);
    });
    return found == offers.end() ? nullptr : &*found;
}

} // namespace

void recommend(const study::Study& study, std::vector<DesignOffer>& offers)
{
    for (const Advice& advice : adviceFor(study)) {
        if (DesignOffer* offer = findOffer(offers, advice)) {
            offer->isRecommended = true;
            offer->reason = advice.reason;
            return;
        }
    }
}

} // namespace quadric::design
