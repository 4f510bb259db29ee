// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::study {

/// How much of the region between the factors' low and high ends can be run.
struct LegalCount {
    /// Combinations of legal values of all factors, and how many of them satisfy the constraints; empty where
    /// a factor is continuous or there are too many to try them all.
    std::optional<long> combinations = {}, legal = {};
    double share = 1.0; ///< of the combinations, or of points spread evenly over the region
};

/// Tries all combinations of legal values up to `most` of them, otherwise as many evenly spread points (the
/// additive recurrence of Roberts 2018, so that the same study gives the same share). Constraints that cannot
/// be read or have no value hold nowhere. Factors need to be sound: throws std::invalid_argument otherwise.
LegalCount countLegal(const Study& study, long most = 4096);

} // namespace quadric::study
