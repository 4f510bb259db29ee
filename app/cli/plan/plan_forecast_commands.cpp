// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/study_output.h"
#include "app/cli/plan/plan_commands.h"
#include "core/exchange/table/delimited.h"
#include "core/plan/scaling_forecast.h"
#include "core/plan/words/cluster_tables.h"
#include "core/report/table.h"
#include "core/study/files/file.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr int kMostGpus = 1'000'000;
struct ScaleCommand : PlanOptions {
    std::string points, to;
    std::optional<int> perNode; ///< as chosen; else as the study says
};

struct ScaleReport {
    plan::ScaleModel scale = {};
    plan::PlanChoices choices = {};
    plan::ScalePlan plan = {};
    int smallest() const { return scale.forecast.measured.front(); }
};

std::vector<plan::ScalingPoint> readPoints(const std::string& path)
{
    const exchange::TextGrid grid =
        exchange::withDecimalPoints(exchange::readDelimited(study::readTextFile(path), path));
    try {
        return plan::readScalingPoints(grid.headers, grid.rows);
    } catch (const std::invalid_argument& error) {
        throw UsageError(path + ": " + error.what());
    }
}

/// What is known of the speeds, and the choices.
ScaleReport readScale(const ScaleCommand& options)
{
    if (options.study.path.empty() == options.points.empty())
        throw UsageError("plan scale: expected speeds of one kind: a study or --points FILE");
    if (!options.points.empty()) {
        plan::PlanChoices choices;
        for (const auto& take : options.given)
            take(choices);
        std::vector<plan::ScalingPoint> points = readPoints(options.points);
        plan::ForecastModel forecast = plan::fitForecast(points, {.perNode = options.perNode.value_or(1)});
        return {{std::move(points), std::move(forecast)}, choices};
    }
    const PlannedStudy planned = readPlanned(options);
    const std::string& by = planned.choices.countFactor;
    if (!by.empty() && !requireFactor(planned.study, "--by", by).isNumeric())
        throw UsageError("--by: " + by + " has categories, expected a numeric factor");
    const auto factor = plan::countFactorOf(planned.study, planned.choices);
    if (!factor)
        throw UsageError("--by is missing: which factor is the number of GPUs");
    return {plan::modelScale(planned.study, planned.fit(), *factor, planned.settings(), options.perNode),
            planned.choices};
}

ScaleReport scaleReport(const ScaleCommand& options)
{
    ScaleReport report = readScale(options);
    if (!report.scale.forecast.message.empty())
        throw WorkError(report.scale.forecast.message);
    std::vector<int> counts;
    if (!options.to.empty())
        for (const std::string& count : split(options.to, ','))
            counts.push_back(readInteger("--to", count, 1, kMostGpus));
    report.plan = plan::planScale(report.scale.forecast, report.choices, counts);
    return report;
}

Json scaleJson(const ScaleReport& report)
{
    Json json = {{"laws", listOf(report.scale.forecast.laws, [](const plan::LawScore& score) {
                      return Json{{"law", plan::nameOf(score.law.kind)},
                                  {"held_out_error", score.heldOutError},
                                  {"weight", score.weight},
                                  {"residual_sd", score.sd}};
                  })}};
    json["confidence"] = plan::kForecastConfidence;
    json["baseline"] = report.smallest();
    json["speeds"] = listOf(report.plan.rows, [&](const plan::ForecastRow& row) {
        const double price = report.choices.gpuHour;
        const plan::Estimate cost = plan::costOfMillion(price, row, report.scale.unitSeconds);
        const auto money = [price](double value) { return price > 0.0 ? Json(value) : Json(); };
        return Json{{"count", row.count},
                    {"measured", row.isMeasured},
                    {"speed", estimateJson(row.speed)},
                    {"speed_up", row.speedUp},
                    {"efficiency", row.efficiency},
                    {"cost_per_million", money(cost.value)},
                    {"cost_per_million_low", money(cost.low)},
                    {"cost_per_million_high", money(cost.high)}};
    });
    json["last_worthwhile"] = report.plan.lastWorthwhile;
    json["assumptions"] = plan::listLawAssumptions(report.scale.forecast.laws.front().law.kind);
    return json;
}

void printScale(const ScaleReport& report)
{
    const std::vector<plan::LawScore>& laws = report.scale.forecast.laws;
    std::cout << report::renderTerminal(plan::makeLawTable(laws)) << '\n'
              << report::renderTerminal(
                     plan::makeSpeedTable(report.plan.rows, report.choices.gpuHour, report.scale.unitSeconds))
              << "\nSpeed-up and efficiency are over " << text::formatCount(report.smallest(), "GPU")
              << ", the fewest that were measured. "
              << plan::describeWorth(report.choices.worth, report.plan.lastWorthwhile, report.smallest())
              << "\n\nAssumptions:\n";
    for (const std::string& sentence : plan::listLawAssumptions(laws.front().law.kind))
        std::cout << "- " << sentence << '\n';
}

void planScale(const ScaleCommand& options)
{
    const ScaleReport report = scaleReport(options);
    printAnswer(options.study.json, scaleJson(report), [&] { printScale(report); });
}

} // namespace

void addPlanScale(Command& plan)
{
    using plan::PlanChoices;
    auto options = std::make_shared<ScaleCommand>();
    Command& command = plan.addCommand("scale", "What more GPUs would give than those that were measured");
    command.option("study", options->study.path, Kind::studyFile(), "STUDY", "The study file (NAME.quadric)");
    command.flag("--json", options->study.json, "Print one JSON document instead of tables");
    addFitOptions(command, options->selection);
    command.option("--points", options->points, Kind::file(), "FILE",
                   "A table with the columns gpus and speed instead");
    addChoice<std::string>(command, *options, "--by", &PlanChoices::countFactor, Kind::numericFactor(),
                           "FACTOR",
                           "The factor that is the number of GPUs; default: the one bound to ranks");
    addSettingsOption(command, *options);
    command.option("--to", options->to, Kind::freeText(), "LIST",
                   "Counts: 64,128,512; default: three doublings beyond the largest measured");
    command.option("--per-node", options->perNode, Kind::wholeNumber(1, kMostGpus), "N",
                   "GPUs that share a node; 1: all links are alike; default: as the study says");
    addChoice<std::optional<double>>(command, *options, "--worth", &PlanChoices::worth,
                                     Kind::numberFrom(1.0, 2.0), "X",
                                     "Doubling pays while it multiplies the speed by this; default: 1.5");
    addChoice<std::optional<double>>(command, *options, "--price-per-gpu-hour", &PlanChoices::gpuHour,
                                     Kind::numberFrom(0.0), "PRICE", "What an hour of one GPU costs");
    command.whenCalled([options] { planScale(*options); });
}

} // namespace quadric::app
