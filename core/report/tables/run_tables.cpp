// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/run_tables.h"

#include "core/report/tables/study_tables.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <set>

namespace quadric::report {

namespace {

std::string noteOf(const std::vector<model::LevelSummary>& summaries)
{
    std::string note = "Observed values, whatever the other factors were set to.";
    std::set<int> disturbed;
    for (const model::LevelSummary& summary : summaries) {
        if (summary.isGrouped)
            note += " " + summary.factor + ": " + std::to_string(summary.testedLevels) +
                    " tested levels in " + std::to_string(summary.groups.size()) +
                    " ranges of about equal numbers of runs.";
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

Cell wordsCell(const std::string& words)
{
    return words.empty() ? Cell() : Cell(words);
}

std::string whyOf(const optimize::PlannedRun& run)
{
    if (run.isRepeat)
        return "repeat: noise decides here";
    return run.isExploration ? "exploration: may be better, but is less sure to give a result than asked for"
                             : "may be better than the best so far";
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

Table makeSpreadTable(const study::MeasurementQuality& quality)
{
    Table table{.id = "spread",
                .caption = "Spread inside the runs",
                .columns = {{"Response", {}, ColumnKind::Text},
                            {"Runs", {}},
                            {"Median", {}, ColumnKind::Number, {}, "%"},
                            {"Largest", {}, ColumnKind::Number, {}, "%"},
                            {"In run", {}},
                            {"The spread is", {}, ColumnKind::Text}}};
    for (const study::ResponseSpread& row : quality.spreads)
        table.rows.push_back({row.response, row.runs, makeCell(row.median), makeCell(row.largest),
                              row.largestRun, wordsCell(row.meaning)});
    return table;
}

Table makeDriftTable(const std::vector<model::Fit>& fits)
{
    Table table{.id = "drift",
                .caption = "Drift between the runs",
                .columns = {{"Response", {}, ColumnKind::Text}, {"Change per run", {}}, {"t", {}}, {"p", {}}},
                .note =
                    "The run order as one more term of the model, on the model's scale; a small p means that "
                    "the response changed while the runs were made."};
    for (const model::Fit& fit : fits) {
        const model::ResidualChecks& checks = fit.residualChecks;
        if (fit.isOk() && checks.driftSlope)
            table.rows.push_back({fit.response, makeCell(checks.driftSlope),
                                  makeCell(checks.driftT, Digits::Ratio),
                                  makeCell(checks.driftP, Digits::Probability)});
    }
    return table;
}

Table makeDisturbedTable(const study::MeasurementQuality& quality)
{
    Table table{.id = "disturbed",
                .caption = "Runs that were disturbed",
                .columns = {{"Run", {}}, {"Why", {}, ColumnKind::Text}}};
    for (const study::DisturbedRun& run : quality.disturbed)
        table.rows.push_back({run.run, wordsCell(run.reason)});
    return table;
}

Table makeLostTable(const study::MeasurementQuality& quality)
{
    Table table{
        .id = "lost",
        .caption = "Runs without a result that counts",
        .columns = {{"Run", {}}, {"What happened", {}, ColumnKind::Text}, {"Why", {}, ColumnKind::Text}}};
    for (const study::LostRun& run : quality.lost) {
        const bool isExcluded = run.status == study::RunStatus::Excluded;
        table.rows.push_back({run.run,
                              isExcluded         ? "excluded"
                              : run.kind.empty() ? "failed"
                                                 : run.kind,
                              wordsCell(run.reason)});
    }
    return table;
}

Table makePlanTable(const study::Study& study, const optimize::RunPlan& plan)
{
    Table table{.id = "plan", .caption = "Proposed runs"};
    addFactorColumns(study, table);
    table.columns.push_back(
        {"May gain", "Expected gain over the best setting that is known to run, times P(runs), given the "
                     "runs above it. Of one response it is a share of its best value, otherwise D."});
    table.columns.push_back({"P(runs)", "Probability that the run gives a result."});
    table.columns.push_back({"Takes", "Expected duration, learned from the runs."});
    table.columns.push_back({"Why", {}, ColumnKind::Text});
    for (const optimize::PlannedRun& run : plan.runs) {
        std::vector<Cell>& row = table.rows.emplace_back();
        addSettingCells(study, run.settings, row);
        row.push_back(makeCell(run.gain, Digits::Percent));
        row.push_back(makeCell(run.runsProbability, Digits::Percent));
        row.push_back(run.seconds > 0.0 ? Cell(text::formatDuration(run.seconds)) : Cell());
        row.push_back(whyOf(run));
    }
    return table;
}

Table makeTriedTable(const study::Study& study, const std::vector<RunReason>& reasons,
                     const optimize::BestSoFar& best)
{
    Table table{.id = "tried", .caption = "Runs added one after the other"};
    table.columns = {{"Run", {}},
                     {"Outcome", {}, ColumnKind::Text},
                     {best.title, {}, ColumnKind::Number, {}, best.unit},
                     {"", {}, ColumnKind::Text}};
    addFactorColumns(study, table);
    table.columns.push_back({"May gain", "As it was expected before the run."});
    table.columns.push_back({"P(runs)", "As it was expected before the run."});
    table.columns.push_back({"Why", {}, ColumnKind::Text});
    for (auto reason = reasons.rbegin(); reason != reasons.rend(); ++reason) {
        const study::Run* run = study::findRun(study, reason->run);
        if (run == nullptr)
            continue;
        std::vector<Cell>& row = table.rows.emplace_back();
        const auto step = std::ranges::find(best.steps, run->id, &optimize::BestStep::run);
        const bool isStep = step != best.steps.end();
        row = {run->id, describeStatus(*run), isStep && step->value ? makeCell(*step->value) : Cell(),
               isStep && step->isBetter ? "best so far" : ""};
        addSettingCells(study, run->settings, row);
        row.push_back(reason->isConfirming ? Cell() : makeCell(reason->gain, Digits::Percent));
        row.push_back(makeCell(reason->runsProbability, Digits::Percent));
        row.emplace_back(reason->isConfirming ? "confirm the best settings"
                         : reason->isRepeat   ? "repeat: noise decides here"
                                              : "may be better");
    }
    return table;
}

} // namespace quadric::report
