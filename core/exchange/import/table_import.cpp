// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/table_import.h"

#include "core/exchange/import/recognize.h"
#include "core/exchange/table/delimited.h"
#include "core/report/findings/data_findings.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace quadric::exchange {

namespace {

constexpr std::size_t kLongestShown = 60;
constexpr double kLargestCounter = 1e6;

/// The beginning of a text from a file, for messages.
std::string truncateForMessage(const std::string& text)
{
    std::size_t end = kLongestShown;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        ++end; // not inside a character
    return end < text.size() ? text.substr(0, end) + "…" : text;
}

} // namespace

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
        note(row, "the remark \"" + truncateForMessage(facts.remark) +
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
    return "column \"" + truncateForMessage(m_mapping[column].header) + "\" is " +
           (cell.empty() ? "empty" : "\"" + truncateForMessage(cell) + "\"");
}

std::optional<study::RunKind> kindFrom(const std::string& word)
{
    if (word == "factorial")
        return study::RunKind::Design;
    if (word == "added" || word == "augmented")
        return study::RunKind::Augment;
    return study::runKindFrom(word);
}

namespace {

/// Kinds, states and sources that are none of ours say nothing to anyone here.
void warnOfUnknownWords(const TextGrid& grid, std::size_t column, const ColumnMapping& mapping,
                        std::vector<std::string>& warnings)
{
    const auto isKnown = [&](const std::string& word) {
        return (mapping.role == ColumnRole::Kind && kindFrom(word)) ||
               (mapping.role == ColumnRole::Status &&
                (study::runStatusFrom(word) || !failureIn(word).empty())) ||
               (mapping.role == ColumnRole::Source && study::sourceFrom(word));
    };
    const bool hasWords = mapping.role == ColumnRole::Kind || mapping.role == ColumnRole::Status ||
                          mapping.role == ColumnRole::Source;
    if (!hasWords)
        return;
    for (const std::string& word : contentOf(grid, column).texts) {
        if (!isKnown(word))
            warnings.push_back("column \"" + truncateForMessage(mapping.header) + "\": \"" +
                               truncateForMessage(word) + "\" is ignored");
    }
}

/// What the values of a factor must be for it to have a range.
void checkFactor(const ColumnMapping& mapping, const ColumnContent& content, const std::string& name)
{
    const std::string where = name + ": the factor \"" + mapping.name + "\"";
    if (mapping.type == study::FactorType::Discrete && content.numbers.empty())
        throw ImportError(where + " has no number in any row, expected its levels");
    if (mapping.scale == study::Scale::Log2 && !content.numbers.empty() && *content.numbers.begin() <= 0)
        throw ImportError(where + " is " + study::toText(*content.numbers.begin()) +
                          " in a row, expected more than 0 on the log2 scale");
    if (!content.numbers.empty() && !std::isfinite(*content.numbers.rbegin() - *content.numbers.begin()))
        throw ImportError(where + " goes from " + study::toText(*content.numbers.begin()) + " to " +
                          study::toText(*content.numbers.rbegin()) + ", expected a range that is a number");
}

study::Factor factorOf(const ColumnContent& content, const ColumnMapping& mapping)
{
    study::Factor factor;
    factor.name = mapping.name;
    factor.unit = mapping.unit;
    factor.type = mapping.type;
    factor.scale = mapping.type == study::FactorType::Categorical ? study::Scale::Linear : mapping.scale;
    if (mapping.type == study::FactorType::Categorical)
        factor.categories.assign(content.texts.begin(), content.texts.end());
    if (mapping.type == study::FactorType::Discrete) {
        factor.levels.assign(content.numbers.begin(), content.numbers.end());
        factor.low = factor.levels.front();
        factor.high = factor.levels.back();
    }
    return factor;
}

/// Units that stand behind the numbers of a column and not, or not the same, in its heading.
void warnOfUnits(const ColumnMapping& mapping, const ColumnContent& content,
                 std::vector<std::string>& warnings)
{
    const bool isData = mapping.role == ColumnRole::Factor || mapping.role == ColumnRole::Response;
    if (!isData || !content.isNumeric || content.unit.empty())
        return;
    const std::string where = "column \"" + truncateForMessage(mapping.header) + "\": ";
    const std::string unit = "\"" + truncateForMessage(content.unit) + "\"";
    const std::string inHeading = nameAndUnit(mapping.header).second;
    if (!inHeading.empty() && inHeading != content.unit)
        warnings.push_back(where + "the numbers are in " + unit + " and the heading says \"" +
                           truncateForMessage(inHeading) + "\"; " + unit + " is used");
    if (content.isUnitSeldom)
        warnings.push_back(where + "some numbers have the unit " + unit +
                           " and some have none; all are read in " + unit);
}

/// Rows that are numbered from 0, as data frames are.
void warnOfZero(const ColumnMapping& mapping, const ColumnContent& content,
                std::vector<std::string>& warnings)
{
    const bool isCounter = mapping.role == ColumnRole::Id || mapping.role == ColumnRole::Order;
    if (isCounter && content.isNumeric && !content.numbers.empty() && *content.numbers.begin() == 0)
        warnings.push_back("column \"" + truncateForMessage(mapping.header) +
                           "\" begins at 0; 1 is added to its numbers");
}

void addColumns(const TextGrid& grid, const std::vector<ColumnMapping>& mapping, const std::string& name,
                ImportedStudy& imported)
{
    for (std::size_t column = 0; column < mapping.size(); ++column) {
        const ColumnMapping& entry = mapping[column];
        if (entry.role == ColumnRole::Factor) {
            const ColumnContent content = contentOf(grid, column);
            checkFactor(entry, content, name);
            imported.study.factors.push_back(factorOf(content, entry));
        }
        if (entry.role == ColumnRole::Response)
            imported.study.responses.push_back({.name = entry.name, .unit = entry.unit, .goal = entry.goal});
        if (entry.role == ColumnRole::Ignored)
            imported.warnings.push_back("column \"" + truncateForMessage(entry.header) + "\" is ignored");
        warnOfUnknownWords(grid, column, entry, imported.warnings);
        warnOfUnits(entry, contentOf(grid, column), imported.warnings);
        warnOfZero(entry, contentOf(grid, column), imported.warnings);
    }
    if (imported.study.factors.empty())
        throw ImportError(name + ": no column is a factor, expected at least one column of settings");
}

/// Ids and orders of tables may repeat (one table for each block, say): then the rows are counted.
void makeUnique(std::vector<study::Run>& runs, std::vector<std::string>& warnings)
{
    const auto isUnique = [&](auto member) {
        std::set<int> seen;
        return std::ranges::all_of(runs,
                                   [&](const study::Run& run) { return seen.insert(run.*member).second; });
    };
    const bool uniqueIds = isUnique(&study::Run::id);
    const bool uniqueOrders = isUnique(&study::Run::order);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!uniqueIds)
            runs[i].id = static_cast<int>(i) + 1;
        if (!uniqueOrders)
            runs[i].order = static_cast<int>(i) + 1;
    }
    if (!uniqueIds)
        warnings.push_back("run numbers appear more than once; the rows are numbered anew");
}

/// The runs of all rows that are one. Throws ImportError where none is.
void readRuns(const TextGrid& grid, const std::vector<ColumnMapping>& mapping, const std::string& name,
              ImportedStudy& imported)
{
    RowReader reader(grid, mapping, name);
    for (std::size_t row = 0; row < grid.rows.size(); ++row)
        if (auto run = reader.read(row, static_cast<int>(row) + 1))
            imported.study.runs.push_back(std::move(*run));
    const std::vector<std::string> notes = reader.notes().sentences();
    if (imported.study.runs.empty())
        throw ImportError(name + ": no row is a run; " + notes.front());
    std::ranges::copy(notes, std::back_inserter(imported.warnings));
}

/// The kinds of the runs are those of the table where it has a column of them.
void recognizeDesign(study::Study& study, const std::vector<ColumnMapping>& mapping)
{
    const std::vector<study::Run> before = study.runs;
    applyRecognized(study, recognize(study));
    if (std::ranges::count(mapping, ColumnRole::Kind, &ColumnMapping::role) > 0)
        for (std::size_t i = 0; i < before.size(); ++i)
            study.runs[i].kind = before[i].kind;
}

void refuseConstantFactors(const study::Study& study, const std::string& name)
{
    for (const study::Factor& factor : study.factors) {
        const bool varies = factor.isNumeric() ? factor.low < factor.high : factor.categories.size() > 1;
        if (!varies)
            throw ImportError(name + ": the factor \"" + factor.name +
                              "\" has the same value in every row, expected at least two");
    }
}

} // namespace

ImportedStudy studyOf(const TextGrid& grid, const std::vector<ColumnMapping>& mapping,
                      const std::string& name)
{
    ImportedStudy imported;
    imported.warnings = grid.notes;
    addColumns(grid, mapping, name, imported);
    readRuns(grid, mapping, name, imported);
    makeUnique(imported.study.runs, imported.warnings);
    setRangesFromRuns(imported.study);
    refuseConstantFactors(imported.study, name);
    recognizeDesign(imported.study, mapping);
    imported.study.benchmark.workload = "none";
    std::ranges::transform(report::findInData(imported.study), std::back_inserter(imported.warnings),
                           &report::Finding::sentence);
    return imported;
}

void checkImported(ImportedStudy& imported, const std::string& name)
{
    for (const study::Problem& problem : study::validate(imported.study)) {
        if (problem.isError)
            throw ImportError(name + ": " + problem.where + ": " + problem.message);
        imported.warnings.push_back(problem.where + ": " + problem.message);
    }
}

} // namespace quadric::exchange
