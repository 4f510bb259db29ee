// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/text_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>

namespace quadric::app {

namespace {

constexpr int kColumnDigits = 6; ///< most significant digits of the largest number in a column
constexpr int kMostDecimals = 6;
constexpr double kSmallestPlain = 1e-4; ///< below, numbers are written with an exponent
constexpr double kLargestPlain = 1e9;

std::string toChars(double value, std::chars_format format, int precision)
{
    std::array<char, 64> buffer{};
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format, precision);
    return error == std::errc() ? std::string(buffer.data(), end) : std::string("?");
}

int exponentOf(double value)
{
    return value == 0.0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(value))));
}

bool readsWellPlain(double value)
{
    const double size = std::abs(value);
    return size == 0.0 || (size >= kSmallestPlain && size < kLargestPlain);
}

std::string withoutTrailingZeros(std::string text)
{
    if (text.find('.') == std::string::npos || text.find('e') != std::string::npos)
        return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

/// Decimals of a plain number that are not trailing zeros.
int decimalsIn(const std::string& text)
{
    const std::string shortest = withoutTrailingZeros(text);
    const std::size_t point = shortest.find('.');
    return point == std::string::npos ? 0 : static_cast<int>(shortest.size() - point - 1);
}

/// A number in a column with `decimals`; one that would lose its meaning there gets its own form.
std::string columnNumber(double value, int decimals)
{
    const bool isLost = value != 0.0 && exponentOf(value) + decimals < 1;
    if (!readsWellPlain(value) || isLost)
        return numberText(value, 3);
    const std::string text = toChars(value, std::chars_format::fixed, decimals);
    return text.find_first_not_of("-0.") == std::string::npos && text.front() == '-' ? text.substr(1) : text;
}

std::size_t widthOf(const std::string& text)
{
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

/// Also of an empty cell and of the dash for what is not known.
bool startsLikeNumber(const std::string& text)
{
    return text.empty() || text.starts_with("–") ||
           std::string_view("0123456789-<").find(text.front()) != std::string_view::npos;
}

void printCell(std::ostream& out, const std::string& text, std::size_t width, bool toTheRight, bool isLast)
{
    const std::string padding(width - widthOf(text), ' ');
    out << (toTheRight ? padding + text : isLast ? text : text + padding) << (isLast ? "\n" : "  ");
}

} // namespace

std::string numberText(double value, int digits)
{
    if (!readsWellPlain(value))
        return toChars(value, std::chars_format::scientific, digits - 1);
    const int decimals = std::max(0, digits - 1 - exponentOf(value));
    return withoutTrailingZeros(toChars(value, std::chars_format::fixed, decimals));
}

std::string numberText(const std::optional<double>& value, int digits)
{
    return value ? numberText(*value, digits) : "–";
}

std::string probabilityText(const std::optional<double>& p)
{
    if (!p)
        return "–";
    return *p < 1e-4 ? "<0.0001" : toChars(*p, std::chars_format::fixed, 4);
}

std::string durationText(double seconds)
{
    const long total = std::lround(seconds);
    if (total < 60)
        return std::to_string(total) + " s";
    if (total < 3600)
        return std::to_string(total / 60) + " min " + std::to_string(total % 60) + " s";
    return std::to_string(total / 3600) + " h " + std::to_string(total % 3600 / 60) + " min";
}

TextTable::TextTable(std::vector<std::string> headings)
    : m_headings(std::move(headings))
{
}

TextTable::Cell TextTable::cell(const std::optional<double>& value)
{
    return value ? Cell(*value) : Cell(std::string("–"));
}

void TextTable::addRow(std::vector<Cell> cells)
{
    cells.resize(m_headings.size());
    m_rows.push_back(std::move(cells));
}

bool TextTable::isNumeric(std::size_t column) const
{
    return std::ranges::all_of(m_rows, [column](const auto& row) {
        const auto* text = std::get_if<std::string>(&row[column]);
        return !text || startsLikeNumber(*text);
    });
}

int TextTable::decimalsOf(std::size_t column) const
{
    double largest = 0.0;
    for (const auto& row : m_rows) {
        const double* value = std::get_if<double>(&row[column]);
        if (value && readsWellPlain(*value))
            largest = std::max(largest, std::abs(*value));
    }
    const int most = std::clamp(kColumnDigits - 1 - exponentOf(largest), 0, kMostDecimals);
    int needed = 0;
    for (const auto& row : m_rows) {
        const double* value = std::get_if<double>(&row[column]);
        if (value && readsWellPlain(*value))
            needed = std::max(needed, decimalsIn(toChars(*value, std::chars_format::fixed, most)));
    }
    return needed;
}

std::vector<std::string> TextTable::columnTexts(std::size_t column) const
{
    const int decimals = decimalsOf(column);
    std::vector<std::string> texts = {m_headings[column]};
    for (const auto& row : m_rows) {
        const double* value = std::get_if<double>(&row[column]);
        texts.push_back(value ? columnNumber(*value, decimals) : std::get<std::string>(row[column]));
    }
    return texts;
}

void TextTable::print(std::ostream& out) const
{
    std::vector<std::vector<std::string>> columns;
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < m_headings.size(); ++column) {
        columns.push_back(columnTexts(column));
        std::size_t width = 0;
        for (const std::string& text : columns.back())
            width = std::max(width, widthOf(text));
        widths.push_back(width);
    }
    for (std::size_t line = 0; line <= m_rows.size(); ++line) {
        for (std::size_t column = 0; column < columns.size(); ++column)
            printCell(out, columns[column][line], widths[column], isNumeric(column),
                      column + 1 == columns.size());
    }
}

} // namespace quadric::app
