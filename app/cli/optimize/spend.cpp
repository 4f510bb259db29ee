// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/optimize/spend.h"

#include "app/cli/optimize/added_runs.h"
#include "app/cli/output/spend_output.h"
#include "app/cli/plan/plan_commands.h"
#include "core/optimize/next/run_plan.h"
#include "core/run/time/duration_model.h"
#include "core/text/numbers.h"

#include <QCoreApplication>
#include <QProcess>

#include <algorithm>
#include <iostream>

namespace quadric::app {

namespace {

SpendPlan planFor(const OptimizeCommand& command, double seconds, int most)
{
    SpendPlan result;
    result.study = withGoals(withSelection(readStudy(command.study.path), command.selection), command);
    const run::DurationModel durations = run::learnDurations(result.study);
    optimize::PlanOptions options;
    options.search = optionsOf(result.study, command);
    options.most = most;
    options.isForFront = result.isForFront = criterionOf(command) == optimize::RunCriterion::Front;
    result.hasDurations = !durations.isEmpty();
    if (result.hasDurations) {
        options.seconds = seconds;
        options.secondsOf = [&durations](const study::Settings& settings) {
            return durations.forecast({settings}, {1.0}).seconds.front();
        };
    }
    result.plan = optimize::planRuns(result.study, processesOf(result.study, command.selection), options);
    if (!result.plan.isOk())
        throw WorkError("no plan: " + result.plan.message);
    return result;
}

std::vector<int> addPlanned(const OptimizeCommand& command, const optimize::RunPlan& plan)
{
    std::vector<study::Settings> settings;
    for (const optimize::PlannedRun& run : plan.runs)
        settings.push_back(run.settings);
    return addRunsToFile(command.study.path, settings, study::RunKind::Augment);
}

/// The runs with these ids, executed by this program as `quadric run` does.
void executeRuns(const OptimizeCommand& command, const std::vector<int>& ids)
{
    std::string list;
    for (const int id : ids)
        list += (list.empty() ? "" : ",") + std::to_string(id);
    QProcess runner;
    runner.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    runner.start(QCoreApplication::applicationFilePath(),
                 {"run", QString::fromStdString(command.study.path), "--only", QString::fromStdString(list),
                  "--keep-going", "--short-looks", "--json"});
    runner.waitForFinished(-1);
    const study::Study study = readStudy(command.study.path);
    const bool hasEnded = std::ranges::all_of(ids, [&](int id) {
        const study::Run* run = study::findRun(study, id);
        return run != nullptr &&
               (run->status == study::RunStatus::Done || run->status == study::RunStatus::Failed);
    });
    if (!hasEnded)
        throw WorkError("the runner stopped before " + text::formatRuns(ids) + " had ended");
}

double secondsOfRuns(const study::Study& study, const std::vector<int>& ids)
{
    double sum = 0.0;
    for (const int id : ids) {
        const study::Run* run = study::findRun(study, id);
        sum += run != nullptr ? run->provenance.seconds.value_or(0.0) : 0.0;
    }
    return sum;
}

/// Asks, executes and asks again.
void goOn(const OptimizeCommand& command, double seconds)
{
    int argc = 1;
    std::string name = "quadric";
    char* argv[] = {name.data(), nullptr};
    const QCoreApplication application(argc, argv);
    double spent = 0.0;
    std::vector<SpendRound> rounds;
    while (spent < seconds) {
        const int slots_ = std::max(1, readStudy(command.study.path).benchmark.parallel);
        SpendPlan asked = planFor(command, seconds - spent, slots_);
        if (asked.plan.runs.empty()) {
            rounds.push_back({asked, {}, spent});
            break;
        }
        const std::vector<int> ids = addPlanned(command, asked.plan);
        executeRuns(command, ids);
        asked.study = readStudy(command.study.path);
        spent += std::max(secondsOfRuns(asked.study, ids), 1e-3);
        rounds.push_back({asked, ids, spent});
        if (!command.study.json)
            printSpendRound(rounds.back());
    }
    if (command.study.json)
        printJson(spendRoundsJson(rounds));
    else if (!rounds.empty())
        std::cout << stopSentence(rounds.back().asked) << '\n';
}

} // namespace

void spendTime(const OptimizeCommand& command)
{
    constexpr int kMostAtOnce = 100;
    const optimize::RunCriterion criterion = criterionOf(command);
    if (criterion != optimize::RunCriterion::Improvement && criterion != optimize::RunCriterion::Front)
        throw UsageError("--criterion: " + command.criterion +
                         ", expected improvement or front beside --spend");
    const double seconds = requirePositive("--spend", readDuration("--spend", command.spend));
    if (command.isGoing)
        return goOn(command, seconds);
    const SpendPlan asked = planFor(command, seconds, kMostAtOnce);
    std::vector<int> added;
    if (command.isAdding && !asked.plan.runs.empty())
        added = addPlanned(command, asked.plan);
    if (command.study.json)
        printJson(spendJson(asked, added));
    else
        printSpend(asked, added);
}

} // namespace quadric::app
