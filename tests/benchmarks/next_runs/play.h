// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "problem.h"

namespace quadric::play {

/// Who chooses the follow-ups.
enum class Player {
    Random, ///< legal settings at random
    Quadric
};
std::string_view nameOf(Player player);

/// What came of 15 runs of a hypercube and as many follow-ups.
struct Game {
    double tried = 0.0;       ///< true value of the best setting that ran over the true best
    double found = 0.0;       ///< the same of the setting with the best result
    double recommended = 0.0; ///< true value of the recommended setting over the true best; 0: it fails
    int failed = 0;           ///< follow-ups
    int infeasible = 0;       ///< of the ranked settings
    int ranked = 0;
    double brier = 0.0;   ///< of P(runs) at settings spread over the region
    double covered = 0.0; ///< share of 95 % prediction intervals that contain a new run
    double seconds = 0.0; ///< for a follow-up, on average
};

/// The true best over all settings, and the share of the region that fails.
struct Truth {
    double best = 0.0;
    double infeasible = 0.0;
};
Truth truthOf(const Problem& problem);

Game play(const Problem& problem, const Truth& truth, Player player, std::uint64_t seed, int followUps = 15);

} // namespace quadric::play
