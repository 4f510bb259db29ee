// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/base/term.h"

namespace quadric::model {

/// The row of the analysis of variance that a term is counted in: "Linear", "Interactions", "Quadratic",
/// "Cubic", "3-factor interactions", … Terms are in canonical order, so that each group is one stretch of
/// them.
std::string groupOf(const Term& term);

} // namespace quadric::model
