// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/columns.h"

#include <algorithm>
#include <cctype>
#include <cmath>

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

/// Tables list settings before results: a full column of numbers before the last factor is one too.
void takeSettingsBeforeResults(const TextGrid& grid, std::vector<ColumnMapping>& mapping)
{
    const auto isFactor = [](const ColumnMapping& column) { return column.role == ColumnRole::Factor; };
    const auto last = std::find_if(mapping.rbegin(), mapping.rend(), isFactor).base() - mapping.begin();
    for (std::size_t column = 0; column < static_cast<std::size_t>(last); ++column)
        if (mapping[column].role == ColumnRole::Response &&
            contentOf(grid, column).filled == grid.rows.size())
            mapping[column].role = ColumnRole::Factor;
}

/// "speed (img/s)" beside "speed (ms)": what has no name of its own without its unit keeps the whole heading.
void keepNamesApart(std::vector<ColumnMapping>& mapping)
{
    std::vector<ColumnMapping*> shared;
    do {
        shared.clear();
        for (ColumnMapping& column : mapping) {
            const bool isShared = std::ranges::count(mapping, column.name, &ColumnMapping::name) > 1;
            if (column.name != column.header && (isShared || column.name.empty()))
                shared.push_back(&column);
        }
        for (ColumnMapping* column : shared)
            std::tie(column->name, column->unit) = std::pair(column->header, std::string());
    } while (!shared.empty());
}

} // namespace

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
    takeSettingsBeforeResults(grid, mapping);
    keepNamesApart(mapping);
    return mapping;
}

} // namespace quadric::exchange
