// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/plan/plan_commands.h"
#include "core/plan/cost.h"
#include "core/plan/words/plan_sentences.h"
#include "core/report/findings/fit_findings.h"

#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

using plan::PlanChoices;

constexpr int kMostCostedGpus = 1'000'000;

/// The settings, what is answered there, and what speaks against it.
void printAnswerAt(const PlannedStudy& planned, const study::Settings& settings, bool isExtrapolation,
                   const std::string& answer)
{
    const model::Fit& fit = planned.fit();
    std::cout << settingsText(planned.study, settings) << "\n\n"
              << plan::describeImpossible(planned.study, fit, plan::chosenWork(fit, planned.choices),
                                          settings)
              << answer << plan::describeCaution(fit, isExtrapolation) << '\n';
}

Json costJson(const PlannedStudy& planned, const study::Settings& settings, const plan::CostPlan& cost)
{
    return {{"settings", jsonOf(settings)},
            {"gpus", cost.gpus},
            {"extrapolation", cost.isExtrapolation},
            {"caution", report::describePoorModel(planned.fit())},
            {"cost", estimateJson(cost.isInGpuHours ? std::nullopt : std::optional(cost.here.money))},
            {"kilowatt_hours", estimateJson(cost.here.kilowattHours)},
            {"seconds", estimateJson(cost.here.seconds)}};
}

void planCost(const PlanOptions& options)
{
    const PlannedStudy planned = readPlanned(options);
    if (const std::string& energy = planned.choices.energy; !energy.empty()) {
        requireResponse(planned.study, "--energy-response", energy);
        requireFit(planned.study, {.response = energy});
    }
    const study::Settings settings = planned.settings();
    const plan::CostPlan cost =
        plan::planCost(planned.study, planned.fits, planned.fit(), settings, planned.choices);
    printAnswer(options.study.json, costJson(planned, settings, cost),
                [&] { printAnswerAt(planned, settings, cost.isExtrapolation, plan::describeCost(cost)); });
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

Json deadlineJson(const model::Fit& fit, const plan::DeadlineQuestion& question,
                  const plan::DeadlineAnswer& answer)
{
    Json json = {{"response", fit.response},
                 {"settings", jsonOf(answer.settings)},
                 {"extrapolation", answer.isExtrapolation},
                 {"caution", report::describePoorModel(fit)},
                 {"within", question.seconds},
                 {"probability", answer.probability},
                 {"asked", question.probability},
                 {"time_at_asked", jsonOf(answer.quantile)},
                 {"time", estimateJson(answer.time)},
                 {"largest_amount", jsonOf(answer.largestAmount)},
                 {"largest_setting", nullptr}};
    if (answer.largest)
        json["largest_setting"] = {{"factor", question.largest},
                                   {"value", answer.largest->value},
                                   {"probability", answer.largest->probability}};
    json["calibration"] = calibrationJson(answer.calibration, question.probability);
    return json;
}

struct DeadlineOptions : PlanOptions {
    std::string within;
    std::optional<double> probability; ///< percent
};

void requireNumericFactor(const study::Study& study, const std::string& name)
{
    if (!name.empty() && !requireFactor(study, "--largest", name).isNumeric())
        throw UsageError("--largest: " + name + " has categories, expected a numeric factor");
}

void planDeadline(const DeadlineOptions& options)
{
    PlannedStudy planned = readPlanned(options);
    requireNumericFactor(planned.study, planned.choices.largest);
    if (!options.within.empty())
        planned.choices.within = requirePositive("--within", readDuration("--within", options.within));
    if (options.probability)
        planned.choices.probability = *options.probability / 100.0;
    const model::Fit& fit = planned.fit();
    const plan::DeadlineQuestion question = plan::deadlineQuestion(fit, planned.choices, planned.settings());
    const plan::DeadlineAnswer answer = plan::answerDeadline(fit, question);
    printAnswer(options.study.json, deadlineJson(fit, question, answer), [&] {
        printAnswerAt(planned, answer.settings, answer.isExtrapolation,
                      plan::describeDeadline(fit, question, answer));
        std::cout << '\n' << plan::describeCalibration(answer.calibration, question.probability) << '\n';
    });
}

} // namespace

void addPlanCost(Command& plan)
{
    using Number = std::optional<double>;
    auto options = std::make_shared<PlanOptions>();
    Command& command = plan.addCommand("cost", "What a run costs, in money and in energy");
    addStudyOption(command, options->study);
    addWorkOptions(command, *options);
    addSettingsOption(command, *options);
    addChoice<Number>(command, *options, "--price-per-gpu-hour", &PlanChoices::gpuHour, Kind::numberFrom(0.0),
                      "PRICE", "What an hour of one GPU costs");
    addChoice<Number>(command, *options, "--energy-price", &PlanChoices::kilowattHour, Kind::numberFrom(0.0),
                      "PRICE", "What a kilowatt hour costs");
    addChoice<Number>(command, *options, "--watts", &PlanChoices::watts, Kind::numberFrom(0.0), "W",
                      "Power of one GPU with its share of the machine, W");
    addChoice<std::string>(
        command, *options, "--energy-response", &PlanChoices::energy, Kind::response(), "NAME",
        "The response that is the energy of all GPUs for a unit of the work, J; instead of --watts");
    addChoice<std::optional<int>>(command, *options, "--gpus", &PlanChoices::gpus,
                                  Kind::wholeNumber(1, kMostCostedGpus), "N",
                                  "How many GPUs; default: the factor that is their number, else 1");
    command.whenCalled([options] { planCost(*options); });
}

void addPlanDeadline(Command& plan)
{
    auto options = std::make_shared<DeadlineOptions>();
    Command& command = plan.addCommand("deadline", "How surely a run is done in time, and how much fits in");
    addStudyOption(command, options->study);
    addWorkOptions(command, *options);
    addSettingsOption(command, *options);
    command.option("--within", options->within, Kind::freeText(), "TIME",
                   "The time available: 3600, 90min, 8h; default: as long as it takes with --probability");
    command.option("--probability", options->probability, Kind::numberFrom(0.1, 99.99), "PERCENT",
                   "How surely it has to be done, percent; default: 95");
    addChoice<std::string>(command, *options, "--largest", &PlanChoices::largest, Kind::numericFactor(),
                           "FACTOR", "Find the largest setting of this factor that is done in time");
    command.whenCalled([options] { planDeadline(*options); });
}

} // namespace quadric::app
