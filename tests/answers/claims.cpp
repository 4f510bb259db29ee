// SPDX-License-Identifier: GPL-3.0-or-later
#include "claims.h"

#include <cmath>

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
          simulatePlaces, simulateBlocks, simulateWeights, simulateCopiedRuns, simulateVariances,
          simulateShares, simulateDefaultModels}) {
        for (Claim& claim : simulate(studies))
            all.push_back(std::move(claim));
    }
    return all;
}

} // namespace quadric::answers
