// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/queue_output.h"
#include "app/cli/plan/plan_commands.h"
#include "app/cli/plan/published_numbers.h"
#include "core/plan/deadline_answer.h"
#include "core/report/findings/fit_findings.h"
#include "core/report/table_text.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr double kSecondsAnHour = 3600.0;

struct DeadlineCommand : PlannedRunOptions {
    std::string within, largest, published;
    std::optional<double> price;
    double probability = 95.0;
};

struct DeadlineReport {
    std::string response = {};
    std::string caution = {}; ///< the model is poor; empty: it is not
    plan::DeadlineQuestion question = {};
    plan::DeadlineAnswer answer = {};
    std::optional<double> price = {};
};

/// The factors given; for the largest setting of one the others as they are the fastest at its high end.
study::Settings settingsFor(const DeadlineCommand& options, const study::Study& study, const model::Fit& fit,
                            bool isFastLarge)
{
    study::Settings given = readAssignments(study, "--at", options.at);
    if (!options.largest.empty()) {
        const study::Factor& factor = requireFactor(study, "--largest", options.largest);
        if (!factor.isNumeric())
            throw UsageError("--largest: " + factor.name + " has categories, expected a numeric factor");
        given.insert_or_assign(factor.name, study::snapToLegal(factor, factor.high));
    }
    return completeSettings(study, fit, given, isFastLarge);
}

DeadlineReport deadlineOf(const DeadlineCommand& options)
{
    const study::Study study = withSelection(readStudy(options.study.path), options.selection);
    const model::Fit fit = requireTimedFit(study, options.selection);
    const plan::Work work = workOf(options.work, fit);
    DeadlineReport report{
        .response = fit.response, .caution = report::describePoorModel(fit), .price = options.price};
    report.question = {.work = work,
                       .settings = settingsFor(options, study, fit, work.kind == plan::WorkKind::Speed),
                       .seconds = requirePositive("--within", readDuration("--within", options.within)),
                       .probability = options.probability / 100.0,
                       .largest = options.largest};
    report.answer = plan::answerDeadline(fit, report.question);
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
    const plan::DeadlineAnswer& answer = report.answer;
    Json json = {{"response", report.response},
                 {"settings", jsonOf(answer.settings)},
                 {"extrapolation", answer.isExtrapolation},
                 {"caution", report.caution},
                 {"within", report.question.seconds},
                 {"probability", answer.probability},
                 {"asked", report.question.probability},
                 {"time_at_asked", jsonOf(finite(answer.quantile))},
                 {"time", timeJson(answer.time, 1.0)},
                 {"largest_amount", jsonOf(answer.largestAmount)},
                 {"largest_setting", nullptr}};
    if (answer.largest)
        json["largest_setting"] = {{"factor", report.question.largest},
                                   {"value", answer.largest->value},
                                   {"probability", answer.largest->probability}};
    json["cost"] = report.price ? timeJson(answer.time, *report.price / kSecondsAnHour) : Json();
    json["calibration"] = calibrationJson(answer.calibration);
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
    if (report.price && std::isfinite(answer.time.high)) {
        const double each = *report.price / kSecondsAnHour;
        std::cout << "Cost: "
                  << text::formatInterval(each * answer.time.value, each * answer.time.low,
                                          each * answer.time.high)
                  << ".\n";
    }
    printCalibration(answer.calibration);
}

void planDeadline(const DeadlineCommand& options)
{
    const DeadlineReport report = deadlineOf(options);
    printAnswer(options.study.json, deadlineJson(report), options.published,
                [&] { printDeadline(readStudy(options.study.path), report); });
}

} // namespace

void addPlanDeadline(CLI::App& plan)
{
    auto options = std::make_shared<DeadlineCommand>();
    CLI::App* command =
        plan.add_subcommand("deadline", "How surely a run is done in time, and how much fits in");
    addPlannedRunOptions(*command, *options);
    command->add_option("--within", options->within, "The time available: 3600, 90min, 8h")
        ->required()
        ->type_name("TIME");
    command->add_option("--probability", options->probability, "How surely it has to be done, percent")
        ->check(numberFrom(0.1, 99.99))
        ->type_name("PERCENT");
    command
        ->add_option("--largest", options->largest,
                     "Find the largest setting of this factor that is done in time")
        ->type_name("FACTOR");
    command->add_option("--price-per-hour", options->price, "What an hour of the run costs")
        ->check(numberFrom(0.0))
        ->type_name("PRICE");
    addPublishedOption(*command, options->published);
    command->callback([options] { planDeadline(*options); });
}

} // namespace quadric::app
