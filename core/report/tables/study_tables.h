// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"
#include "core/report/table.h"
#include "core/study/study.h"

#include <vector>

namespace quadric::report {

Table makeFactorTable(const study::Study& study);
Table makeResponseTable(const study::Study& study);

/// All runs in the order in which they are executed, settings and results in actual units, results with their
/// spread and with the same decimals down a column.
Table makeRunTable(const study::Study& study);

/// The columns of the settings, one for each factor, and the cells of one setting.
void addFactorColumns(const study::Study& study, Table& table);
void addSettingCells(const study::Study& study, const study::Settings& settings, std::vector<Cell>& row);

/// A result with its spread, "1234.5 ± 2.1"; without a spread with the digits of `uncertainty`.
Cell makeResultCell(const study::Run& run, std::string_view response, double uncertainty);

/// The uncertainty that gives all results of a response the same decimals: as many as its largest result
/// deserves with four digits, fewer where none needs them.
double commonUncertainty(const study::Study& study, std::string_view response);

/// A point type: "factorial", "center", "axial", "baseline", "confirmation", "augmented".
std::string describeKind(study::RunKind kind);

/// "pending", "measuring", "done", "disturbed", "failed: out of memory", "excluded: …".
std::string describeStatus(const study::Run& run);

/// "maximize", "minimize", "target 80 %", "no goal".
std::string describeGoal(const study::Response& response);

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
