// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/plan_commands.h"
#include "core/optimize/answer/limit_probability.h"
#include "core/plan/cost.h"
#include "core/plan/deadline.h"
#include "core/plan/words/cluster_tables.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr int kMostCostedGpus = 1'000'000;

struct CostCommand : PlannedRunOptions {
    std::string energy;
    double watts = 0.0;
    int gpus = 0; ///< 0: as the factor says that is the number of ranks, or 1
    plan::Prices prices;
};

struct CostReport {
    study::Settings settings;
    int gpus = 1;
    bool isExtrapolation = false;
    std::string caution; ///< the model is poor; empty: it is not
    plan::RunCost cost;
};

model::Fit fitNamed(const study::Study& study, FitSelection selection, const std::string& option,
                    const std::string& response)
{
    requireResponse(study, option, response);
    selection.response = response;
    return requireFit(study, selection);
}

CostReport costReport(const CostCommand& options)
{
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    const model::Fit fit = requireTimedFit(study, options.selection);
    CostReport report;
    report.settings = completeSettings(study, fit, readAssignments(study, "--at", options.at));
    const plan::Work work = readWork(options, fit);
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(report.settings);
    const plan::RunTime time(fit, work, point);
    report.gpus = options.gpus > 0 ? options.gpus : plan::gpusAt(study, {}, report.settings);
    report.isExtrapolation = model::predict(fit, point).isExtrapolation;
    report.caution = report::describePoorModel(fit);
    plan::Resources resources{.gpus = report.gpus, .wattsPerGpu = options.watts};
    if (options.energy.empty()) {
        report.cost = plan::costOf(time, resources, options.prices);
        return report;
    }
    const model::Fit energy = fitNamed(study, options.selection, "--energy-response", options.energy);
    const plan::RunTime joules(energy, {plan::WorkKind::PerUnit, work.amount, 0.0, 1.0}, point);
    const plan::JointErrors errors(time.df(), joules.df(), optimize::residualCorrelation(fit, energy));
    resources.joules = &joules;
    resources.errors = &errors;
    report.cost = plan::costOf(time, resources, options.prices);
    return report;
}

Json costJson(const CostReport& report)
{
    return {{"settings", jsonOf(report.settings)},
            {"gpus", report.gpus},
            {"extrapolation", report.isExtrapolation},
            {"caution", report.caution},
            {"cost", estimateJson(report.cost.money)},
            {"kilowatt_hours", estimateJson(report.cost.kilowattHours)},
            {"seconds", estimateJson(report.cost.seconds)}};
}

std::string boundedText(const plan::Estimate& estimate)
{
    return std::isfinite(estimate.high) && std::isfinite(estimate.low)
               ? text::formatInterval(estimate.value, estimate.low, estimate.high)
               : text::formatNumber(estimate.value) + " (no upper end)";
}

void printLine(const std::string& what, const plan::Estimate& estimate, const std::string& unit)
{
    if (estimate.high > 0.0)
        std::cout << what << boundedText(estimate) << unit << '\n';
}

void printCost(const study::Study& study, const CostReport& report)
{
    std::cout << settingsText(study, report.settings) << (report.isExtrapolation ? " (extrapolated)" : "")
              << "\n\nMedians with 95 % intervals of one run on " << text::formatCount(report.gpus, "GPU")
              << ":\n";
    if (report.cost.money.high > 0.0)
        printLine("cost    ", report.cost.money, "");
    else
        std::cout << "cost    no price is known (--price-per-gpu-hour, --energy-price, --fixed-cost)\n";
    printLine("energy  ", report.cost.kilowattHours, " kWh");
    printLine("time    ", report.cost.seconds, " s");
    if (!report.caution.empty())
        std::cout << '\n' << report.caution << '\n';
}

void planCost(const CostCommand& options)
{
    const CostReport report = costReport(options);
    printAnswer(options.study.json, costJson(report),
                [&] { printCost(readStudy(options.study.path), report); });
}

void addPriceOptions(Command& command, CostCommand& options)
{
    command.option("--price-per-gpu-hour", options.prices.gpuHour, Kind::numberFrom(0.0), "PRICE",
                   "What an hour of one GPU costs");
    command.option("--energy-price", options.prices.kilowattHour, Kind::numberFrom(0.0), "PRICE",
                   "What a kilowatt hour costs");
    command.option("--fixed-cost", options.prices.fixed, Kind::numberFrom(0.0), "PRICE",
                   "What each run costs besides");
    command.option("--watts", options.watts, Kind::numberFrom(0.0), "W",
                   "Power of one GPU with its share of the machine, W");
    command.option(
        "--energy-response", options.energy, Kind::response(), "NAME",
        "The response that is the energy of all GPUs for a unit of the work, J; instead of --watts");
    command.option("--gpus", options.gpus, Kind::wholeNumber(1, kMostCostedGpus), "N",
                   "How many GPUs; default: the factor that is their number, else 1");
}

struct DeadlineCommand : PlannedRunOptions {
    std::string within, largest;
    double probability = 95.0;
};

struct DeadlineReport {
    std::string response = {};
    std::string caution = {}; ///< the model is poor; empty: it is not
    plan::DeadlineQuestion question = {};
    plan::DeadlineAnswer answer = {};
};

/// The factors given; for the largest setting of one the others as they are the fastest at its high end.
study::Settings settingsFor(const DeadlineCommand& options, const study::Study& study, const model::Fit& fit)
{
    study::Settings given = readAssignments(study, "--at", options.at);
    if (!options.largest.empty()) {
        const study::Factor& factor = requireFactor(study, "--largest", options.largest);
        if (!factor.isNumeric())
            throw UsageError("--largest: " + factor.name + " has categories, expected a numeric factor");
        given.insert_or_assign(factor.name, study::snapToLegal(factor, factor.high));
    }
    return completeSettings(study, fit, given);
}

DeadlineReport deadlineOf(const DeadlineCommand& options)
{
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    const model::Fit fit = requireTimedFit(study, options.selection);
    DeadlineReport report{.response = fit.response, .caution = report::describePoorModel(fit)};
    report.question = {.work = readWork(options, fit),
                       .settings = settingsFor(options, study, fit),
                       .seconds = requirePositive("--within", readDuration("--within", options.within)),
                       .probability = options.probability / 100.0,
                       .largest = options.largest};
    report.answer = plan::answerDeadline(fit, report.question);
    return report;
}

Json calibrationJson(const plan::Calibration& calibration, double asked)
{
    Json points = Json::array();
    if (calibration.message.empty())
        points.push_back({{"asked", asked},
                          {"reached", calibration.reached},
                          {"low", calibration.interval.low},
                          {"high", calibration.interval.high}});
    return {{"runs", calibration.runs},
            {"settings", calibration.settings},
            {"kept", calibration.kept},
            {"message", calibration.message},
            {"points", std::move(points)}};
}

Json deadlineJson(const DeadlineReport& report)
{
    const plan::DeadlineAnswer& answer = report.answer;
    Json json = {{"response", report.response},
                 {"settings", jsonOf(answer.settings)},
                 {"extrapolation", answer.isExtrapolation},
                 {"caution", report.caution},
                 {"within", report.question.seconds},
                 {"probability", answer.probability},
                 {"asked", report.question.probability},
                 {"time_at_asked", jsonOf(answer.quantile)},
                 {"time", estimateJson(answer.time)},
                 {"largest_amount", jsonOf(answer.largestAmount)},
                 {"largest_setting", nullptr}};
    if (answer.largest)
        json["largest_setting"] = {{"factor", report.question.largest},
                                   {"value", answer.largest->value},
                                   {"probability", answer.largest->probability}};
    json["calibration"] = calibrationJson(answer.calibration, report.question.probability);
    return json;
}

std::string durationText(double seconds)
{
    return std::isfinite(seconds) ? text::formatDuration(std::max(seconds, 0.0)) : "no time that is certain";
}

void printSizes(const DeadlineReport& report)
{
    const std::string asked = text::formatPercent(report.question.probability);
    if (report.answer.largestAmount)
        std::cout << "Largest amount of work within this time with " << asked << ": "
                  << text::formatNumber(*report.answer.largestAmount) << ".\n";
    if (report.answer.largest)
        std::cout << "Largest " << report.question.largest << " within this time with " << asked << ": "
                  << text::formatDigits(report.answer.largest->value, 6) << ".\n";
    else if (!report.question.largest.empty())
        std::cout << "No setting of " << report.question.largest << " is done within this time with " << asked
                  << ".\n";
}

/// A model that is not of the logarithm may go below 0 where it is extrapolated.
void printMedian(const DeadlineReport& report)
{
    const plan::Estimate& time = report.answer.time;
    const plan::Work& work = report.question.work;
    if (std::isfinite(time.value) && time.value > work.fixedSeconds)
        std::cout << "Median " << durationText(time.value) << ", 95 % interval " << durationText(time.low)
                  << " to " << durationText(time.high) << ".\n";
    else
        std::cout << "The model of " << report.response << " predicts no "
                  << (work.kind == plan::WorkKind::Speed ? "speed" : "time")
                  << " above 0 at these settings: choose the log transform for it.\n";
}

void printDeadline(const study::Study& study, const DeadlineReport& report)
{
    const plan::DeadlineAnswer& answer = report.answer;
    std::cout << settingsText(study, answer.settings) << (answer.isExtrapolation ? " (extrapolated)" : "")
              << "\n\n"
              << "Done within " << text::formatDuration(report.question.seconds) << " with probability "
              << text::formatPercent(answer.probability) << ".\n"
              << "Done with " << text::formatPercent(report.question.probability) << " within "
              << durationText(answer.quantile) << ".\n";
    printMedian(report);
    if (!report.caution.empty())
        std::cout << report.caution << '\n';
    printSizes(report);
    std::cout << '\n' << plan::describeCalibration(answer.calibration, report.question.probability) << '\n';
}

void planDeadline(const DeadlineCommand& options)
{
    const DeadlineReport report = deadlineOf(options);
    printAnswer(options.study.json, deadlineJson(report),
                [&] { printDeadline(readStudy(options.study.path), report); });
}

} // namespace

void addPlanCost(Command& plan)
{
    auto options = std::make_shared<CostCommand>();
    Command& command = plan.addCommand("cost", "What a run costs, in money and in energy");
    addPlannedRunOptions(command, *options);
    addPriceOptions(command, *options);
    command.whenCalled([options] { planCost(*options); });
}

void addPlanDeadline(Command& plan)
{
    auto options = std::make_shared<DeadlineCommand>();
    Command& command = plan.addCommand("deadline", "How surely a run is done in time, and how much fits in");
    addPlannedRunOptions(command, *options);
    command
        .option("--within", options->within, Kind::freeText(), "TIME", "The time available: 3600, 90min, 8h")
        .required();
    command.option("--probability", options->probability, Kind::numberFrom(0.1, 99.99), "PERCENT",
                   "How surely it has to be done, percent");
    command.option("--largest", options->largest, Kind::numericFactor(), "FACTOR",
                   "Find the largest setting of this factor that is done in time");
    command.whenCalled([options] { planDeadline(*options); });
}

} // namespace quadric::app
