// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/fit_selection.h"
#include "app/cli/output/optimize_output.h"
#include "app/cli/output/study_output.h"
#include "core/optimize/merit/optimum.h"

#include "core/report/catalogue/reading_sentences.h"
#include "core/report/finding.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/table.h"
#include "core/study/space/constraint.h"

#include <algorithm>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

struct PredictOptions {
    StudyOption study;
    FitSelection selection;
    std::vector<std::string> at;
    int runs = 1;
};

constexpr int kMostFutureRuns = 1'000'000;

/// A response at the settings, with its desirability where the response has a goal.
struct Forecast {
    std::string response, unit;
    model::Prediction prediction;
    std::optional<double> desirability;
    std::string notTold; ///< why the runs cannot tell, and which would
};

study::Settings readAllSettings(const study::Study& study, const std::vector<std::string>& assignments)
{
    study::Settings settings = readAssignments(study, "--at", assignments);
    for (const study::Factor& factor : study.factors) {
        if (!settings.contains(factor.name))
            throw UsageError("--at: no value for the factor \"" + factor.name +
                             "\", expected one for each factor");
    }
    return settings;
}

std::vector<Forecast> forecast(const std::vector<model::Fit>& fits, const optimize::Optimum& assessed,
                               const study::CodedPoint& point, int futureRuns)
{
    std::vector<Forecast> forecasts;
    for (const model::Fit& fit : fits) {
        if (!fit.isOk())
            continue;
        Forecast item{fit.response, fit.unit, model::predict(fit, point, futureRuns), std::nullopt,
                      model::describeUnknown(fit, point)};
        const auto found =
            std::ranges::find(assessed.responses, fit.response, &optimize::ResponseAtOptimum::response);
        if (found != assessed.responses.end() && item.prediction.isEstimable)
            item.desirability = found->desirability;
        forecasts.push_back(std::move(item));
    }
    return forecasts;
}

/// `violation`: of the study's constraints, in words; empty where there is none.
void printForecastJson(const std::vector<Forecast>& forecasts, const optimize::Optimum& assessed,
                       const std::string& violation, const std::optional<model::RunProbability>& runs)
{
    Json json = {{"overall", assessed.isOk() ? Json(assessed.overall) : Json()},
                 {"infeasible", violation.empty() ? Json() : Json(violation)},
                 {"runs_probability", runs ? runProbabilityJson(*runs) : Json()},
                 {"predictions", Json::array()}};
    for (const Forecast& item : forecasts) {
        json["predictions"].push_back(
            {{"response", item.response},
             {"mean", item.prediction.isEstimable ? Json(item.prediction.mean) : Json()},
             {"se", jsonOf(item.prediction.se)},
             {"confidence", intervalJson(item.prediction.confidence)},
             {"prediction", intervalJson(item.prediction.prediction)},
             {"prediction_new_block", intervalJson(item.prediction.newBlock)},
             {"leverage", item.prediction.leverage},
             {"median", item.prediction.isMedian},
             {"estimable", item.prediction.isEstimable},
             {"extrapolation", item.prediction.isExtrapolation},
             {"desirability", jsonOf(item.desirability)}});
    }
    printJson(json);
}

std::vector<report::Cell> forecastRow(const Forecast& item, bool hasBlocks)
{
    const std::optional<double> uncertainty = halfWidth(item.prediction.confidence);
    std::vector<report::Cell> row{item.response,
                                  item.unit,
                                  item.prediction.isEstimable
                                      ? report::makeEstimateCell(item.prediction.mean, uncertainty)
                                      : report::Cell(),
                                  report::makeEstimateCell(item.prediction.se, uncertainty),
                                  intervalText(item.prediction.confidence),
                                  intervalText(item.prediction.prediction)};
    if (hasBlocks)
        row.emplace_back(intervalText(item.prediction.newBlock));
    row.push_back(report::makeCell(item.desirability, report::Digits::Desirability));
    row.emplace_back(!item.prediction.isEstimable      ? "not estimable"
                     : item.prediction.isExtrapolation ? "extrapolated"
                                                       : "");
    return row;
}

void printForecast(const std::vector<Forecast>& forecasts, const optimize::Optimum& assessed,
                   const std::string& violation)
{
    constexpr auto kText = report::ColumnKind::Text;
    const bool hasBlocks = std::ranges::any_of(
        forecasts, [](const Forecast& item) { return item.prediction.newBlock.has_value(); });
    report::Table table{.columns = {{"response", {}, kText},
                                    {"unit", {}, kText},
                                    {"prediction", {}},
                                    {"std. error", {}},
                                    {"confidence interval", {}},
                                    {"prediction interval", {}}}};
    if (hasBlocks)
        table.columns.push_back({"in a new block", {}});
    table.columns.push_back({"desirability", {}});
    table.columns.push_back({"", {}, kText});
    for (const Forecast& item : forecasts)
        table.rows.push_back(forecastRow(item, hasBlocks));
    std::cout << renderTerminal(table);
    for (const Forecast& item : forecasts)
        if (!item.notTold.empty())
            std::cout << '\n' << item.response << ": " << item.notTold << '\n';
    if (hasBlocks)
        std::cout
            << "\nThe prediction interval is for a run in the average block; the one in a new block contains "
               "the variation between blocks.\n";
    if (std::ranges::any_of(forecasts, [](const Forecast& item) { return item.prediction.isMedian; }))
        std::cout << "\nOf a transformed response the prediction is the median, not the mean.\n";
    if (assessed.isOk())
        std::cout << "\nOverall desirability " << desirabilityText(assessed.overall) << '\n';
    if (!violation.empty())
        std::cout << '\n' << report::fill(report::catalogue::kInfeasible, {{"violation", violation}}) << '\n';
}

std::optional<model::RunProbability> runProbability(const study::Study& study,
                                                    const study::Settings& settings)
{
    const auto feasibility = model::feasibilityOf(study);
    return feasibility ? std::optional(feasibility->at(study::Coding(study.factors).toCoded(settings).x))
                       : std::nullopt;
}

void show(const study::Study& study, const study::Settings& settings, const std::vector<Forecast>& forecasts,
          const optimize::Optimum& assessed, bool isJson)
{
    const std::string violation = study::findViolation(study, settings);
    if (isJson)
        return printForecastJson(forecasts, assessed, violation, runProbability(study, settings));
    printForecast(forecasts, assessed, violation);
    if (const std::string runs = report::describeRunProbability(study, settings); !runs.empty())
        std::cout << '\n' << runs << '\n';
}

int predict(const PredictOptions& options)
{
    const study::Study study = readAnalyzedStudy(options.study.path, options.selection);
    const study::Settings settings = readAllSettings(study, options.at);
    const std::vector<model::Fit> fits = fitsOf(study, options.selection);
    const optimize::Optimum assessed = optimize::assess(study, fits, settings);
    const auto forecasts =
        forecast(fits, assessed, study::Coding(study.factors).toCoded(settings), options.runs);
    show(study, settings, forecasts, assessed, options.study.json);
    reportUnusable(fits);
    return forecasts.size() == fits.size() ? kDone : kWorkFailed;
}

} // namespace

void addPredict(CommandLine& line)
{
    auto options = std::make_shared<PredictOptions>();
    Command& command = line.program.addCommand("predict", "Predict the responses at given settings");
    addStudyOption(command, options->study);
    addFitOptions(command, options->selection);
    command
        .option("--at", options->at, Kind::settings(), "SETTINGS",
                "A value for each factor: name=value,name=value")
        .required();
    command.option("--runs", options->runs, Kind::wholeNumber(1, kMostFutureRuns), "N",
                   "The prediction interval is for the mean of this many runs");
    command.whenCalled([&line, options] { line.exitStatus = predict(*options); });
}

} // namespace quadric::app
