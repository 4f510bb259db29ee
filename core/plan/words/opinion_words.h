// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/opinion/opinion.h"
#include "core/report/table.h"

namespace quadric::plan {

/// Errors of each model at runs left out, and whether it beats the polynomial.
report::Table makeOpinionTable(const Opinion& opinion);

/// By how much shuffling each factor enlarges the error of each model.
report::Table makeImportanceTable(const Opinion& opinion, const std::vector<study::Factor>& factors);

/// Whether any model beats the polynomial by more than chance, and what that means.
std::string describeOpinion(const Opinion& opinion);

} // namespace quadric::plan
