// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/report/table.h"

namespace quadric::report {

/// VIF and power of every term.
Table makePowerTable(const design::Evaluation& evaluation);

/// What was checked, whether it holds, and the numbers that decide it.
Table makeCheckTable(const design::Evaluation& evaluation);

/// Two designs side by side, ● at the better one.
Table makeComparisonTable(const std::string& first, const std::string& second,
                          const std::vector<design::ComparisonRow>& rows);

} // namespace quadric::report
