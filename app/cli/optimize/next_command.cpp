// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/commands.h"
#include "app/cli/base/fit_selection.h"
#include "app/cli/output/study_output.h"
#include "app/cli/plan/plan_commands.h"
#include "core/optimize/next/chosen_limits.h"
#include "core/optimize/next/run_plan.h"
#include "core/report/findings/answer_findings.h"
#include "core/report/table.h"
#include "core/report/tables/run_tables.h"
#include "core/run/follow/run_durations.h"
#include "core/text/numbers.h"

#include <iostream>
#include <memory>

namespace quadric::app {

namespace {

constexpr int kMostProposed = 1000;
constexpr int kMostInTime = 100;

struct NextOptions {
    StudyOption study;
    std::optional<int> runs;
    std::string time; ///< empty: not given
    bool isAdding = false;
};

/// What a run has to gain: anything where a number was asked for.
double leastGainOf(const NextOptions& asked)
{
    return asked.runs ? optimize::kNoGain : optimize::PlanOptions{}.leastGain;
}

/// At most so many runs, or those that gain most in the time.
optimize::RunPlan findRuns(const study::Study& study, const NextOptions& asked)
{
    optimize::PlanOptions options;
    options.search.leastRunsProbability = optimize::readLeastRunsProbability(study);
    options.most = asked.runs.value_or(kMostInTime);
    options.leastGain = leastGainOf(asked);
    if (!asked.runs)
        options.seconds = requirePositive("--time", readDuration("--time", asked.time));
    options.secondsOf = run::learnDurations(study);
    if (!options.secondsOf)
        options.seconds = 0.0;
    optimize::RunPlan found = optimize::planRuns(study, model::fitProcesses(study), options);
    if (!found.isOk())
        throw WorkError("no next runs: " + found.message);
    return found;
}

Json nextRunJson(const optimize::PlannedRun& run)
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

/// Why there are no more of them; empty where there are as many as were asked for.
std::string stopSentence(const optimize::RunPlan& found, const NextOptions& asked)
{
    return asked.runs && !found.hasConverged ? std::string()
                                             : report::describePlanEnd(found, leastGainOf(asked));
}

Json planJson(const optimize::RunPlan& found, const NextOptions& asked, const std::vector<int>& added)
{
    const std::string stop = stopSentence(found, asked);
    return {{"runs", listOf(found.runs, nextRunJson)},
            {"seconds", found.seconds > 0.0 ? Json(found.seconds) : Json()},
            {"next_gain", asked.runs ? Json() : Json(found.nextGain)},
            {"converged", found.hasConverged},
            {"stop", stop.empty() ? Json() : Json(stop)},
            {"added_runs", added}};
}

void printPlan(const study::Study& study, const optimize::RunPlan& found, const NextOptions& asked,
               const std::vector<int>& added)
{
    if (!found.runs.empty())
        std::cout << renderTerminal(report::makePlanTable(study, found)) << '\n';
    if (found.seconds > 0.0 || !asked.runs)
        std::cout << report::describePlanTime(found) << '\n';
    if (const std::string stop = stopSentence(found, asked); !stop.empty())
        std::cout << stop << '\n';
    if (!added.empty())
        std::cout << "\nAdded to the study: " << text::formatRuns(added) << '\n';
}

void findNext(const NextOptions& asked)
{
    if (asked.runs.has_value() != asked.time.empty())
        throw UsageError("expected --runs K or --time TIME: how many runs, or how long they may take");
    const study::Study study = readAnalyzedStudy(asked.study.path, {});
    const optimize::RunPlan found = findRuns(study, asked);
    std::vector<study::Settings> settings;
    for (const optimize::PlannedRun& run : found.runs)
        settings.push_back(run.settings);
    std::vector<int> added;
    if (asked.isAdding && !settings.empty())
        added = addRunsToFile(asked.study.path, settings, study::RunKind::Augment);
    if (asked.study.json)
        printJson(planJson(found, asked, added));
    else
        printPlan(study, found, asked, added);
}

} // namespace

void addNext(CommandLine& line)
{
    auto options = std::make_shared<NextOptions>();
    Command& command = line.program.addCommand("next", "The next runs that gain most");
    addStudyOption(command, options->study);
    command.option("--runs", options->runs, Kind::wholeNumber(1, kMostProposed), "K",
                   "At most so many runs, none that gains nothing");
    command.option("--time", options->time, Kind::freeText(), "TIME",
                   "Those that gain most in this time: 90s, 20min, 1.5h");
    command.flag("--add", options->isAdding, "Add them to the study");
    command.whenCalled([options] { findNext(*options); });
}

} // namespace quadric::app
