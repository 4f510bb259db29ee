// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/plan_output.h"

#include "core/report/findings/answer_findings.h"
#include "core/text/numbers.h"
#include "core/text/visible_text.h"

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
            {"exploration", run.isExploration},
            {"predicted", predicted}};
}

std::vector<study::Settings> settingsOf(const optimize::RunPlan& plan)
{
    std::vector<study::Settings> settings;
    for (const optimize::PlannedRun& run : plan.runs)
        settings.push_back(run.settings);
    return settings;
}

std::string describeRunOutcome(const study::Run& run)
{
    if (run.status == study::RunStatus::Failed)
        return "failed (" + (run.failure ? run.failure->kind : std::string("no reason")) + ")";
    return text::joinWords(run.results, ", ", [](const auto& result) {
        return result.first + " " + text::formatBriefly(result.second);
    });
}

void printPlanned(const SpendPlan& asked, const optimize::PlannedRun& run)
{
    const study::Study& study = asked.study;
    std::cout << "  " << settingsText(study, run.settings)
              << (asked.isForFront ? ": the Pareto front may grow by " : ": may gain ")
              << text::formatPercent(run.gain);
    if (run.seconds > 0.0)
        std::cout << ", " << text::formatDuration(run.seconds);
    if (run.runsProbability < 1.0)
        std::cout << ", gives a result with " << text::formatPercent(run.runsProbability);
    std::cout << (run.isRepeat ? ", a repeat" : "")
              << (run.isExploration ? ", an exploration: less sure to give a result than asked for" : "")
              << '\n';
    if (const std::string idle = report::describeIdleRanks(study, run.settings); !idle.empty())
        std::cout << "    " << text::makeVisible(idle) << '\n';
}

} // namespace

std::string stopSentence(const SpendPlan& asked)
{
    return report::describePlanEnd(asked.plan, optimize::PlanOptions{}.leastGain);
}

Json spendJson(const SpendPlan& asked, const std::vector<int>& added)
{
    return {{"runs", listOf(asked.plan.runs, plannedJson)},
            {"findings", listOf(report::findIdleRanks(asked.study, settingsOf(asked.plan)), findingJson)},
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
        printPlanned(asked, run);
    if (asked.hasDurations)
        std::cout << "Together " << text::formatDuration(asked.plan.seconds) << ".\n";
    else
        std::cout << "No run has reported how long it takes, so the time is not divided.\n";
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
        printPlanned(round.asked, round.asked.plan.runs[i]);
        if (const study::Run* run = study::findRun(round.asked.study, round.runs[i]))
            std::cout << "  " << describeRunOutcome(*run) << '\n';
    }
    std::cout << "  spent " << text::formatDuration(round.spent) << std::endl;
}

} // namespace quadric::app
