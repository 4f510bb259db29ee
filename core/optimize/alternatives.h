// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/line_search.h"

namespace quadric::optimize {

/// Settings worth knowing beside an optimum: for every factor the best setting with that factor moved away,
/// to its next legal value below and above, another category, or half a coded unit along a continuous factor.
/// Best first, without repetitions; points where no setting is legal are missing.
std::vector<Candidate> alternativesTo(LineSearch& lines, const Candidate& best);

} // namespace quadric::optimize
