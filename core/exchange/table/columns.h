// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/table/delimited.h"
#include "core/study/study.h"

#include <set>

namespace quadric::exchange {

enum class ColumnRole { Ignored, Factor, Response, Id, Order, Block, Kind, Status, Source, Remark };

/// What one column of a table becomes. `type` and `scale` belong to factors, `goal` to responses.
struct ColumnMapping {
    std::string header; ///< as in the table
    ColumnRole role = ColumnRole::Ignored;
    std::string name;
    std::string unit;
    study::FactorType type = study::FactorType::Continuous;
    study::Scale scale = study::Scale::Linear;
    study::Goal goal = study::Goal::None;

    bool operator==(const ColumnMapping&) const = default;
};

/// "name (unit)", "name [unit]" or "name / unit" → name and unit.
std::pair<std::string, std::string> nameAndUnit(const std::string& header);

/// The heading that nameAndUnit() takes apart again, and guessMapping() for nothing but a factor or a
/// response.
std::string headingOf(const std::string& name, const std::string& unit);

/// A first guess, one entry a column: run, order, block, kind, status, source and remarks by their usual
/// headings; texts with few different values are categorical factors; of the numbers, columns whose values
/// come back in several rows are factors, and so are full columns before the last of them; the others are
/// responses. A column of numbers may contain words for what was not measured (see result_cell.h). Integer
/// factors are those with whole numbers only. Headings that differ in their units alone are names as they
/// stand.
std::vector<ColumnMapping> guessMapping(const TextGrid& grid);

/// What the cells of a column contain.
struct ColumnContent {
    std::size_t filled = 0; ///< cells with a text, in a column of numbers with a number
    std::set<std::string> texts;
    std::set<double> numbers;
    std::string unit;      ///< behind all numbers that have one
    bool isNumeric = true; ///< apart from words for what was not measured
    bool isWhole = true;
    bool isUnitSeldom = false; ///< some numbers have the unit and some do not
};

ColumnContent contentOf(const TextGrid& grid, std::size_t column);

} // namespace quadric::exchange
