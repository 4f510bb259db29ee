// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/information.h"

namespace quadric::design {

/// Correlations, over the runs, of the columns of the model (those left out too); for a model of first
/// degree also of those of second degree. Columns that do not vary over the runs are not listed.
NamedMatrix computeTermCorrelations(const Information& information);

/// A = (X₁'X₁)⁻¹X₁'X₂: what each term X₂ that the model leaves out adds to the expectation of each
/// coefficient X₁ (Box & Draper 2007, section 13.8; MMA 8). X₂: all terms up to one degree above the model's
/// that are not in it. Blocks are part of X₁ but not listed. Empty where X₂ would have more than 2000
/// columns.
NamedMatrix computeAliasMatrix(const Information& information);

/// Groups of terms without squares, out of the model's and those one degree above, whose columns are equal
/// over the runs up to their sign; groups of one are not listed.
std::vector<std::vector<std::string>> equalColumns(const Information& information);

} // namespace quadric::design
