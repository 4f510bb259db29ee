// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/report/table.h"

namespace quadric::report {

/// VIF and power of every term.
Table makePowerTable(const design::Evaluation& evaluation);

/// What was checked, whether it holds, and the numbers that decide it.
Table makeCheckTable(const design::Evaluation& evaluation);

/// Designs of these names side by side, ● at the best of them.
Table makeComparisonTable(const std::vector<std::string>& names,
                          const std::vector<design::ComparisonRow>& rows);

/// A number that judges a design, as it reads everywhere: "15", "0.71", "36.6 %", "0.62 σ", "0.38 σ²",
/// "37 %".
std::string formatDesignNumber(design::DesignNumber kind, double value);

} // namespace quadric::report
