// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace quadric::answers {

Claim makeShare(std::string subject, int right, int studies, double low, double high)
{
    const double share = static_cast<double>(right) / studies;
    return {std::move(subject), studies, share, std::sqrt(share * (1.0 - share) / studies), low, high};
}

std::vector<Claim> simulateAll(int studies)
{
    std::vector<Claim> all;
    for (const auto simulate :
         {simulateMaxima, simulatePowers, simulateConfirmations, simulateScreening, simulateEffects,
          simulatePlaces, simulateBlocks, simulateCopiedRuns, simulateVariances, simulateDefaultModels,
          simulateSurfaces, simulateCosts, simulateFollowUps}) {
        for (Claim& claim : simulate(studies))
            all.push_back(std::move(claim));
    }
    const auto append = [&](std::vector<Claim> claims) {
        std::ranges::move(claims, std::back_inserter(all));
    };
    append(simulateChosenModels(std::max(studies / 10, 1)));
    append(simulateChosenOptima(std::max(studies / 50, 2)));
    return all;
}

} // namespace quadric::answers
