// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/generate/fraction.h"

namespace quadric::design {

/// The runs of the study's design again with the levels of these factors reversed, kind augment, without id,
/// order and block. Excluded runs are not repeated. Throws DesignError naming a factor of more than two
/// categories.
std::vector<study::Run> foldoverRuns(const study::Study& study, const std::vector<std::size_t>& factors);

/// The half of the runs with one factor reversed that tells most two-factor interactions apart.
std::vector<study::Run> semifoldoverRuns(const study::Study& study);

/// Bits of the factors to reverse so that the fraction and its foldover together have least aberration; all
/// of them for resolution III and among equals.
std::uint32_t bestFoldover(const Fraction& fraction);

} // namespace quadric::design
