// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/table.h"

#include "core/text/visible_text.h"

#include <algorithm>
#include <cmath>

namespace quadric::report {

Cell makeCell(const std::optional<double>& value, Digits digits)
{
    return value && std::isfinite(*value) ? Cell(Number{*value, digits, {}}) : Cell();
}

Cell makeEstimateCell(const std::optional<double>& value, const std::optional<double>& uncertainty)
{
    return value && std::isfinite(*value) ? Cell(Number{*value, Digits::Significant, uncertainty}) : Cell();
}

std::optional<double> findNumber(const Cell& cell)
{
    if (const auto* whole = std::get_if<int>(&cell))
        return *whole;
    if (const auto* number = std::get_if<Number>(&cell))
        return number->value;
    if (const auto* bounded = std::get_if<Bounded>(&cell))
        return bounded->value;
    return std::nullopt;
}

namespace {

std::string formatTableNumber(const Number& number, text::Typography typography)
{
    switch (number.digits) {
    case Digits::Significant:
        return text::formatNumber(number.value, number.uncertainty, typography);
    case Digits::Setting:
        return text::formatDigits(number.value, 6, typography);
    case Digits::Ratio:
        return text::formatDecimals(number.value, 2, typography);
    case Digits::Share:
        return text::formatShare(number.value, 3, typography);
    case Digits::Desirability:
        return text::formatShare(number.value, 2, typography);
    case Digits::Probability:
        return text::formatP(number.value);
    case Digits::Percent:
        return text::formatPercent(number.value, 1, typography);
    }
    return {};
}

/// Characters, not bytes, of text without any that takes no room.
std::size_t widthOf(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<std::vector<std::string>> linesOf(const Table& table)
{
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& column : table.columns)
        lines.front().push_back(text::makeVisible(formatHeading(column)));
    for (const std::vector<Cell>& row : table.rows) {
        std::vector<std::string>& line = lines.emplace_back();
        for (const Cell& cell : row)
            line.push_back(text::makeVisible(formatCell(cell)));
        line.resize(table.columns.size());
    }
    return lines;
}

} // namespace

std::string formatCell(const Cell& cell, text::Typography typography)
{
    if (const auto* words = std::get_if<std::string>(&cell))
        return *words;
    if (const auto* whole = std::get_if<int>(&cell))
        return text::formatDecimals(*whole, 0, typography);
    if (const auto* number = std::get_if<Number>(&cell))
        return formatTableNumber(*number, typography);
    if (const auto* bounded = std::get_if<Bounded>(&cell))
        return text::formatInterval(bounded->value, bounded->low, bounded->high, typography);
    if (const auto* range = std::get_if<Range>(&cell))
        return text::formatRange(range->low, range->high, typography) + range->unit;
    if (const auto* term = std::get_if<TermName>(&cell))
        return text::formatTerm(term->name, typography);
    return std::string(text::kNothing);
}

std::string formatHeading(const Column& column)
{
    return column.unit.empty() ? column.title : column.title + " (" + column.unit + ")";
}

std::string renderTerminal(const Table& table)
{
    const std::vector<std::vector<std::string>> lines = linesOf(table);
    std::vector<std::size_t> widths(table.columns.size(), 0);
    for (const auto& line : lines)
        for (std::size_t i = 0; i < widths.size(); ++i)
            widths[i] = std::max(widths[i], widthOf(line[i]));
    std::string text;
    for (const auto& line : lines)
        for (std::size_t i = 0; i < widths.size(); ++i) {
            const std::string padding(widths[i] - widthOf(line[i]), ' ');
            const bool isLast = i + 1 == widths.size();
            const bool isNumber = table.columns[i].kind == ColumnKind::Number;
            text += isNumber ? padding + line[i] : isLast ? line[i] : line[i] + padding;
            text += isLast ? "\n" : "  ";
        }
    return table.note.empty() ? text : text + table.note + "\n";
}

} // namespace quadric::report
