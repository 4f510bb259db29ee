// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/queue_output.h"
#include "app/cli/plan_commands.h"
#include "core/plan/deadline.h"
#include "core/report/table_text.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr double kSecondsAnHour = 3600.0;
constexpr double kIntervalOfTime = 0.95;

struct DeadlineCommand {
    StudyOption study;
    FitSelection selection;
    WorkOptions work;
    std::string within, largest;
    std::vector<std::string> at;
    std::optional<double> price;
    double probability = 95.0;
};

struct DeadlineReport {
    std::string response = {}, factor = {};
    study::Settings settings = {};
    bool isExtrapolation = false;
    double within = 0.0, asked = 0.0, probability = 0.0, quantile = 0.0;
    plan::Estimate time = {};
    std::optional<double> largestAmount = {}, price = {};
    std::optional<plan::LargestSetting> largest = {};
    plan::Calibration calibration = {};
};

/// The factors given; for the largest setting of one the others as they are the fastest at its high end.
study::Settings settingsFor(const DeadlineCommand& options, const study::Study& study, const model::Fit& fit,
                            study::Goal goal)
{
    study::Settings given = readAssignments(study, "--at", options.at);
    if (!options.largest.empty()) {
        const study::Factor& factor = requireFactor(study, "--largest", options.largest);
        if (!factor.isNumeric())
            throw UsageError("--largest: " + factor.name + " has categories, expected a numeric factor");
        given.insert_or_assign(factor.name, study::snapToLegal(factor, factor.high));
    }
    return completeSettings(study, fit, given, goal);
}

DeadlineReport deadlineOf(const DeadlineCommand& options)
{
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    const model::Fit fit = requireFit(study, options.selection);
    const plan::Work work = workOf(options.work, fit);
    const bool isFast = work.kind == plan::WorkKind::Speed;
    DeadlineReport report{.response = fit.response, .factor = options.largest};
    report.within = requirePositive("--within", readDuration("--within", options.within));
    report.asked = options.probability / 100.0;
    report.price = options.price;
    report.settings =
        settingsFor(options, study, fit, isFast ? study::Goal::Maximize : study::Goal::Minimize);
    if (!options.largest.empty()) {
        report.largest = plan::findLargestSetting(fit, work, report.settings, options.largest, report.within,
                                                  report.asked);
        if (report.largest)
            report.settings.insert_or_assign(options.largest, report.largest->value);
    }
    const study::CodedPoint point = study::Coding(fit.factors).toCoded(report.settings);
    const plan::RunTime time(fit, work, point);
    report.probability = time.probabilityWithin(report.within);
    report.quantile = time.quantile(report.asked);
    report.time = time.interval(kIntervalOfTime);
    report.isExtrapolation = model::predict(fit, point).isExtrapolation;
    if (work.kind != plan::WorkKind::Whole)
        report.largestAmount = time.largestAmount(report.within, report.asked);
    report.calibration = plan::calibrate(fit, {0.5, 0.8, 0.9, 0.95, 0.99}, isFast);
    return report;
}

std::optional<double> finite(double value)
{
    return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

Json timeJson(const plan::Estimate& time, double factor)
{
    return {{"value", jsonOf(finite(time.value * factor))},
            {"low", jsonOf(finite(time.low * factor))},
            {"high", jsonOf(finite(time.high * factor))}};
}

Json calibrationJson(const plan::Calibration& calibration)
{
    return {{"runs", calibration.runs},
            {"settings", calibration.settings},
            {"kept", calibration.kept},
            {"message", calibration.message},
            {"points", listOf(calibration.points, [](const plan::CalibrationPoint& point) {
                 return Json{{"asked", point.asked},
                             {"reached", point.reached},
                             {"low", point.interval.low},
                             {"high", point.interval.high}};
             })}};
}

Json deadlineJson(const DeadlineReport& report)
{
    Json json = {{"response", report.response},
                 {"settings", jsonOf(report.settings)},
                 {"extrapolation", report.isExtrapolation},
                 {"within", report.within},
                 {"probability", report.probability},
                 {"asked", report.asked},
                 {"time_at_asked", jsonOf(finite(report.quantile))},
                 {"time", timeJson(report.time, 1.0)},
                 {"largest_amount", jsonOf(report.largestAmount)},
                 {"largest_setting", nullptr}};
    if (report.largest)
        json["largest_setting"] = {{"factor", report.factor},
                                   {"value", report.largest->value},
                                   {"probability", report.largest->probability}};
    json["cost"] = report.price ? timeJson(report.time, *report.price / kSecondsAnHour) : Json();
    json["calibration"] = calibrationJson(report.calibration);
    return json;
}

std::string durationText(double seconds)
{
    return std::isfinite(seconds) ? text::formatDuration(std::max(seconds, 0.0)) : "no time that is certain";
}

void printCalibration(const plan::Calibration& calibration)
{
    if (!calibration.message.empty()) {
        std::cout << "\nThe probabilities cannot be checked: " << calibration.message << '\n';
        return;
    }
    report::Table table{.columns = {{.title = "asked"}, {.title = "reached"}, {.title = "95 % interval"}}};
    for (const plan::CalibrationPoint& point : calibration.points)
        table.rows.push_back(
            {text::formatPercent(point.asked), text::formatPercent(point.reached),
             text::formatPercent(point.interval.low) + " to " + text::formatPercent(point.interval.high)});
    std::cout << "\nHow often " << text::formatCount(calibration.runs, "run")
              << " stayed within the time that the others predicted (all runs of one of "
              << text::formatCount(calibration.settings, "setting") << " left out at a time"
              << (calibration.kept > 0
                      ? "; " + text::formatCount(calibration.kept, "run") + " cannot be left out"
                      : "")
              << "):\n\n"
              << report::renderTerminal(table);
}

void printDeadline(const study::Study& study, const DeadlineReport& report)
{
    std::cout << settingsText(study, report.settings) << (report.isExtrapolation ? " (extrapolated)" : "")
              << "\n\n"
              << "Done within " << text::formatDuration(report.within) << " with probability "
              << text::formatPercent(report.probability) << ".\n"
              << "Done with " << text::formatPercent(report.asked) << " within "
              << durationText(report.quantile) << ".\n"
              << "Median " << durationText(report.time.value) << ", 95 % interval "
              << durationText(report.time.low) << " to " << durationText(report.time.high) << ".\n";
    if (report.largestAmount)
        std::cout << "Largest amount of work within this time with " << text::formatPercent(report.asked)
                  << ": " << text::formatNumber(*report.largestAmount) << ".\n";
    if (report.largest)
        std::cout << "Largest " << report.factor << " within this time with "
                  << text::formatPercent(report.asked) << ": " << text::formatDigits(report.largest->value, 6)
                  << ".\n";
    else if (!report.factor.empty())
        std::cout << "No setting of " << report.factor << " is done within this time with "
                  << text::formatPercent(report.asked) << ".\n";
    if (report.price && std::isfinite(report.time.high)) {
        const double each = *report.price / kSecondsAnHour;
        std::cout << "Cost: "
                  << text::formatInterval(each * report.time.value, each * report.time.low,
                                          each * report.time.high)
                  << ".\n";
    }
    printCalibration(report.calibration);
}

void planDeadline(const DeadlineCommand& options)
{
    const DeadlineReport report = deadlineOf(options);
    if (options.study.json)
        printJson(deadlineJson(report));
    else
        printDeadline(readStudy(options.study.path), report);
}

} // namespace

void addPlanDeadline(CLI::App& plan)
{
    auto options = std::make_shared<DeadlineCommand>();
    CLI::App* command =
        plan.add_subcommand("deadline", "How surely a run is done in time, and how much fits in");
    addStudyOption(*command, options->study);
    command->add_option("--within", options->within, "The time there is: 3600, 90min, 8h")
        ->required()
        ->type_name("TIME");
    command->add_option("--probability", options->probability, "How surely it has to be done, percent")
        ->check(CLI::Range(0.1, 99.99).description(""))
        ->type_name("PERCENT");
    command
        ->add_option(
            "--at", options->at,
            "Values of factors: name=value,name=value; the others as they are predicted to be the fastest")
        ->type_name("SETTINGS");
    addWorkOptions(*command, options->work);
    command
        ->add_option("--largest", options->largest,
                     "Find the largest setting of this factor that is done in time")
        ->type_name("FACTOR");
    command->add_option("--price-per-hour", options->price, "What an hour of the run costs")
        ->type_name("PRICE");
    addFitOptions(*command, options->selection);
    command->callback([options] { planDeadline(*options); });
}

} // namespace quadric::app
