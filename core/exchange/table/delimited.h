// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace quadric::exchange {

/// A file that cannot be taken over: names file, place, value found and what was expected, in one sentence.
class ImportError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// How a table is written as text. What is left out is found out from the text.
struct Dialect {
    char separator = '\0';            ///< ',', ';', tab or '|'
    std::optional<bool> decimalComma; ///< 3,5 is three and a half
};

/// A table of texts with one heading a column; every row has as many cells as there are headings.
struct TextGrid {
    std::vector<std::string> headers;
    std::vector<std::vector<std::string>> rows;
    std::vector<int> lines; ///< line of the file where each row starts, counted from 1
    char separator = ',';
    bool decimalComma = false;
    std::vector<std::string> notes; ///< what was decided in doubt
};

/// Reads delimited text (RFC 4180: quotes, doubled quotes, line breaks inside quotes; byte order mark and
/// both line endings are accepted; empty lines are skipped; see asUtf8() for the encoding). `name` stands in
/// messages. A first column without a heading is called "#". Throws ImportError for text without a heading
/// and a row, a row with another number of cells, an open quote, another heading that is empty or one that
/// appears twice, and for more than a spreadsheet takes: 1000 columns, 32767 bytes in a cell.
TextGrid readDelimited(std::string_view bytes, const std::string& name, const Dialect& dialect = {});

/// The number that the whole cell contains, see text::readNumber().
std::optional<double> numberIn(std::string_view cell, bool decimalComma);

/// The same table with a decimal point in each cell that is a number.
TextGrid withDecimalPoints(TextGrid grid);

/// Rows as delimited text that end in a line feed. Cells that hold the separator, quotes or line breaks are
/// quoted. A text that a spreadsheet would take for a formula (it starts with =, +, -, @, tab or carriage
/// return and is not a number) gets an apostrophe in front.
std::string writeDelimited(const std::vector<std::vector<std::string>>& rows, char separator);

} // namespace quadric::exchange
