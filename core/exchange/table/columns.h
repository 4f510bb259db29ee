// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/table/delimited.h"
#include "core/study/run.h"
#include "core/study/study.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace quadric::exchange {

/// The text with a blank for every control character: it stays on its line.
std::string oneLine(std::string text);

/// What a cell of results says.
struct ResultCell {
    enum class Kind { Number, Missing, Failed, Unreadable };
    Kind kind = Kind::Missing;
    double value = 0;    ///< Number
    std::string unit;    ///< Number: what stands behind it ("%", "ms")
    std::string failure; ///< Failed: the kind as a study has it ("out-of-memory")

    bool isNumber() const { return kind == Kind::Number; }
};

/// Reads a cell: a number, with its unit; nothing ("", "n/a", "NaN", "-", …); a word for a failure ("OOM",
/// "timed out", "crashed", …); or something else.
ResultCell readResultCell(std::string_view cell, bool decimalComma);

/// The kind of failure that a remark or a state speaks of; empty where it speaks of none.
std::string failureIn(std::string_view words);

/// A failure as one text ("out-of-memory: needs 9 GiB"), and back; a text without a kind is a message.
std::string toText(const study::Failure& failure);
study::Failure failureFrom(const std::string& text);

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
std::string makeHeading(const std::string& name, const std::string& unit);

/// A first guess, one entry a column: run, order, block, kind, status, source and remarks by their usual
/// headings; texts with few different values are categorical factors; of the numbers, columns whose values
/// come back in several rows are factors, and so are full columns before the last of them; the others are
/// responses. A column of numbers may contain words for what was not measured (see ResultCell). Integer
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
