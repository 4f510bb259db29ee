// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace quadric::answers {

/// How often something that the program says is true, over many simulated studies, and how often it should
/// be.
struct Claim {
    std::string subject; ///< what is said, and of which studies
    int studies = 0;
    double value = 0.0;           ///< a share, or a mean in standard deviations of a run
    double error = 0.0;           ///< standard error of the value
    double low = 0.0, high = 1.0; ///< where it has to be
    bool isShare = true;
    const char* unit = " σ"; ///< of a mean
};

/// Of so many studies in which the answer was right.
Claim makeShare(std::string subject, int right, int studies, double low, double high);

/// One response, default limits, all kinds of designs: the best setting is that of its largest prediction,
/// and costs the response nothing.
std::vector<Claim> simulateMaxima(int studies);

/// The 95 % interval of the Box–Cox power contains the power on whose scale the results were made.
std::vector<Claim> simulatePowers(int studies);

/// Confirming runs at the level that is named, for one to five responses; runs that scatter confirm nothing.
std::vector<Claim> simulateConfirmations(int studies);

/// Screening designs with two effects and their interaction or a square, all of 4 σ.
std::vector<Claim> simulateScreening(int studies);

/// Effects of noise beyond the limit of the half-normal plot and named in sentences; lack of fit found as
/// often as is said.
std::vector<Claim> simulateEffects(int studies);

/// The region of the settings that may be the best contains the one that is.
std::vector<Claim> simulatePlaces(int studies);

/// A run, and confirming runs, in a new block of a study in two to four blocks.
std::vector<Claim> simulateBlocks(int studies);

/// Center runs that are copies, and rounded results that are none.
std::vector<Claim> simulateCopiedRuns(int studies);

/// Noise that grows with the value or is correlated in time, and the scale that is chosen.
std::vector<Claim> simulateVariances(int studies);

/// Products of factors with multiplied noise, and sums: what models by default say of them.
std::vector<Claim> simulateDefaultModels(int studies);

/// Surfaces of machines, which are no quadratics: intervals of the models that are chosen.
std::vector<Claim> simulateSurfaces(int studies);

/// Models whose terms the runs chose: p of noise, intervals at random points.
std::vector<Claim> simulateChosenModels(int studies);

/// The optimum of such models: the corrected prediction and its intervals. Each study takes a hundred.
std::vector<Claim> simulateChosenOptima(int studies);

/// The 95 % interval of what a run costs contains its cost.
std::vector<Claim> simulateCosts(int studies);

/// Where runs fail, and what the next run gains.
std::vector<Claim> simulateFollowUps(int studies);

/// All of the above; `studies` for each row.
std::vector<Claim> simulateAll(int studies);

} // namespace quadric::answers
