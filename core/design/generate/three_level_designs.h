// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// The numbers of numeric factors for which a design was published.
std::vector<int> boxBehnkenFactors();

/// Into how many orthogonal blocks the design of this many factors can be divided, ascending from 1.
std::vector<int> boxBehnkenBlocks(int factors);

/// The points of boxBehnken() with their block, block by block. `blocks` is one of boxBehnkenBlocks(factors);
/// throws DesignError for anything else.
std::vector<DesignPoint> boxBehnkenPoints(int factors, int blocks);

/// Orders of the conference matrices that there are, ascending: 4, 6, 8 … 50 with gaps.
std::vector<int> conferenceOrders();

} // namespace quadric::design
