// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace quadric::app {

/// A number with at most this many significant digits, in the C locale and without an exponent where that
/// reads well.
std::string numberText(double value, int digits = 5);
std::string numberText(const std::optional<double>& value, int digits = 5);

/// A p value: four decimals, "<0.0001" below.
std::string probabilityText(const std::optional<double>& p);

/// Seconds as "42 s", "3 min 20 s" or "2 h 5 min".
std::string durationText(double seconds);

/// Aligned columns for a terminal: numbers to the right with the same decimals down a column, text to the
/// left.
class TextTable {
public:
    using Cell = std::variant<std::string, double>;

    explicit TextTable(std::vector<std::string> headings);

    /// An empty optional makes an empty cell.
    static Cell cell(const std::optional<double>& value);

    void addRow(std::vector<Cell> cells);
    void print(std::ostream& out) const;

private:
    std::vector<std::string> columnTexts(std::size_t column) const;
    int decimalsOf(std::size_t column) const;
    bool isNumeric(std::size_t column) const;

    std::vector<std::string> m_headings;
    std::vector<std::vector<Cell>> m_rows;
};

} // namespace quadric::app
