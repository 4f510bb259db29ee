// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/tables/answer_tables.h"

#include "core/model/feasibility/feasibility.h"
#include "core/report/tables/study_tables.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::report {

namespace {

/// The prediction with its interval for new runs, where there is one.
Cell predictionCell(const model::Prediction& predicted)
{
    const std::optional<model::Interval>& interval = predicted.ofNewRuns();
    return interval ? Cell(Bounded{predicted.mean, interval->low, interval->high}) : makeCell(predicted.mean);
}

constexpr const char* kPlusMinus = "Predictions have the 95 % interval for a single new run.";
constexpr const char* kNewBlock =
    " The new run is a separate block: it contains the variation between blocks.";
constexpr const char* kMedian = " Predictions of transformed responses are medians.";
constexpr const char* kOverall = "Overall desirability: weighted geometric mean over the responses.";

std::string verdictOn(const optimize::ConfirmedResponse& row, const optimize::Confirmation& confirmation)
{
    if (confirmation.outcome() == optimize::ConfirmationOutcome::Disturbed)
        return "measure again";
    if (!row.halfWidths)
        return "no interval";
    if (!row.isInside)
        return "outside the interval";
    return row.isScattered ? "inside, but scattered" : "inside the interval";
}

std::string kindOf(const optimize::Solution& solution)
{
    if (solution.isRounded)
        return "rounded";
    return solution.isOptimum ? "optimum" : "different";
}

/// "97 % (91 to 99 %)"; without its interval where that has no width in these digits.
Cell runsCell(const model::Feasibility& feasibility, const study::Study& study,
              const study::Settings& settings)
{
    const model::RunProbability runs = feasibility.at(study::Coding(study.factors).toCoded(settings).x);
    std::string low = text::formatPercent(runs.low, 0);
    std::string high = text::formatPercent(runs.high, 0);
    if (low == high)
        return high;
    if (low.ends_with(" %"))
        low.resize(low.size() - 2);
    return text::formatPercent(runs.probability, 0) + " (" + low + " to " + high + ")";
}

std::string withUnit(const study::Study& study, const std::string& name)
{
    const study::Response* response = study::findResponse(study, name);
    return response == nullptr || response->unit.empty() ? name : name + " (" + response->unit + ")";
}

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

std::optional<double> findUncertainty(const model::Prediction& predicted)
{
    const std::optional<model::Interval>& interval = predicted.ofNewRuns();
    return interval ? std::optional((interval->high - interval->low) / 2.0) : std::nullopt;
}

Table makeOptimumTable(const study::Study& study, const optimize::Optimum& optimum)
{
    Table table{.id = "optimum",
                .caption = "Responses at the best setting",
                .columns = {{"Response", {}, ColumnKind::Text},
                            {"Prediction", kPlusMinus},
                            {"Goal", {}, ColumnKind::Text},
                            {"Weight", {}},
                            {"d", "Desirability of the prediction, 0 useless to 1 ideal."},
                            {"Individual optimum", "The best prediction of this response by itself."},
                            {"Loss", "What the compromise gives up against the individual optimum."}},
                .note = {}};
    if (std::ranges::any_of(optimum.responses,
                            [](const auto& at) { return at.predicted.ofNewRuns().has_value(); }))
        table.note = kPlusMinus;
    if (std::ranges::any_of(optimum.responses,
                            [](const auto& at) { return at.predicted.newBlock.has_value(); }))
        table.note += kNewBlock;
    if (std::ranges::any_of(optimum.responses, [](const auto& at) { return at.predicted.isMedian; }))
        table.note += kMedian;
    for (const optimize::ResponseAtOptimum& at : optimum.responses) {
        const study::Response* response = study::findResponse(study, at.response);
        if (response == nullptr)
            continue;
        const bool hasGoal = response->goal != study::Goal::None;
        const auto where = [hasGoal](const Cell& cell) { return hasGoal ? cell : Cell(); };
        const std::optional<double> uncertainty = findUncertainty(at.predicted);
        table.rows.push_back({withUnit(study, at.response), predictionCell(at.predicted),
                              describeGoal(*response), where(makeCell(response->weight)),
                              where(makeCell(at.desirability, Digits::Desirability)),
                              where(makeEstimateCell(at.bestAlone, uncertainty)),
                              where(makeEstimateCell(at.sacrifice, uncertainty))});
    }
    return table;
}

Table makeSolutionTable(const study::Study& study, const std::vector<optimize::Solution>& solutions)
{
    Table table{
        .id = "solutions",
        .caption = "Solutions",
        .columns =
            {{"Rank", {}},
             {"D", kOverall},
             {"Kind",
              "Optimum: no neighboring setting is better. Rounded: the best setting with as few digits "
              "as cost at most 0.5 % of D. Different: another setting worth knowing.",
              ColumnKind::Text}},
        .note = kPlusMinus};
    addFactorColumns(study, table);
    const auto feasibility = model::feasibilityOf(study);
    if (feasibility)
        table.columns.push_back(
            {"P(runs)",
             "Probability that a run at this setting gives a result, with its 95 % interval, learned "
             "from the runs that failed."});
    if (!solutions.empty())
        for (const auto& [name, predicted] : solutions.front().predicted)
            table.columns.push_back({withUnit(study, name), kPlusMinus});
    int rank = 0;
    for (const optimize::Solution& solution : solutions) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row = {solution.isRounded ? Cell() : Cell(++rank), makeCell(solution.overall, Digits::Share),
               kindOf(solution)};
        addSettingCells(study, solution.settings, row);
        if (feasibility)
            row.push_back(runsCell(*feasibility, study, solution.settings));
        for (const auto& [name, predicted] : solution.predicted)
            row.push_back(predictionCell(predicted));
    }
    return table;
}

Table makeLimitTable(const optimize::AllLimits& limits)
{
    Table table{.id = "limits",
                .caption = "Probability of meeting limits",
                .columns = {{"Response", {}, ColumnKind::Text},
                            {"Lower limit", {}},
                            {"Upper limit", {}},
                            {"Probability", {}}}};
    for (const optimize::LimitProbability& row : limits.responses)
        table.rows.push_back({row.response, makeCell(row.low), makeCell(row.high),
                              makeCell(row.probability, Digits::Percent)});
    return table;
}

Table makeTransmittedTable(const std::vector<optimize::TransmittedError>& rows)
{
    Table table{
        .id = "transmitted",
        .caption = "Error that varying settings transmit",
        .columns = {{"Response", {}, ColumnKind::Text},
                    {"Std. dev.", "Standard deviation that the settings transmit to the response."},
                    {"Shift", "Shift of the mean by curvature."},
                    {"Total std. dev.", "Standard deviation of single runs: transmitted and residual."}}};
    if (!rows.empty())
        for (const auto& [factor, sd] : rows.front().factors)
            table.columns.push_back({"by " + factor, {}});
    for (const optimize::TransmittedError& error : rows) {
        std::vector<Cell>& row = table.rows.emplace_back();
        row = {error.response, makeCell(error.sd), makeCell(error.shift), makeCell(error.total)};
        for (const auto& [factor, sd] : error.factors)
            row.push_back(makeCell(sd));
    }
    return table;
}

Table makeConfirmationTable(const optimize::Confirmation& confirmation)
{
    Table table{.id = "confirmation",
                .columns = {{"Response", {}, ColumnKind::Text},
                            {"Predicted mean", "With the interval for the mean of as many runs."},
                            {"Measured mean", {}},
                            {"Runs", {}},
                            {"Difference", "Measured less predicted."},
                            {"Verdict", {}, ColumnKind::Text}}};
    for (const optimize::ConfirmedResponse& row : confirmation.responses)
        table.rows.push_back(
            {row.response + (row.unit.empty() ? "" : " (" + row.unit + ")"), predictionCell(row.predicted),
             makeEstimateCell(row.observed, findUncertainty(row.predicted)), row.runs,
             makeEstimateCell(row.distance, findUncertainty(row.predicted)), verdictOn(row, confirmation)});
    if (std::ranges::any_of(confirmation.responses, [](const auto& row) { return row.unit == "%"; }))
        table.note = "Differences of percentages are percentage points.";
    return table;
}

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

bool mayAnySettingBeBest(const optimize::OptimumRegion& region)
{
    return !region.isEmpty() && std::ranges::all_of(region.factors(), &optimize::FactorRange::isWhole);
}

std::string describeRegion(const study::Study& study, const optimize::OptimumRegion& region)
{
    if (region.isEmpty())
        return region.message().empty() ? std::string()
                                        : "Settings that may be the best: " + region.message();
    if (mayAnySettingBeBest(region))
        return "The runs do not show which setting is the best: every value of every factor may belong to it "
               "(" +
               text::formatPercent(region.confidence()) + " confidence).";
    std::string ranges;
    for (const optimize::FactorRange& range : region.factors())
        ranges += (ranges.empty() ? "" : ", ") + describeFactorRange(study, range);
    return "Settings that cannot be distinguished from the best (" +
           text::formatPercent(region.confidence()) + " confidence): " + ranges + ".";
}

} // namespace quadric::report
