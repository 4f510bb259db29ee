// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/generate/fraction.h"

namespace quadric::design {

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
/// - Foldover: every run of the design again with the signs of foldFactors() reversed;
/// - Semifoldover: half of the runs again with one factor reversed, the half and the factor for which most
///   two-factor interactions can be told apart (Mee & Peralta 2000);
/// - Optimal: the best additional runs for a model, see core/design/optimal/optimal.h.
/// Excluded runs are not repeated; nothing is changed in any run. Throws DesignError where the study's design
/// cannot be augmented in this way, naming the factor; Stopped.
study::Study augmented(study::Study study, Augmentation augmentation, const AugmentOptions& options = {},
                       const std::stop_token& stop = {}, const Progress& progress = {});

/// The factors whose signs a foldover reverses: all for a design that is no regular fraction or of resolution
/// III; else those for which the combined design has least aberration. Throws DesignError where nothing is
/// aliased.
std::vector<std::size_t> foldFactors(const study::Study& study);

} // namespace quadric::design
