// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table/columns.h"

#include "core/text/typed_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace quadric::exchange {

std::string oneLine(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    return text;
}

namespace {

constexpr std::string_view kUnknownCause = "cause-not-given";

constexpr std::array<std::string_view, 28> kMissingWords = {
    "",    "n/a", "na",    "n.a.",    "n. a.",   "nan",    "none",  "null",        "nil",  "missing",
    "?",   ".",   "-",     "--",      "–",       "—",      "*",     "tbd",         "#n/a", "#na",
    "n/d", "nd",  "#num!", "#value!", "#div/0!", "#null!", "#ref!", "not measured"};

struct FailureWords {
    std::string_view part; ///< of the cell, in small letters
    std::string_view kind;
};
constexpr std::array<FailureWords, 27> kFailureWords = {{{"oom", "out-of-memory"},
                                                         {"out of memory", "out-of-memory"},
                                                         {"out-of-memory", "out-of-memory"},
                                                         {"out_of_memory", "out-of-memory"},
                                                         {"outofmemory", "out-of-memory"},
                                                         {"memoryerror", "out-of-memory"},
                                                         {"timeout", "timeout"},
                                                         {"time-out", "timeout"},
                                                         {"time out", "timeout"},
                                                         {"timed out", "timeout"},
                                                         {"time limit", "timeout"},
                                                         {"cancel", "cancelled"},
                                                         {"diverge", "diverged"},
                                                         {"infinity", "bad-output"},
                                                         {"+inf", "bad-output"},
                                                         {"-inf", "bad-output"},
                                                         {"crash", "crash"},
                                                         {"segfault", "crash"},
                                                         {"segmentation fault", "crash"},
                                                         {"core dumped", "crash"},
                                                         {"killed", "crash"},
                                                         {"abort", "crash"},
                                                         {"exception", "crash"},
                                                         {"traceback", "crash"},
                                                         {"exit status", "crash"},
                                                         {"fail", kUnknownCause},
                                                         {"error", kUnknownCause}}};

std::string lowered(std::string_view text)
{
    std::string small(text::withoutBlanks(text));
    std::ranges::transform(small, small.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return small;
}

bool isLetter(char c)
{
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

/// "oom" is a word of "CUDA OOM", and none of "bloom" or "room".
bool beginsWord(const std::string& text, std::string_view part)
{
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        const std::size_t end = at + part.size();
        const bool isShort = part.size() <= 4;
        if ((at == 0 || !isLetter(text[at - 1])) &&
            (!isShort || part == "fail" || end == text.size() || !isLetter(text[end])))
            return true;
    }
    return false;
}

/// A numeric column is taken for a factor when its values come back at least this often on average.
constexpr double kRowsPerLevel = 1.5;
/// The same where some rows have none of its values.
constexpr double kRowsPerLevelWithGaps = 3;
constexpr std::size_t kMostCategories = 12;

/// Small letters and digits only; "#" is "no".
std::string bareName(const std::string& heading)
{
    std::string bare;
    for (const char c : heading) {
        if (c == '#')
            bare += "no";
        else if (std::string_view("_ .-:").find(c) == std::string_view::npos)
            bare += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return bare;
}

std::optional<ColumnRole> roleByName(const std::string& heading)
{
    static const std::map<std::string, ColumnRole> roles = {
        {"run", ColumnRole::Id},         {"id", ColumnRole::Id},          {"runid", ColumnRole::Id},
        {"runno", ColumnRole::Id},       {"runnr", ColumnRole::Id},       {"runnumber", ColumnRole::Id},
        {"stdorder", ColumnRole::Id},    {"std", ColumnRole::Id},         {"order", ColumnRole::Order},
        {"runorder", ColumnRole::Order}, {"block", ColumnRole::Block},    {"blocks", ColumnRole::Block},
        {"blockid", ColumnRole::Block},  {"status", ColumnRole::Status},  {"state", ColumnRole::Status},
        {"kind", ColumnRole::Kind},      {"pointtype", ColumnRole::Kind}, {"source", ColumnRole::Source},
        {"remark", ColumnRole::Remark},  {"remarks", ColumnRole::Remark}, {"note", ColumnRole::Remark},
        {"notes", ColumnRole::Remark},   {"comment", ColumnRole::Remark}, {"comments", ColumnRole::Remark},
        {"reason", ColumnRole::Remark},  {"pttype", ColumnRole::Ignored}, {"centerpt", ColumnRole::Ignored}};
    const auto found = roles.find(bareName(heading));
    return found == roles.end() ? std::nullopt : std::optional(found->second);
}

/// Names that number the rows where their values do.
bool mayNumberRows(const std::string& heading)
{
    static const std::set<std::string> names = {"no",         "nr",  "number", "trial", "trialno",
                                                "experiment", "exp", "expno",  "index", "row"};
    return names.contains(bareName(heading));
}

std::optional<ColumnRole> roleOf(const std::string& heading, const ColumnContent& content, std::size_t rows)
{
    const auto [name, unit] = nameAndUnit(heading);
    const bool isNumbered = bareName(unit) == "no" || bareName(unit) == "nr";
    const auto role = roleByName(isNumbered ? name : heading);
    if (role == ColumnRole::Remark && !content.texts.empty() &&
        content.numbers.size() == content.texts.size())
        return std::nullopt;
    const bool numbersRows =
        mayNumberRows(heading) && content.isNumeric && content.isWhole && content.numbers.size() == rows;
    return role || !numbersRows ? role : ColumnRole::Id;
}

/// Settings are there in every row, or nearly so, and come back; results may be missing and hardly ever
/// repeat.
bool looksLikeFactor(const ColumnContent& content, std::size_t rows)
{
    const std::size_t levels = content.isNumeric ? content.numbers.size() : content.texts.size();
    const double perLevel = content.filled == rows ? kRowsPerLevel : kRowsPerLevelWithGaps;
    return levels > 1 && static_cast<double>(content.filled) >= perLevel * static_cast<double>(levels);
}

bool isOfRows(ColumnRole role)
{
    return role != ColumnRole::Ignored && role != ColumnRole::Factor && role != ColumnRole::Response;
}

/// Of the columns before, `known` says what they are.
ColumnMapping guessColumn(const TextGrid& grid, std::size_t column, const std::vector<ColumnMapping>& known)
{
    ColumnMapping mapping;
    mapping.header = grid.headers[column];
    std::tie(mapping.name, mapping.unit) = nameAndUnit(mapping.header);
    const ColumnContent content = contentOf(grid, column);
    const auto role = roleOf(mapping.header, content, grid.rows.size());
    const bool isTaken = role && isOfRows(*role) && *role != ColumnRole::Remark &&
                         std::ranges::count(known, *role, &ColumnMapping::role) > 0;
    if (role && (!isTaken || *role == ColumnRole::Id)) {
        mapping.role = isTaken ? ColumnRole::Order : *role; // "Std" and then "Run", as Design-Expert has them
        return mapping;
    }
    if (content.isNumeric && !content.unit.empty())
        mapping.unit = content.unit;
    const bool isFactor = looksLikeFactor(content, grid.rows.size());
    if (!content.isNumeric) {
        mapping.role =
            isFactor && content.texts.size() <= kMostCategories ? ColumnRole::Factor : ColumnRole::Ignored;
        mapping.type = study::FactorType::Categorical;
        return mapping;
    }
    mapping.role = isFactor ? ColumnRole::Factor : ColumnRole::Response;
    mapping.type = content.isWhole ? study::FactorType::Integer : study::FactorType::Continuous;
    if (content.filled == grid.rows.size() && content.filled > 1 && content.numbers.size() == 1)
        mapping.role = ColumnRole::Ignored;
    return mapping;
}

/// Tables list settings before results: a full column of numbers before the last factor is one too.
void markLeadingFactors(const TextGrid& grid, std::vector<ColumnMapping>& mapping)
{
    const auto isFactor = [](const ColumnMapping& column) { return column.role == ColumnRole::Factor; };
    const auto last = std::find_if(mapping.rbegin(), mapping.rend(), isFactor).base() - mapping.begin();
    for (std::size_t column = 0; column < static_cast<std::size_t>(last); ++column)
        if (mapping[column].role == ColumnRole::Response &&
            contentOf(grid, column).filled == grid.rows.size())
            mapping[column].role = ColumnRole::Factor;
}

/// Tables that Quadric has written (runRows()) have the settings before the column "source" and the results
/// behind it, however often their values come back.
void applyOwnColumnOrder(const TextGrid& grid, std::vector<ColumnMapping>& mapping)
{
    const std::vector<std::string> first = {"order", "run", "block", "kind", "status"};
    const auto source = std::ranges::find(grid.headers, "source") - grid.headers.begin();
    if (grid.headers.size() <= first.size() || source == std::ssize(grid.headers) ||
        !std::equal(first.begin(), first.end(), grid.headers.begin()))
        return;
    for (std::size_t column = first.size(); column < mapping.size(); ++column) {
        const ColumnContent content = contentOf(grid, column);
        const bool isSetting = static_cast<std::ptrdiff_t>(column) < source;
        const bool isVaried = content.isNumeric ? content.numbers.size() > 1 : content.texts.size() > 1;
        if (isSetting && isVaried)
            mapping[column].role = ColumnRole::Factor;
        else if (grid.headers[column] == "remark")
            mapping[column].role = ColumnRole::Remark;
        else if (!isSetting && content.isNumeric && !isOfRows(mapping[column].role))
            mapping[column].role = ColumnRole::Response;
    }
}

/// "speed (img/s)" beside "speed (ms)": what has no name of its own without its unit keeps the whole heading.
void disambiguateNames(std::vector<ColumnMapping>& mapping)
{
    std::vector<ColumnMapping*> shared;
    const auto isNamed = [](const ColumnMapping& column, const std::string& name) {
        return !isOfRows(column.role) && column.name == name;
    };
    do {
        shared.clear();
        for (ColumnMapping& column : mapping) {
            const bool isShared = std::ranges::count_if(mapping, [&](const ColumnMapping& other) {
                                      return isNamed(other, column.name);
                                  }) > 1;
            if (isNamed(column, column.name) && column.name != column.header &&
                (isShared || column.name.empty()))
                shared.push_back(&column);
        }
        for (ColumnMapping* column : shared)
            std::tie(column->name, column->unit) = std::pair(column->header, std::string());
    } while (!shared.empty());
}

/// How many filled cells of a column are what.
struct CellCounts {
    std::size_t all = 0, numbers = 0, failed = 0, unreadable = 0, maybeLevels = 0;

    void add(const ResultCell& read, const std::string& cell)
    {
        ++all;
        numbers += read.isNumber() ? 1 : 0;
        failed += read.kind == ResultCell::Kind::Failed ? 1 : 0;
        unreadable += read.kind == ResultCell::Kind::Unreadable ? 1 : 0;
        maybeLevels += read.kind == ResultCell::Kind::Missing && isLevelWord(cell) ? 1 : 0;
    }

    /// "none" is a level of many factors, and nothing in a column of results.
    static bool isLevelWord(const std::string& cell)
    {
        const std::string word = bareName(cell);
        return word == "none" || word == "null" || word == "nil";
    }
};

/// Numbers with some words between them, or levels of which some look like numbers: levels come back.
bool isColumnOfNumbers(const CellCounts& counts, std::size_t texts, std::size_t rows)
{
    const bool comesBack = counts.all == rows && texts <= kMostCategories &&
                           static_cast<double>(rows) >= kRowsPerLevel * static_cast<double>(texts);
    const bool mayBeLevels = counts.failed == 0 && counts.unreadable + counts.maybeLevels > 0 && comesBack;
    return counts.all == 0 ||
           (counts.numbers > 0 && counts.unreadable < counts.numbers + counts.failed && !mayBeLevels);
}

/// A line below the runs ("Mean, , , 79.1"): most cells are empty, and words stand where the rows are
/// numbered.
bool isFooter(const TextGrid& grid, const std::vector<std::string>& row)
{
    const auto empty = std::ranges::count(row, std::string());
    return 2 * empty > std::ssize(row) && !row.front().empty() && !numberIn(row.front(), grid.decimalComma) &&
           numberIn(grid.rows.front().front(), grid.decimalComma);
}

/// The table without such lines, which say nothing about its columns.
TextGrid withoutFooters(TextGrid grid)
{
    while (grid.rows.size() > 1 && isFooter(grid, grid.rows.back()))
        grid.rows.pop_back();
    return grid;
}

/// Where the bracket opens that the last character closes; npos: none does.
std::size_t findOpening(const std::string& header, char open, char close)
{
    int depth = 0;
    for (std::size_t at = header.ends_with(close) ? header.size() : 0; at > 0; --at) {
        depth += header[at - 1] == close ? 1 : header[at - 1] == open ? -1 : 0;
        if (depth == 0)
            return at - 1;
    }
    return std::string::npos;
}

} // namespace

std::string failureIn(std::string_view words)
{
    const std::string text = lowered(words);
    if (text == "inf")
        return "bad-output";
    for (const FailureWords& each : kFailureWords)
        if (beginsWord(text, each.part))
            return std::string(each.kind);
    return {};
}

ResultCell readResultCell(std::string_view cell, bool decimalComma)
{
    using Kind = ResultCell::Kind;
    if (const auto number = numberIn(cell, decimalComma))
        return {.kind = Kind::Number, .value = *number, .unit = {}, .failure = {}};
    if (std::ranges::find(kMissingWords, lowered(cell)) != kMissingWords.end())
        return {};
    if (std::string failure = failureIn(cell); !failure.empty())
        return {.kind = Kind::Failed, .value = 0, .unit = {}, .failure = std::move(failure)};
    if (auto number = text::readNumberWithUnit(cell, decimalComma ? ',' : '.'))
        return {.kind = Kind::Number, .value = number->value, .unit = std::move(number->unit), .failure = {}};
    return {.kind = Kind::Unreadable, .value = 0, .unit = {}, .failure = {}};
}

std::string toText(const study::Failure& failure)
{
    return failure.kind + (failure.message.empty() ? ":" : ": " + failure.message);
}

study::Failure failureFrom(const std::string& text)
{
    const std::size_t end = std::min(text.find(':'), text.size());
    const std::string kind = text.substr(0, end);
    const bool isWord = !kind.empty() && std::ranges::all_of(kind, [](char c) {
        return c == '-' || c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    });
    if (isWord && end < text.size()) {
        const std::string_view message = text::withoutBlanks(std::string_view(text).substr(end + 1));
        return {.kind = kind, .message = std::string(message), .unknown = {}};
    }
    const std::string found = failureIn(text);
    return {.kind = found.empty() ? std::string(kUnknownCause) : found, .message = text, .unknown = {}};
}

ColumnContent contentOf(const TextGrid& grid, std::size_t column)
{
    ColumnContent content;
    CellCounts counts;
    std::set<std::string> units;
    for (const std::vector<std::string>& row : grid.rows) {
        const std::string& cell = row[column];
        if (cell.empty())
            continue;
        content.texts.insert(cell);
        const ResultCell read = readResultCell(cell, grid.decimalComma);
        counts.add(read, cell);
        if (!read.isNumber())
            continue;
        content.numbers.insert(read.value);
        content.isWhole &= read.value == std::round(read.value);
        units.insert(read.unit);
    }
    content.isUnitSeldom = units.erase("") > 0 && !units.empty();
    const bool hasOneUnit = units.size() < 2;
    content.unit = units.size() == 1 ? *units.begin() : std::string();
    content.isNumeric = hasOneUnit && isColumnOfNumbers(counts, content.texts.size(), grid.rows.size());
    content.filled = content.isNumeric ? counts.numbers : counts.all;
    return content;
}

std::pair<std::string, std::string> nameAndUnit(const std::string& header)
{
    const auto cut = [&](std::size_t open, std::size_t skip, std::size_t drop) {
        std::string name = header.substr(0, open);
        while (name.ends_with(' '))
            name.pop_back();
        return std::pair(name, header.substr(open + skip, header.size() - open - skip - drop));
    };
    for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
        const std::size_t at = findOpening(header, open, close);
        if (at != std::string::npos && at > 0)
            return cut(at, 1, 1);
    }
    const std::size_t at = header.rfind(" / ");
    return at != std::string::npos && at > 0 ? cut(at, 3, 0) : std::pair(header, std::string());
}

std::string makeHeading(const std::string& name, const std::string& unit)
{
    const std::string inBrackets = name + " (" + unit + ")";
    const std::vector<std::string> candidates =
        unit.empty() ? std::vector{name, inBrackets}
                     : std::vector{inBrackets, name + " [" + unit + "]", name + " / " + unit};
    for (const std::string& heading : candidates) {
        if (nameAndUnit(heading) == std::pair(name, unit) && !roleByName(heading) && !mayNumberRows(heading))
            return heading;
    }
    return candidates.front();
}

std::vector<ColumnMapping> guessMapping(const TextGrid& table)
{
    const TextGrid grid = withoutFooters(table);
    std::vector<ColumnMapping> mapping;
    for (std::size_t column = 0; column < grid.headers.size(); ++column)
        mapping.push_back(guessColumn(grid, column, mapping));
    markLeadingFactors(grid, mapping);
    applyOwnColumnOrder(grid, mapping);
    disambiguateNames(mapping);
    return mapping;
}

} // namespace quadric::exchange
