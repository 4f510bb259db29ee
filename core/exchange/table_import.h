// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/delimited.h"
#include "core/study/study.h"

namespace quadric::exchange {

enum class ColumnRole { Ignored, Factor, Response, Id, Order, Block, Kind, Status, Source };

/// What one column of a table becomes. `type` and `scale` belong to factors, `goal` to responses.
struct ColumnMapping {
    std::string header; ///< as in the table
    ColumnRole role = ColumnRole::Ignored;
    std::string name;
    std::string unit;
    study::FactorType type = study::FactorType::Continuous;
    study::Scale scale = study::Scale::Linear;
    study::Goal goal = study::Goal::None;
};

/// "name (unit)", "name [unit]" or "name / unit" → name and unit.
std::pair<std::string, std::string> nameAndUnit(const std::string& header);

/// A first guess, one entry a column: run, order, block, kind, status and source by their usual headings;
/// texts with few different values are categorical factors; of the numbers, columns whose values come back in
/// several rows are factors, the others responses. Integer factors are those with whole numbers only.
std::vector<ColumnMapping> guessMapping(const TextGrid& grid);

struct ImportedStudy {
    study::Study study;
    std::vector<std::string> warnings; ///< everything ignored, changed or suspicious, in words
};

/// A study from a table of settings and results: one run for each row, results beside the settings of the
/// same row. Ranges are the smallest and largest value; the design is recognised (see recognise.h). Rows
/// without any result become pending runs. Throws ImportError naming line and column for a cell that is not
/// what the mapping says, and where no factor is left.
ImportedStudy studyOf(const TextGrid& grid, const std::vector<ColumnMapping>& mapping,
                      const std::string& name);

} // namespace quadric::exchange
