// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/design.h"

namespace quadric::design {

/// Number of orthogonal blocks into which the published design of this many factors can be divided, besides
/// one; 0 where there is none.
int boxBehnkenBlocks(int factors);

/// The points of boxBehnken() with their block, block by block. `blocks` is 1 or boxBehnkenBlocks(factors);
/// throws DesignError for anything else.
std::vector<DesignPoint> boxBehnkenPoints(int factors, int blocks);

/// The study's Box–Behnken design; a Generator of core/design/design_type.h.
std::vector<DesignPoint> boxBehnkenOf(const study::Study& study, const std::stop_token& stop,
                                      const Progress& progress);

} // namespace quadric::design
