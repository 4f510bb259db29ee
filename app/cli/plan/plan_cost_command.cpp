// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/queue_output.h"
#include "app/cli/plan/plan_commands.h"
#include "app/cli/plan/published_numbers.h"
#include "core/optimize/answer/residual_correlation.h"
#include "core/plan/cost_plan.h"
#include "core/report/findings/fit_findings.h"
#include "core/text/numbers.h"

#include <cmath>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr int kMostCostedGpus = 1'000'000;

struct CostCommand : PlannedRunOptions {
    std::string energy, least, published;
    std::optional<double> slower;
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
    std::optional<plan::LimitedBest> limited;
};

model::Fit fitNamed(const study::Study& study, FitSelection selection, const std::string& option,
                    const std::string& response)
{
    requireResponse(study, option, response);
    selection.response = response;
    return requireFit(study, selection);
}

/// "At most 5 % slower, least energy": the settings are those of this search.
plan::LimitedBest limitedBest(const CostCommand& options, const study::Study& study, const model::Fit& fit)
{
    study::Study asked = study;
    for (study::Response& response : asked.responses)
        if (response.name == fit.response)
            response.goal = isSpeed(options.work, fit) ? study::Goal::Maximize : study::Goal::Minimize;
        else if (response.name == options.least && response.goal == study::Goal::None)
            response.goal = study::Goal::Minimize;
    optimize::OptimizeOptions search;
    search.fixed = readAssignments(study, "--at", options.at);
    search.hasAlternatives = false;
    plan::LimitedBest found =
        plan::findLimitedBest(asked, {fit, fitNamed(study, options.selection, "--least", options.least)},
                              fit.response, *options.slower / 100.0, options.least, search);
    if (!found.optimum.isOk())
        throw WorkError("--least: " + found.optimum.message);
    return found;
}

CostReport costReport(const CostCommand& options)
{
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    const model::Fit fit = requireTimedFit(study, options.selection);
    CostReport report;
    if (options.least.empty() == options.slower.has_value())
        throw UsageError("--least NAME and --at-most-slower PERCENT belong together");
    if (!options.least.empty()) {
        report.limited = limitedBest(options, study, fit);
        report.settings = report.limited->optimum.settings;
    } else {
        report.settings = completeSettings(study, fit, readAssignments(study, "--at", options.at),
                                           isSpeed(options.work, fit));
    }
    const plan::Work work = workOf(options.work, fit);
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

Json boundedJson(const plan::Estimate& estimate)
{
    const auto finite = [](double value) { return std::isfinite(value) ? Json(value) : Json(); };
    return {
        {"value", finite(estimate.value)}, {"low", finite(estimate.low)}, {"high", finite(estimate.high)}};
}

Json costJson(const CostReport& report)
{
    Json json = {{"settings", jsonOf(report.settings)},
                 {"gpus", report.gpus},
                 {"extrapolation", report.isExtrapolation},
                 {"caution", report.caution},
                 {"cost", boundedJson(report.cost.money)},
                 {"kilowatt_hours", boundedJson(report.cost.kilowattHours)},
                 {"seconds", boundedJson(report.cost.seconds)},
                 {"limit", nullptr}};
    if (report.limited)
        json["limit"] = {{"value", report.limited->limit},
                         {"best", report.limited->best.responses.front().predicted.mean}};
    return json;
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
    if (report.limited)
        std::cout << "\nThe settings keep the limit of " << text::formatNumber(report.limited->limit)
                  << "; the best alone is "
                  << text::formatNumber(report.limited->best.responses.front().predicted.mean) << ".\n";
}

void planCost(const CostCommand& options)
{
    const CostReport report = costReport(options);
    printAnswer(options.study.json, costJson(report), options.published,
                [&] { printCost(readStudy(options.study.path), report); });
}

void addPriceOptions(CLI::App& command, CostCommand& options)
{
    command.add_option("--price-per-gpu-hour", options.prices.gpuHour, "What an hour of one GPU costs")
        ->check(numberFrom(0.0))
        ->type_name("PRICE");
    command.add_option("--energy-price", options.prices.kilowattHour, "What a kilowatt hour costs")
        ->check(numberFrom(0.0))
        ->type_name("PRICE");
    command.add_option("--fixed-cost", options.prices.fixed, "What each run costs besides")
        ->check(numberFrom(0.0))
        ->type_name("PRICE");
    command.add_option("--watts", options.watts, "Power of one GPU with its share of the machine, W")
        ->check(numberFrom(0.0))
        ->type_name("W");
    command
        .add_option(
            "--energy-response", options.energy,
            "The response that is the energy of all GPUs for a unit of the work, J; instead of --watts")
        ->type_name("NAME");
    command
        .add_option("--gpus", options.gpus, "How many GPUs; default: the factor that is their number, else 1")
        ->check(wholeNumber(1, kMostCostedGpus))
        ->type_name("N");
}

} // namespace

void addPlanCost(CLI::App& plan)
{
    auto options = std::make_shared<CostCommand>();
    CLI::App* command = plan.add_subcommand("cost", "What a run costs, in money and in energy");
    addPlannedRunOptions(*command, *options);
    addPriceOptions(*command, *options);
    command
        ->add_option("--least", options->least,
                     "Settings with the least of this response (energy, cost) that keep --at-most-slower")
        ->type_name("NAME");
    command
        ->add_option("--at-most-slower", options->slower,
                     "With --least: so many percent worse than the fastest settings at most")
        ->check(numberFrom(0.0))
        ->type_name("PERCENT");
    addPublishedOption(*command, options->published);
    command->callback([options] { planCost(*options); });
}

} // namespace quadric::app
