// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// The numbers of numeric factors for which a design was published.
std::vector<int> boxBehnkenFactors();

/// Into how many orthogonal blocks the design of this many factors can be divided, ascending from 1.
std::vector<int> boxBehnkenBlocks(int factors);

/// Center runs of the published design (Box & Behnken 1960, table 4): 3 for 3 and 4 factors, 6 for 5 to 7, 10
/// for 9 and 10, 12 for more.
int boxBehnkenCenters(int factors);

/// The points of boxBehnken() with their block, block by block. `blocks` is one of boxBehnkenBlocks(factors);
/// throws DesignError for anything else.
std::vector<DesignPoint> boxBehnkenPoints(int factors, int blocks);

} // namespace quadric::design
