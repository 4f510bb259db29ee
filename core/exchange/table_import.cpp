// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table_import.h"

#include "core/exchange/recognize.h"
#include "core/report/findings/data_findings.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace quadric::exchange {

namespace {

constexpr std::size_t kLongestShown = 60;

/// The beginning of a text from the file, for messages.
std::string shown(const std::string& text)
{
    std::size_t end = kLongestShown;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        ++end; // not inside a character
    return end < text.size() ? text.substr(0, end) + "…" : text;
}

/// Reads the rows of one table into the runs of a study.
class RowReader {
public:
    RowReader(const TextGrid& grid, const std::vector<ColumnMapping>& mapping, const std::string& name)
        : m_grid(grid)
        , m_mapping(mapping)
        , m_name(name)
    {
    }

    study::Run read(std::size_t row, int place) const
    {
        study::Run run;
        run.id = run.order = place;
        for (std::size_t column = 0; column < m_mapping.size(); ++column)
            readCell(row, column, run);
        const bool hasResult = !run.results.empty();
        if (run.status == study::RunStatus::Pending && hasResult)
            run.status = study::RunStatus::Done;
        if (run.status == study::RunStatus::Excluded && run.reason.empty())
            run.reason = "excluded in " + m_name;
        if (hasResult && run.provenance.source != study::Source::Simulated)
            run.provenance.source = study::Source::Imported;
        return run;
    }

private:
    [[noreturn]] void fail(std::size_t row, std::size_t column, const std::string& expected) const
    {
        throw ImportError(m_name + ": line " + std::to_string(m_grid.lines[row]) + ", column \"" +
                          shown(m_mapping[column].header) + "\": \"" + shown(m_grid.rows[row][column]) +
                          "\", expected " + expected);
    }

    double number(std::size_t row, std::size_t column) const
    {
        const auto value = numberIn(m_grid.rows[row][column], m_grid.decimalComma);
        if (!value)
            fail(row, column, "a number");
        return *value;
    }

    int counter(std::size_t row, std::size_t column) const
    {
        const double value = number(row, column);
        if (value != std::round(value) || value < 1 || value > 1e6)
            fail(row, column, "a whole number from 1 to 1000000");
        return static_cast<int>(value);
    }

    void readCell(std::size_t row, std::size_t column, study::Run& run) const
    {
        const ColumnMapping& mapping = m_mapping[column];
        const std::string& cell = m_grid.rows[row][column];
        switch (mapping.role) {
        case ColumnRole::Factor:
            run.settings[mapping.name] = setting(row, column);
            break;
        case ColumnRole::Response:
            if (!cell.empty())
                run.results[mapping.name] = number(row, column);
            break;
        case ColumnRole::Id:
            run.id = counter(row, column);
            break;
        case ColumnRole::Order:
            run.order = counter(row, column);
            break;
        case ColumnRole::Block:
            run.block = counter(row, column);
            break;
        case ColumnRole::Status:
            if (cell == "excluded")
                run.status = study::RunStatus::Excluded;
            break;
        case ColumnRole::Kind:
            run.kind = study::runKindFrom(cell).value_or(study::RunKind::Design);
            break;
        case ColumnRole::Source:
            run.provenance.source = study::sourceFrom(cell).value_or(study::Source::Unknown);
            break;
        case ColumnRole::Ignored:
            break;
        }
    }

    study::Value setting(std::size_t row, std::size_t column) const
    {
        const std::string& cell = m_grid.rows[row][column];
        if (m_mapping[column].type == study::FactorType::Categorical) {
            if (cell.empty())
                fail(row, column, "a level");
            return cell;
        }
        return number(row, column);
    }

    const TextGrid& m_grid;
    const std::vector<ColumnMapping>& m_mapping;
    const std::string& m_name;
};

/// Kinds, states and sources that are none of ours say nothing to anyone here.
void warnOfUnknownWords(const TextGrid& grid, std::size_t column, const ColumnMapping& mapping,
                        std::vector<std::string>& warnings)
{
    const auto isKnown = [&](const std::string& word) {
        return (mapping.role == ColumnRole::Kind && study::runKindFrom(word)) ||
               (mapping.role == ColumnRole::Status && study::runStatusFrom(word)) ||
               (mapping.role == ColumnRole::Source && study::sourceFrom(word));
    };
    const bool hasWords = mapping.role == ColumnRole::Kind || mapping.role == ColumnRole::Status ||
                          mapping.role == ColumnRole::Source;
    if (!hasWords)
        return;
    for (const std::string& word : contentOf(grid, column).texts) {
        if (!isKnown(word))
            warnings.push_back("column \"" + shown(mapping.header) + "\": \"" + shown(word) +
                               "\" is ignored");
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
            imported.warnings.push_back("column \"" + shown(entry.header) + "\" is ignored");
        warnOfUnknownWords(grid, column, entry, imported.warnings);
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
    const RowReader reader(grid, mapping, name);
    for (std::size_t row = 0; row < grid.rows.size(); ++row)
        imported.study.runs.push_back(reader.read(row, static_cast<int>(row) + 1));
    makeUnique(imported.study.runs, imported.warnings);
    setRangesFromRuns(imported.study);
    refuseConstantFactors(imported.study, name);
    applyRecognized(imported.study, recognize(imported.study));
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
