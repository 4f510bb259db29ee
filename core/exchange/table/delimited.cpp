// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table/delimited.h"

#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

namespace quadric::exchange {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A character of several bytes: the least and the largest second byte leave out overlong forms, surrogates
/// and what lies behind U+10FFFF (The Unicode Standard, table 3-7).
struct Lead {
    unsigned char first, last;
    std::size_t length;
    unsigned char least = 0x80, most = 0xBF;
};

constexpr std::array<Lead, 8> kLeads = {{{0xC2, 0xDF, 2},
                                         {0xE0, 0xE0, 3, 0xA0},
                                         {0xE1, 0xEC, 3},
                                         {0xED, 0xED, 3, 0x80, 0x9F},
                                         {0xEE, 0xEF, 3},
                                         {0xF0, 0xF0, 4, 0x90},
                                         {0xF1, 0xF3, 4},
                                         {0xF4, 0xF4, 4, 0x80, 0x8F}}};

/// Bytes of the character that the text begins with; 0 where it is none.
std::size_t characterLength(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80)
        return 1;
    const auto* lead = std::ranges::find_if(
        kLeads, [&](const Lead& each) { return each.first <= byte(0) && byte(0) <= each.last; });
    if (lead == kLeads.end() || text.size() < lead->length || byte(1) < lead->least || byte(1) > lead->most)
        return 0;
    for (std::size_t i = 2; i < lead->length; ++i) {
        if (byte(i) < 0x80 || byte(i) > 0xBF)
            return 0;
    }
    return lead->length;
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string fromLatin1(std::string_view text)
{
    std::string utf8;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x80)
            utf8 += c;
        else
            utf8 += {static_cast<char>(0xC0 | (byte >> 6)), static_cast<char>(0x80 | (byte & 0x3F))};
    }
    return utf8;
}

/// The text of a file as UTF-8, without its byte order mark. Text that is not UTF-8 is read as Latin-1
/// (ISO 8859-1), which `notes` then says. `name` stands in messages. Throws ImportError for a zero byte: such
/// a file is UTF-16 or no text.
std::string asUtf8(std::string_view text, const std::string& name, std::vector<std::string>& notes)
{
    if (text.starts_with(kByteOrderMark))
        text.remove_prefix(kByteOrderMark.size());
    if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
        throw ImportError(name + ": line " +
                          std::to_string(1 + std::ranges::count(text.substr(0, zero), '\n')) +
                          " contains a zero byte, expected text in UTF-8");
    if (isUtf8(text))
        return std::string(text);
    notes.push_back("the text is not UTF-8; it is read as Latin-1");
    return fromLatin1(text);
}

constexpr std::array kSeparators = {',', ';', '\t', '|'};
constexpr std::string_view kFormulaStarts = "=+-@\t\r";
/// What spreadsheets take at most in a cell and, generously, side by side; more is no table of runs.
constexpr std::size_t kLongestCell = 32767;
constexpr std::size_t kMostColumns = 1000;
constexpr const char* kRowNumbers =
    "#"; ///< what a first column without a heading has, as data frames are written

struct Record {
    std::vector<std::string> cells;
    int line = 1;
};

/// Splits text into records, one character at a time.
class RecordReader {
public:
    RecordReader(std::string_view text, std::string name, char separator)
        : m_text(text)
        , m_name(std::move(name))
        , m_separator(separator)
    {
    }

    std::vector<Record> read()
    {
        for (std::size_t i = 0; i < m_text.size(); ++i)
            i += take(m_text[i], i + 1 < m_text.size() ? m_text[i + 1] : '\0');
        if (m_isQuoted)
            throw ImportError(m_name + ": line " + std::to_string(m_quoteLine) +
                              ": a quote is opened and never closed, expected a closing quote");
        endRecord();
        return std::move(m_records);
    }

private:
    /// Returns how many characters after this one are used up.
    std::size_t take(char c, char next)
    {
        if (c == '\n')
            ++m_line;
        if (m_isQuoted)
            return takeQuoted(c, next);
        if (c == '"' && text::withoutBlanks(m_cell).empty()) {
            m_cell.clear();
            m_isQuoted = m_wasQuoted = true;
            m_quoteLine = m_line;
        } else if (c == m_separator)
            endCell();
        else if (c == '\n')
            endRecord();
        else if (c != '\r' || next != '\n')
            m_cell += c;
        return 0;
    }

    std::size_t takeQuoted(char c, char next)
    {
        if (c != '"')
            m_cell += c;
        else if (next == '"') {
            m_cell += '"';
            return 1;
        } else
            m_isQuoted = false;
        return 0;
    }

    void endCell()
    {
        m_record.cells.push_back(m_wasQuoted ? m_cell : std::string(text::withoutBlanks(m_cell)));
        m_cell.clear();
        m_wasQuoted = false;
    }

    void endRecord()
    {
        endCell();
        const bool isEmpty =
            std::ranges::all_of(m_record.cells, [](const std::string& cell) { return cell.empty(); });
        if (!isEmpty)
            m_records.push_back(m_record);
        m_record = {.cells = {}, .line = m_line};
    }

    std::string_view m_text;
    std::string m_name;
    char m_separator;
    std::vector<Record> m_records;
    Record m_record;
    std::string m_cell;
    int m_line = 1, m_quoteLine = 1;
    bool m_isQuoted = false, m_wasQuoted = false;
};

std::ptrdiff_t countFilled(const Record& record)
{
    return std::ranges::count_if(record.cells, [](const std::string& cell) { return !cell.empty(); });
}

bool isWords(const Record& record)
{
    return std::ranges::all_of(record.cells, [](const std::string& cell) {
        return !cell.empty() && !numberIn(cell, false) && !numberIn(cell, true);
    });
}

/// Lines above the headings that have text in their first cell only, such as a title.
std::size_t countTitles(const std::vector<Record>& records)
{
    std::size_t titles = 0;
    while (titles + 2 < records.size() && countFilled(records[titles]) == 1 &&
           !records[titles].cells.front().empty())
        ++titles;
    const bool areHeadings = titles > 0 && records[titles].cells.size() > 1 && isWords(records[titles]);
    return areHeadings ? titles : 0;
}

std::vector<Record> withoutTitles(std::vector<Record> records)
{
    records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(countTitles(records)));
    return records;
}

/// Takes the line "sep=;", by which Excel is told the separator, out of the text.
char takeSeparatorLine(std::string& text)
{
    constexpr std::string_view kKey = "sep=";
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    const bool isThere = end == kKey.size() + 1 && text.starts_with(kKey) &&
                         std::ranges::find(kSeparators, text[kKey.size()]) != kSeparators.end();
    if (!isThere)
        return '\0';
    const char separator = text[kKey.size()];
    text.replace(0, end, ""); // the line stays, empty, so that the others keep their numbers
    return separator;
}

/// The separator that cuts the most records into as many cells as the headings, more than one.
char detectSeparator(std::string_view text, const std::string& name)
{
    char best = ',';
    std::size_t bestScore = 0;
    for (const char separator : kSeparators) {
        const std::vector<Record> records = withoutTitles(RecordReader(text, name, separator).read());
        if (records.empty() || records.front().cells.size() < 2)
            continue;
        const std::size_t width = records.front().cells.size();
        const auto fitting = static_cast<std::size_t>(std::ranges::count_if(
            records, [width](const Record& record) { return record.cells.size() == width; }));
        const std::size_t score = fitting * 1000 + width;
        if (score > bestScore) {
            bestScore = score;
            best = separator;
        }
    }
    return best;
}

/// What the numbers of a table say of their decimal mark.
struct MarkEvidence {
    bool isPoint = false, isComma = false; ///< some number can be read in this way only
    bool isAmbiguous = false;              ///< 1,234 can be read in two ways

    void add(std::string_view cell)
    {
        const auto withPoint = numberIn(cell, false), withComma = numberIn(cell, true);
        isPoint |= withPoint && !withComma;
        isComma |= withComma && !withPoint;
        isAmbiguous |=
            withPoint && withComma && *withPoint != *withComma && cell.find(',') != std::string_view::npos;
    }
};

/// Without clear numbers, where a semicolon separates the cells, the comma is the decimal mark.
void decideDecimalMark(TextGrid& grid)
{
    MarkEvidence evidence;
    for (const std::vector<std::string>& row : grid.rows)
        for (const std::string& cell : row)
            evidence.add(cell);
    const bool isClear = evidence.isPoint || evidence.isComma;
    grid.decimalComma = isClear ? !evidence.isPoint : evidence.isAmbiguous && grid.separator == ';';
    if (isClear || !evidence.isAmbiguous)
        return;
    grid.notes.push_back(
        grid.decimalComma
            ? "numbers like 1,234 are read with a decimal comma; choose the decimal point (--decimal-point) "
              "where the comma separates thousands"
            : "numbers like 1,234 are read as thousands; choose the decimal comma (--decimal-comma) where "
              "the comma precedes decimals");
}

[[noreturn]] void failAtHeading(const std::string& name, const std::string& heading)
{
    throw ImportError(name + ": the heading \"" + heading + "\" appears twice, expected different names");
}

void checkHeaders(const TextGrid& grid, const std::string& name, int line)
{
    std::set<std::string> seen;
    for (std::size_t i = 0; i < grid.headers.size(); ++i) {
        const std::string& header = grid.headers[i];
        if (header.empty())
            throw ImportError(name + ": line " + std::to_string(line) + ": column " + std::to_string(i + 1) +
                              " has no heading, expected a name for every column");
        if (!seen.insert(header).second)
            failAtHeading(name, header);
    }
}

void checkSizes(const std::vector<Record>& records, const std::string& name)
{
    if (const std::size_t columns = records.front().cells.size(); columns > kMostColumns)
        throw ImportError(name + ": " + std::to_string(columns) + " columns, expected at most " +
                          std::to_string(kMostColumns));
    for (const Record& record : records) {
        const auto cell = std::ranges::max_element(record.cells, {}, &std::string::size);
        if (cell->size() > kLongestCell)
            throw ImportError(name + ": line " + std::to_string(record.line) + " has a cell of " +
                              std::to_string(cell->size()) + " bytes, expected at most " +
                              std::to_string(kLongestCell));
    }
}

/// True for a text that a spreadsheet would take for a formula, behind any number of apostrophes.
bool isFormula(std::string_view cell)
{
    const std::size_t start = cell.find_first_not_of('\'');
    return start != std::string_view::npos && kFormulaStarts.find(cell[start]) != std::string_view::npos;
}

std::string withoutGuard(const std::string& cell)
{
    return cell.starts_with('\'') && isFormula(cell) ? cell.substr(1) : cell;
}

void addRow(TextGrid& grid, Record record, const std::string& name)
{
    if (record.cells.size() != grid.headers.size())
        throw ImportError(name + ": line " + std::to_string(record.line) + " has " +
                          text::formatCount(record.cells.size(), "cell") + ", expected " +
                          std::to_string(grid.headers.size()) + " as in the headings");
    std::ranges::transform(record.cells, record.cells.begin(), withoutGuard);
    grid.rows.push_back(std::move(record.cells));
    grid.lines.push_back(record.line);
}

std::string cellText(const std::string& cell, char separator)
{
    const bool isGuarded = isFormula(cell) && !numberIn(cell, false) && !numberIn(cell, true);
    std::string text = isGuarded ? "'" + cell : cell;
    // Any separator: a spreadsheet may cut at another one than the file was written with.
    if (text.find_first_of(std::string("\"\n\r") + separator + ",;\t|") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char c : text) {
        quoted += c;
        if (c == '"')
            quoted += c;
    }
    return quoted + '"';
}

} // namespace

TextGrid readDelimited(std::string_view bytes, const std::string& name, const Dialect& dialect)
{
    TextGrid grid;
    std::string text = asUtf8(bytes, name, grid.notes);
    const char said = takeSeparatorLine(text);
    grid.separator = dialect.separator != '\0' ? dialect.separator
                     : said != '\0'            ? said
                                               : detectSeparator(text, name);
    std::vector<Record> records = RecordReader(text, name, grid.separator).read();
    for (const Record& title : std::span(records).first(countTitles(records)))
        grid.notes.push_back("line " + std::to_string(title.line) + " is a title, not headings: \"" +
                             title.cells.front() + "\"");
    records = withoutTitles(std::move(records));
    if (records.size() < 2)
        throw ImportError(name + ": " + (records.empty() ? "empty" : "only one line") +
                          ", expected a line of headings and a line for every run");
    checkSizes(records, name);
    grid.headers = records.front().cells;
    std::ranges::transform(grid.headers, grid.headers.begin(), withoutGuard);
    if (grid.headers.size() > 1 && grid.headers.front().empty())
        grid.headers.front() = kRowNumbers;
    checkHeaders(grid, name, records.front().line);
    for (std::size_t i = 1; i < records.size(); ++i)
        addRow(grid, std::move(records[i]), name);
    if (dialect.decimalComma)
        grid.decimalComma = *dialect.decimalComma;
    else
        decideDecimalMark(grid);
    return grid;
}

std::optional<double> numberIn(std::string_view cell, bool decimalComma)
{
    return text::readNumber(cell, decimalComma ? ',' : '.');
}

TextGrid withDecimalPoints(TextGrid grid)
{
    if (!grid.decimalComma)
        return grid;
    for (std::vector<std::string>& row : grid.rows)
        for (std::string& cell : row)
            if (const auto number = numberIn(cell, true))
                cell = text::formatExactly(*number);
    grid.decimalComma = false;
    return grid;
}

std::string writeDelimited(const std::vector<std::vector<std::string>>& rows, char separator)
{
    std::string text;
    for (const std::vector<std::string>& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i)
            text += (i > 0 ? std::string(1, separator) : std::string()) + cellText(row[i], separator);
        text += '\n';
    }
    return text;
}

} // namespace quadric::exchange
