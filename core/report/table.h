// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace quadric::report {

enum class ColumnKind { Text, Number };

struct Column {
    std::string key;     ///< the name in the JSON of `analyze`; empty for what has none
    std::string title;   ///< the field's term
    std::string tooltip; ///< one plain sentence; empty for what explains itself
    std::string unit;
    ColumnKind kind = ColumnKind::Text;
};

/// A number and the half width of its interval, which decides how many digits are shown.
struct Estimate {
    double value = 0.0;
    std::optional<double> uncertainty;
};

/// A p value.
struct Probability {
    double p = 0.0;
};

/// What a cell holds; std::monostate for what is not known.
using Cell = std::variant<std::monostate, std::string, double, Estimate, Probability>;

/// A table as a value: what it says, not how it looks. Terminal, window, printed report, Markdown, LaTeX and
/// CSV render it.
struct Table {
    std::string id; ///< "coefficients", "anova", …
    std::string caption;
    std::vector<Column> columns;
    std::vector<std::vector<Cell>> rows;
    std::string note; ///< below the table: what is marked, what is missing
};

/// The number in a cell, if it holds one.
std::optional<double> findNumber(const Cell& cell);

/// The cell of an optional number; empty where there is none.
Cell makeCell(const std::optional<double>& value);

/// The cell of an optional p value; empty where there is none.
Cell makeProbabilityCell(const std::optional<double>& p);

} // namespace quadric::report
