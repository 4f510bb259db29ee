// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/row_reader.h"

#include "core/exchange/table/result_cell.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace quadric::exchange {

namespace {

constexpr std::size_t kLongestShown = 60;
constexpr double kLargestCounter = 1e6;

} // namespace

std::string beginningOf(const std::string& text)
{
    std::size_t end = kLongestShown;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        ++end; // not inside a character
    return end < text.size() ? text.substr(0, end) + "…" : text;
}

void LineNotes::add(int line, const std::string& what)
{
    const auto known = std::ranges::find(m_notes, what, &std::pair<std::string, std::vector<int>>::first);
    if (known != m_notes.end())
        known->second.push_back(line);
    else
        m_notes.emplace_back(what, std::vector{line});
}

std::vector<std::string> LineNotes::sentences() const
{
    std::vector<std::string> sentences;
    for (const auto& [what, lines] : m_notes) {
        std::vector<std::string> numbers;
        std::ranges::transform(lines, std::back_inserter(numbers),
                               [](int line) { return std::to_string(line); });
        sentences.push_back((lines.size() == 1 ? "line " : "lines ") + text::formatList(numbers) + ": " +
                            what);
    }
    return sentences;
}

/// What a row says beside its settings and numbers.
struct RowReader::Facts {
    struct Odd {
        std::size_t column = 0;
        ResultCell cell;
    };
    std::vector<Odd> odd; ///< cells of results that are not empty, and no numbers
    std::string failure;  ///< that the state speaks of
    std::string remark;
    bool isFailed = false;
};

RowReader::RowReader(const TextGrid& grid, const std::vector<ColumnMapping>& mapping, const std::string& name)
    : m_grid(grid)
    , m_mapping(mapping)
    , m_name(name)
{
    for (std::size_t column = 0; column < mapping.size(); ++column)
        addColumn(contentOf(grid, column));
}

void RowReader::addColumn(const ColumnContent& content)
{
    const bool isFromZero =
        content.isNumeric && content.isWhole && !content.numbers.empty() && *content.numbers.begin() == 0;
    m_units.push_back(content.unit);
    m_first.push_back(isFromZero ? 1 : 0);
}

std::optional<study::Run> RowReader::read(std::size_t row, int place)
{
    study::Run run;
    run.id = run.order = place;
    Facts facts;
    for (std::size_t column = 0; column < m_mapping.size(); ++column) {
        switch (m_mapping[column].role) {
        case ColumnRole::Factor:
            if (!readSetting(row, column, run))
                return std::nullopt;
            break;
        case ColumnRole::Response:
            readResult(row, column, run, facts);
            break;
        case ColumnRole::Id:
            run.id = counter(row, column, place);
            break;
        case ColumnRole::Order:
            run.order = counter(row, column, place);
            break;
        case ColumnRole::Block:
            run.block = counter(row, column, 1);
            break;
        default:
            readState(row, column, run, facts);
        }
    }
    judge(row, run, facts);
    return run;
}

void RowReader::readState(std::size_t row, std::size_t column, study::Run& run, Facts& facts)
{
    const std::string& cell = m_grid.rows[row][column];
    switch (m_mapping[column].role) {
    case ColumnRole::Status:
        if (cell == "excluded")
            run.status = study::RunStatus::Excluded;
        facts.isFailed = cell == "failed";
        facts.failure = failureIn(cell);
        break;
    case ColumnRole::Kind:
        run.kind = kindFrom(cell).value_or(study::RunKind::Design);
        break;
    case ColumnRole::Source:
        run.provenance.source = study::sourceFrom(cell).value_or(study::Source::Unknown);
        break;
    case ColumnRole::Remark:
        if (!cell.empty())
            facts.remark += (facts.remark.empty() ? "" : "; ") + cell;
        break;
    default:
        break;
    }
}

bool RowReader::readSetting(std::size_t row, std::size_t column, study::Run& run)
{
    const ColumnMapping& mapping = m_mapping[column];
    const std::string& cell = m_grid.rows[row][column];
    const bool isLevel = mapping.type == study::FactorType::Categorical;
    const auto value = isLevel ? std::nullopt : number(row, column);
    if (isLevel ? cell.empty() : !value) {
        note(row, cellIs(row, column) + ", expected a " + (isLevel ? "level" : "number") +
                      "; the row is not imported");
        return false;
    }
    run.settings[mapping.name] = isLevel ? study::Value(cell) : study::Value(*value);
    return true;
}

void RowReader::readResult(std::size_t row, std::size_t column, study::Run& run, Facts& facts)
{
    const std::string& cell = m_grid.rows[row][column];
    if (const auto value = number(row, column)) {
        run.results[m_mapping[column].name] = *value;
    } else if (!cell.empty()) {
        ResultCell read = readResultCell(cell, m_grid.decimalComma);
        if (read.isNumber()) // with another unit
            read.kind = ResultCell::Kind::Unreadable;
        facts.odd.push_back({column, std::move(read)});
    }
}

std::optional<double> RowReader::number(std::size_t row, std::size_t column) const
{
    const ResultCell read = readResultCell(m_grid.rows[row][column], m_grid.decimalComma);
    const bool isKnown =
        read.unit.empty() || read.unit == m_units[column] || read.unit == m_mapping[column].unit;
    return read.isNumber() && isKnown ? std::optional(read.value) : std::nullopt;
}

int RowReader::counter(std::size_t row, std::size_t column, int otherwise)
{
    const auto value = number(row, column);
    const double counted = value.value_or(0) + m_first[column];
    if (value && counted == std::round(counted) && counted >= 1 && counted <= kLargestCounter)
        return static_cast<int>(counted);
    if (!m_grid.rows[row][column].empty())
        note(row, cellIs(row, column) + ", expected a whole number from 1 to 1000000; " +
                      std::to_string(otherwise) + " is used");
    return otherwise;
}

/// State, failure and reason of the run; says what of the row is not in it.
void RowReader::judge(std::size_t row, study::Run& run, const Facts& facts)
{
    const bool hasResult = !run.results.empty();
    const auto isFailure = [](const Facts::Odd& odd) { return odd.cell.kind != ResultCell::Kind::Missing; };
    const auto failed = std::ranges::find_if(facts.odd, isFailure);
    const bool isFailedOtherwise = !facts.failure.empty() || !failureIn(facts.remark).empty();
    noteResults(row, run, facts);
    bool isRemarkKept = true;
    if (run.status == study::RunStatus::Excluded) {
        run.reason = facts.remark.empty() ? "excluded in " + m_name : facts.remark;
    } else if (facts.isFailed || (!hasResult && (failed != facts.odd.end() || isFailedOtherwise))) {
        run.status = study::RunStatus::Failed;
        const bool isByCell = failed != facts.odd.end();
        run.failure = isByCell || facts.remark.empty()
                          ? study::Failure{.kind = facts.failure, .message = {}, .unknown = {}}
                          : failureFrom(facts.remark);
        if (isByCell) {
            run.failure->kind = failed->cell.failure.empty() ? "bad-output" : failed->cell.failure;
            run.failure->message = cellIs(row, failed->column) + " in line " +
                                   std::to_string(m_grid.lines[row]) + " of " + m_name +
                                   (facts.remark.empty() ? "" : ": " + facts.remark);
        }
    } else {
        run.status = hasResult ? study::RunStatus::Done : study::RunStatus::Pending;
        isRemarkKept = facts.remark.empty();
    }
    if (!isRemarkKept)
        note(row, "the remark \"" + beginningOf(facts.remark) +
                      "\" is not imported; a study keeps those of failed and excluded runs");
    if (hasResult && run.provenance.source != study::Source::Simulated)
        run.provenance.source = study::Source::Imported;
}

void RowReader::noteResults(std::size_t row, const study::Run& run, const Facts& facts)
{
    for (const Facts::Odd& odd : facts.odd) {
        const bool isMissing = odd.cell.kind == ResultCell::Kind::Missing;
        const bool isUnreadable = odd.cell.kind == ResultCell::Kind::Unreadable;
        const bool hasFailed = run.results.empty() && !isMissing && run.status != study::RunStatus::Excluded;
        note(row, cellIs(row, odd.column) + (isUnreadable ? ", expected a number" : "") +
                      (hasFailed ? "; the run counts as failed" : "; this result is missing"));
    }
}

void RowReader::note(std::size_t row, const std::string& what)
{
    m_notes.add(m_grid.lines[row], what);
}

std::string RowReader::cellIs(std::size_t row, std::size_t column) const
{
    const std::string& cell = m_grid.rows[row][column];
    return "column \"" + beginningOf(m_mapping[column].header) + "\" is " +
           (cell.empty() ? "empty" : "\"" + beginningOf(cell) + "\"");
}

std::optional<study::RunKind> kindFrom(const std::string& word)
{
    if (word == "factorial")
        return study::RunKind::Design;
    if (word == "added" || word == "augmented")
        return study::RunKind::Augment;
    return study::runKindFrom(word);
}

} // namespace quadric::exchange
