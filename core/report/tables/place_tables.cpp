// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/place_tables.h"

#include "core/report/tables/study_tables.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

constexpr int kRangeDigits = 3;

std::string describeFactorRange(const study::Study& study, const optimize::FactorRange& range)
{
    const auto factor = std::ranges::find(study.factors, range.factor, &study::Factor::name);
    if (range.isWhole)
        return range.factor + " any";
    if (!range.levels.empty())
        return range.factor + " " + text::formatList(range.levels, "or");
    const std::string unit = factor == study.factors.end() || factor->unit.empty() ? "" : " " + factor->unit;
    const std::string low = text::formatDigits(range.low, kRangeDigits);
    const std::string high = text::formatDigits(range.high, kRangeDigits);
    return range.factor + " " + (low == high ? low : low + " to " + high) + unit;
}

} // namespace

Table makeMeasuredTable(const study::Study& study, const std::vector<optimize::MeasuredRun>& runs)
{
    Table table{.id = "measured",
                .caption = "Best measured runs",
                .columns = {{"Run", {}},
                            {"D", "Overall desirability of the measured results."},
                            {"Kind", {}, ColumnKind::Text}}};
    addFactorColumns(study, table);
    for (std::size_t i = 0; !runs.empty() && i < runs.front().results.size(); ++i) {
        const std::string& name = runs.front().results[i].first;
        const study::Response* response = study::findResponse(study, name);
        table.columns.push_back(
            {.title = name, .unit = response == nullptr ? std::string() : response->unit});
    }
    for (const optimize::MeasuredRun& run : runs) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row = {run.run, makeCell(run.overall, Digits::Share),
               std::string(run.isConfirming ? "confirming" : "observed") +
                   (run.isDisturbed ? ", disturbed" : "")};
        addSettingCells(study, run.settings, row);
        for (const auto& [response, value] : run.results)
            row.push_back(makeCell(value));
    }
    return table;
}

std::string describeRegion(const study::Study& study, const optimize::OptimumRegion& region)
{
    if (region.isEmpty())
        return region.message().empty() ? std::string()
                                        : "Settings that may be the best: " + region.message();
    std::string ranges;
    bool isAnything = true;
    for (const optimize::FactorRange& range : region.factors()) {
        ranges += (ranges.empty() ? "" : ", ") + describeFactorRange(study, range);
        isAnything = isAnything && range.isWhole;
    }
    if (isAnything)
        return "The runs do not show which setting is the best: every value of every factor may belong to it "
               "(" +
               text::formatPercent(region.confidence()) + " confidence).";
    return "Settings that cannot be distinguished from the best (" +
           text::formatPercent(region.confidence()) + " confidence): " + ranges + ".";
}

} // namespace quadric::report
