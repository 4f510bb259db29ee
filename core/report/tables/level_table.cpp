// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/level_table.h"

#include "core/text/numbers.h"

#include <set>

namespace quadric::report {

namespace {

std::string describeRanges(const model::LevelSummary& summary)
{
    return " " + summary.factor + ": " + std::to_string(summary.testedLevels) + " tested levels in " +
           std::to_string(summary.groups.size()) + " ranges of about equal numbers of runs.";
}

std::string noteOf(const std::vector<model::LevelSummary>& summaries)
{
    std::string note = "Observed values, whatever the other factors were set to.";
    std::set<int> disturbed;
    for (const model::LevelSummary& summary : summaries) {
        if (summary.isGrouped)
            note += describeRanges(summary);
        for (const model::LevelGroup& group : summary.groups) {
            for (std::size_t i = 0; i < group.runs.size(); ++i) {
                if (group.isDisturbed[i])
                    disturbed.insert(group.runs[i]);
            }
        }
    }
    if (!disturbed.empty())
        note += " Disturbed: " + text::formatRuns({disturbed.begin(), disturbed.end()}) + ".";
    return note;
}

std::string nameWithUnitOf(const model::LevelSummary& summary)
{
    return summary.factor + (summary.factorUnit.empty() ? "" : " (" + summary.factorUnit + ")");
}

} // namespace

Table makeLevelTable(const std::vector<model::LevelSummary>& summaries)
{
    const bool isOne = summaries.size() == 1;
    const std::string level = isOne ? nameWithUnitOf(summaries.front()) : "Level";
    Table table{.id = "by_level",
                .caption = "Observed values by level",
                .columns = {{level, {}, ColumnKind::Number, "level"},
                            {"N", "Runs at this level.", ColumnKind::Number, "n"},
                            {"Mean", {}, ColumnKind::Number, "mean"},
                            {"Std. dev.", "Sample standard deviation.", ColumnKind::Number, "sd"},
                            {"Smallest", {}, ColumnKind::Number, "smallest"},
                            {"Largest", {}, ColumnKind::Number, "largest"}},
                .note = noteOf(summaries)};
    if (!isOne)
        table.columns.insert(table.columns.begin(), {"Factor", {}, ColumnKind::Text, "factor"});
    for (const model::LevelSummary& summary : summaries) {
        for (const model::LevelGroup& group : summary.groups) {
            std::vector<Cell>& row = table.rows.emplace_back();
            if (!isOne)
                row.push_back(nameWithUnitOf(summary));
            row.insert(row.end(), {group.level, static_cast<int>(group.values.size()), makeCell(group.mean),
                                   makeCell(group.sd), makeCell(group.smallest), makeCell(group.largest)});
        }
    }
    return table;
}

} // namespace quadric::report
