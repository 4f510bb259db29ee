// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import/table_import.h"

#include "core/exchange/import/recognize.h"
#include "core/exchange/import/row_reader.h"
#include "core/exchange/table/result_cell.h"
#include "core/report/findings/data_findings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace quadric::exchange {

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
            warnings.push_back("column \"" + beginningOf(mapping.header) + "\": \"" + beginningOf(word) +
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

/// Units that stand behind the numbers of a column and not, or not the same, in its heading.
void warnOfUnits(const ColumnMapping& mapping, const ColumnContent& content,
                 std::vector<std::string>& warnings)
{
    const bool isData = mapping.role == ColumnRole::Factor || mapping.role == ColumnRole::Response;
    if (!isData || !content.isNumeric || content.unit.empty())
        return;
    const std::string where = "column \"" + beginningOf(mapping.header) + "\": ";
    const std::string unit = "\"" + beginningOf(content.unit) + "\"";
    const std::string inHeading = nameAndUnit(mapping.header).second;
    if (!inHeading.empty() && inHeading != content.unit)
        warnings.push_back(where + "the numbers are in " + unit + " and the heading says \"" +
                           beginningOf(inHeading) + "\"; " + unit + " is used");
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
        warnings.push_back("column \"" + beginningOf(mapping.header) +
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
            imported.warnings.push_back("column \"" + beginningOf(entry.header) + "\" is ignored");
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
