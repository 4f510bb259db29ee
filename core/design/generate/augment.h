// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/generate/fraction.h"
#include "core/study/study.h"

namespace quadric::design {

/// The half of the runs with one factor reversed that tells most two-factor interactions apart.
std::vector<study::Run> semifoldoverRuns(const study::Study& study);

/// Bits of the factors to reverse so that the fraction and its foldover together have least aberration; all
/// of them for resolution III and among equals.
std::uint32_t bestFoldover(const Fraction& fraction);

/// Ways to go on from a design without losing a run that was spent.
enum class Augmentation { Star, Center, Foldover, Semifoldover, Optimal };

/// "star", "center", "foldover", "semifoldover", "optimal".
std::string_view nameOf(Augmentation augmentation);
std::optional<Augmentation> augmentationFrom(std::string_view name);
std::vector<std::string> augmentations();

struct AugmentOptions {
    int runs = 0; ///< center runs (star: beside the axial runs) or optimal runs; 0: the usual number
    std::string alpha = {}; ///< star: distance of the axial runs; empty: as for a central composite design
    std::string model = {}; ///< optimal: what the additional runs are best for; empty: quadratic
};

/// The study with new runs after all that it has, in a block of their own as soon as one of the old runs has
/// been made:
/// - Star: axial runs of the numeric factors and center runs, for a two-level design;
/// - Center: center runs;
/// - Foldover: every run of the design again with the signs of the factors reversed that leave the least
///   aberration (bestFoldover());
/// - Semifoldover: half of the runs again with one factor reversed, the half and the factor for which most
///   two-factor interactions can be told apart (Mee & Peralta 2000);
/// - Optimal: the best additional runs for a model, see core/design/optimal/optimal.h.
/// Excluded runs are not repeated; nothing is changed in any run. Throws DesignError where the study's design
/// cannot be augmented in this way, naming the factor; Stopped.
study::Study augmented(study::Study study, Augmentation augmentation, const AugmentOptions& options = {},
                       const std::stop_token& stop = {}, const Progress& progress = {});

/// Ids of the runs that make up the design: neither baselines nor confirmations nor excluded runs.
std::vector<int> runsOfDesign(const study::Study& study);

/// The study with these runs so many times more, pending, after all that it has, in random order where the
/// design is randomized. A replicate is in the block of the run that it repeats and of its point type, but
/// for design points, which are augmented ones. Unknown ids are ignored.
study::Study withReplicates(study::Study study, const std::vector<int>& runIds, int times);

} // namespace quadric::design
