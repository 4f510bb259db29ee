// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/numbers.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace quadric::report {

enum class ColumnKind { Text, Number };

struct Column {
    std::string title = {};   ///< the field's term
    std::string tooltip = {}; ///< one plain sentence; empty for what explains itself
    ColumnKind kind = ColumnKind::Number;
    std::string key = {};  ///< the name of these values in the JSON of `analyze`; empty where they have none
    std::string unit = {}; ///< stands behind the title
};

/// Which digits a number gets.
enum class Digits {
    Significant,  ///< four, or two of the uncertainty
    Setting,      ///< six: what somebody has to set
    Ratio,        ///< two decimals: t, F and VIF
    Share,        ///< three decimals: R²
    Desirability, ///< two decimals
    Probability,  ///< as p values are written
    Percent,      ///< a share between 0 and 1 in percent
};

struct Number {
    double value = 0.0;
    Digits digits = Digits::Significant;
    std::optional<double> uncertainty = {}; ///< half width of its interval
};

/// A number with its interval.
struct Bounded {
    double value = 0.0, low = 0.0, high = 0.0;
};

/// The ends of an interval, and what stands behind them.
struct Range {
    double low = 0.0, high = 0.0;
    std::string unit = {}; ///< with its space: " %"
};

/// A term of a model, "A*B", which is typeset where that can be done.
struct TermName {
    std::string name;
};

/// What a cell holds; std::monostate for what is not known.
using Cell = std::variant<std::monostate, std::string, int, Number, Bounded, Range, TermName>;

/// A table as a value: what it says, not how it looks. Terminal, window, printed report, Markdown, LaTeX and
/// CSV render it.
struct Table {
    /// "coefficients", …: the name of the same numbers in `analyze --json`, where it has them.
    std::string id = {};
    std::string caption = {};
    std::vector<Column> columns = {};
    std::vector<std::vector<Cell>> rows = {};
    std::string note = {}; ///< below the table: what is marked, what is missing
};

/// The cell of a number; unknown where there is none or it is not finite.
Cell makeCell(const std::optional<double>& value, Digits digits = Digits::Significant);

/// The cell of a number whose uncertainty decides its digits.
Cell makeEstimateCell(const std::optional<double>& value, const std::optional<double>& uncertainty);

/// The number in a cell, if it holds one.
std::optional<double> findNumber(const Cell& cell);

/// What stands in a cell; "–" for what is not known.
std::string formatCell(const Cell& cell, text::Typography typography = text::Typography::Plain);

/// "throughput (img/s)".
std::string formatHeading(const Column& column);

/// The table for a terminal: headings, rows and note with aligned columns, numbers to the right, each line
/// ended.
std::string renderTerminal(const Table& table);

} // namespace quadric::report
