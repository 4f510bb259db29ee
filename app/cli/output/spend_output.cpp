// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/spend_output.h"

#include "core/text/numbers.h"

#include <iostream>

namespace quadric::app {

namespace {

Json plannedJson(const optimize::PlannedRun& run)
{
    Json predicted = Json::object();
    for (const auto& [response, value] : run.predicted)
        predicted[response] = value;
    return {{"settings", jsonOf(run.settings)},
            {"gain", run.gain},
            {"runs_probability", run.runsProbability},
            {"seconds", run.seconds > 0.0 ? Json(run.seconds) : Json()},
            {"repeat", run.isRepeat},
            {"predicted", predicted}};
}

std::string outcomeOf(const study::Run& run)
{
    if (run.status == study::RunStatus::Failed)
        return "failed (" + (run.failure ? run.failure->kind : std::string("no reason")) + ")";
    std::string values;
    for (const auto& [name, value] : run.results)
        values += (values.empty() ? "" : ", ") + name + " " + text::formatBriefly(value);
    return values;
}

void printPlanned(const study::Study& study, const optimize::PlannedRun& run)
{
    std::cout << "  " << settingsText(study, run.settings) << ": may gain " << text::formatPercent(run.gain);
    if (run.seconds > 0.0)
        std::cout << ", " << text::formatDuration(run.seconds);
    if (run.runsProbability < 1.0)
        std::cout << ", gives a result with " << text::formatPercent(run.runsProbability);
    std::cout << (run.isRepeat ? ", a repeat" : "") << '\n';
}

} // namespace

std::string stopSentence(const SpendPlan& asked)
{
    if (asked.plan.hasConverged)
        return "Stop here: no further run is expected to gain more than " +
               text::formatPercent(optimize::PlanOptions{}.leastGain) + ".";
    return "The time ends before the gain does: the next run may gain " +
           text::formatPercent(asked.plan.nextGain) + ".";
}

Json spendJson(const SpendPlan& asked, const std::vector<int>& added)
{
    return {{"runs", listOf(asked.plan.runs, plannedJson)},
            {"seconds", asked.hasDurations ? Json(asked.plan.seconds) : Json()},
            {"next_gain", asked.plan.nextGain},
            {"converged", asked.plan.hasConverged},
            {"stop", stopSentence(asked)},
            {"added_runs", added}};
}

void printSpend(const SpendPlan& asked, const std::vector<int>& added)
{
    std::cout << "Runs worth their time, best first; each counts as done with what is predicted for those "
                 "after it:\n";
    for (const optimize::PlannedRun& run : asked.plan.runs)
        printPlanned(asked.study, run);
    if (asked.hasDurations)
        std::cout << "Together " << text::formatDuration(asked.plan.seconds) << ".\n";
    else
        std::cout << "No run has told how long it takes: the time is not divided.\n";
    std::cout << stopSentence(asked) << '\n';
    if (!added.empty())
        std::cout << "\nAdded to the study: " << text::formatRuns(added) << '\n';
}

Json spendRoundsJson(const std::vector<SpendRound>& rounds)
{
    Json json = {{"rounds", listOf(rounds, [](const SpendRound& round) {
                      Json one = spendJson(round.asked, round.runs);
                      one["spent"] = round.spent;
                      return one;
                  })}};
    json["stop"] = rounds.empty() ? Json() : Json(stopSentence(rounds.back().asked));
    return json;
}

void printSpendRound(const SpendRound& round)
{
    for (std::size_t i = 0; i < round.runs.size(); ++i) {
        std::cout << "Run " << round.runs[i] << ":";
        printPlanned(round.asked.study, round.asked.plan.runs[i]);
        if (const study::Run* run = study::findRun(round.asked.study, round.runs[i]))
            std::cout << "  " << outcomeOf(*run) << '\n';
    }
    std::cout << "  spent " << text::formatDuration(round.spent) << std::endl;
}

} // namespace quadric::app
