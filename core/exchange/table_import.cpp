// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/table_import.h"

#include "core/exchange/findings.h"
#include "core/exchange/recognise.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

namespace quadric::exchange {

namespace {

/// A numeric column is taken for a factor when its values come back at least this often on average.
constexpr double kRowsPerLevel = 1.5;
constexpr std::size_t kMostCategories = 12;

std::string lowered(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::erase_if(text, [](char c) { return c == '_' || c == ' ' || c == '.' || c == '-'; });
    return text;
}

std::optional<ColumnRole> roleByName(const std::string& name)
{
    static const std::map<std::string, ColumnRole> roles = {
        {"run", ColumnRole::Id},         {"id", ColumnRole::Id},          {"runid", ColumnRole::Id},
        {"stdorder", ColumnRole::Id},    {"std", ColumnRole::Id},         {"order", ColumnRole::Order},
        {"runorder", ColumnRole::Order}, {"block", ColumnRole::Block},    {"blocks", ColumnRole::Block},
        {"blockid", ColumnRole::Block},  {"status", ColumnRole::Status},  {"kind", ColumnRole::Kind},
        {"source", ColumnRole::Source},  {"pttype", ColumnRole::Ignored}, {"centerpt", ColumnRole::Ignored}};
    const auto found = roles.find(lowered(name));
    return found == roles.end() ? std::nullopt : std::optional(found->second);
}

/// What the filled cells of a column hold.
struct ColumnContent {
    std::size_t filled = 0;
    std::set<std::string> texts;
    std::set<double> numbers;
    bool isNumeric = true;
    bool isWhole = true;
};

ColumnContent contentOf(const TextGrid& grid, std::size_t column)
{
    ColumnContent content;
    for (const std::vector<std::string>& row : grid.rows) {
        const std::string& cell = row[column];
        if (cell.empty())
            continue;
        ++content.filled;
        content.texts.insert(cell);
        const auto number = numberIn(cell, grid.decimalComma);
        content.isNumeric &= number.has_value();
        if (number) {
            content.numbers.insert(*number);
            content.isWhole &= *number == std::round(*number);
        }
    }
    return content;
}

/// Settings are there in every row and come back; results may be missing and hardly ever repeat.
bool looksLikeFactor(const ColumnContent& content, std::size_t rows)
{
    const std::size_t levels = content.isNumeric ? content.numbers.size() : content.texts.size();
    return content.filled == rows && levels > 1 &&
           static_cast<double>(rows) >= kRowsPerLevel * static_cast<double>(levels);
}

ColumnMapping guessColumn(const TextGrid& grid, std::size_t column)
{
    ColumnMapping mapping;
    mapping.header = grid.headers[column];
    std::tie(mapping.name, mapping.unit) = nameAndUnit(mapping.header);
    if (const auto role = roleByName(mapping.name)) {
        mapping.role = *role;
        return mapping;
    }
    const ColumnContent content = contentOf(grid, column);
    const bool isFactor = looksLikeFactor(content, grid.rows.size());
    if (!content.isNumeric) {
        mapping.role =
            isFactor && content.texts.size() <= kMostCategories ? ColumnRole::Factor : ColumnRole::Ignored;
        mapping.type = study::FactorType::Categorical;
        return mapping;
    }
    mapping.role = isFactor ? ColumnRole::Factor : ColumnRole::Response;
    mapping.type = content.isWhole ? study::FactorType::Integer : study::FactorType::Continuous;
    if (content.filled > 0 && content.numbers.size() == 1)
        mapping.role = ColumnRole::Ignored;
    return mapping;
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
                          m_mapping[column].header + "\": \"" + m_grid.rows[row][column].substr(0, 60) +
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

study::Factor factorOf(const TextGrid& grid, const ColumnMapping& mapping, std::size_t column)
{
    study::Factor factor;
    factor.name = mapping.name;
    factor.unit = mapping.unit;
    factor.type = mapping.type;
    factor.scale = mapping.scale;
    const ColumnContent content = contentOf(grid, column);
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
        if (entry.role == ColumnRole::Factor)
            imported.study.factors.push_back(factorOf(grid, entry, column));
        if (entry.role == ColumnRole::Response)
            imported.study.responses.push_back({.name = entry.name, .unit = entry.unit, .goal = entry.goal});
        if (entry.role == ColumnRole::Ignored)
            imported.warnings.push_back("column \"" + entry.header + "\" is ignored");
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

std::pair<std::string, std::string> nameAndUnit(const std::string& header)
{
    const auto cut = [&](std::size_t open, std::size_t skip, std::size_t drop) {
        std::string name = header.substr(0, open);
        while (name.ends_with(' '))
            name.pop_back();
        return std::pair(name, header.substr(open + skip, header.size() - open - skip - drop));
    };
    for (const auto& [open, close] : {std::pair{'(', ')'}, std::pair{'[', ']'}}) {
        const std::size_t at = header.rfind(open);
        if (at != std::string::npos && at > 0 && header.ends_with(close))
            return cut(at, 1, 1);
    }
    const std::size_t at = header.rfind(" / ");
    return at != std::string::npos && at > 0 ? cut(at, 3, 0) : std::pair(header, std::string());
}

std::vector<ColumnMapping> guessMapping(const TextGrid& grid)
{
    std::vector<ColumnMapping> mapping;
    for (std::size_t column = 0; column < grid.headers.size(); ++column)
        mapping.push_back(guessColumn(grid, column));
    return mapping;
}

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
    applyRecognised(imported.study, recognise(imported.study));
    imported.study.benchmark.workload = "none";
    std::ranges::copy(findingsIn(imported.study), std::back_inserter(imported.warnings));
    return imported;
}

} // namespace quadric::exchange
