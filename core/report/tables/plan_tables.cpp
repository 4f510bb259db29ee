// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/plan_tables.h"

#include "core/report/table_text.h"
#include "core/report/tables/idle_column.h"
#include "core/report/tables/study_tables.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

std::string outcomeText(const study::Run& run)
{
    switch (run.status) {
    case study::RunStatus::Pending:
        return "pending";
    case study::RunStatus::Running:
        return "running";
    case study::RunStatus::Failed: {
        std::string kind = run.failure ? run.failure->kind : std::string();
        std::ranges::replace(kind, '-', ' ');
        return kind.empty() ? "failed" : "failed: " + kind;
    }
    case study::RunStatus::Excluded:
        return "excluded";
    case study::RunStatus::Done:
        break;
    }
    return "done";
}

Cell valueCell(const optimize::BestSoFar& best, int run)
{
    const auto step = std::ranges::find(best.steps, run, &optimize::BestStep::run);
    return step == best.steps.end() || !step->value ? Cell() : makeCell(*step->value);
}

bool isBest(const optimize::BestSoFar& best, int run)
{
    const auto step = std::ranges::find(best.steps, run, &optimize::BestStep::run);
    return step != best.steps.end() && step->isBetter;
}

std::string whyOf(const optimize::PlannedRun& run)
{
    if (run.isRepeat)
        return "repeat: noise decides here";
    return run.isExploration ? "exploration: may be better, but is less sure to give a result than asked for"
                             : "may be better than the best so far";
}

} // namespace

Table makePlanTable(const study::Study& study, const optimize::RunPlan& plan)
{
    Table table{.id = "plan", .caption = "Proposed runs"};
    addFactorColumns(study, table);
    std::vector<study::Settings> settings;
    for (const optimize::PlannedRun& run : plan.runs)
        settings.push_back(run.settings);
    const IdleColumn idle(study, settings);
    idle.addTo(table);
    table.columns.push_back(
        {"May gain", "Expected gain over the best setting that is known to run, times P(runs), given the "
                     "runs above it. Of one response it is a share of its best value, otherwise D."});
    table.columns.push_back({"P(runs)", "Probability that the run gives a result."});
    table.columns.push_back({"Takes", "Expected duration, learned from the runs."});
    table.columns.push_back({"Why", {}, ColumnKind::Text});
    for (const optimize::PlannedRun& run : plan.runs) {
        std::vector<Cell>& row = table.rows.emplace_back();
        addSettingCells(study, run.settings, row);
        idle.addCell(run.settings, row);
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
        row = {run->id, outcomeText(*run), valueCell(best, run->id),
               isBest(best, run->id) ? "best so far" : ""};
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
