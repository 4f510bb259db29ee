// SPDX-License-Identifier: GPL-3.0-or-later
#include "play.h"

#include "core/model/select/model_choice.h"
#include "core/optimize/answer/find_optimum.h"
#include "core/optimize/next/run_plan.h"
#include "core/optimize/search/local_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

namespace quadric::play {

namespace {

constexpr std::size_t kFirstRuns = 15;
constexpr std::size_t kChecks = 400;

using Random = std::mt19937_64;

double uniform(Random& random)
{
    return static_cast<double>(random() >> 11) * 0x1p-53;
}

double normal(Random& random)
{
    return std::sqrt(-2.0 * std::log(1.0 - uniform(random))) *
           std::cos(2.0 * std::numbers::pi * uniform(random));
}

/// What a worker says beforehand: a tenth to a fifth too little, by another share at other settings.
double estimateAt(const Problem& problem, const study::Settings& settings)
{
    const study::CodedPoint point = study::Coding(problem.factors).toCoded(settings);
    return 16384.0 * problem.memory(valuesOf(problem, settings)) * (0.85 + 0.05 * std::sin(point.x.sum()));
}

void execute(const Problem& problem, Random& random, study::Study& study)
{
    for (study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Pending)
            continue;
        if (problem.estimatesMemory)
            run.provenance.memoryEstimateMib = estimateAt(problem, run.settings);
        if (!runs(problem, run.settings)) {
            run.status = study::RunStatus::Failed;
            run.failure = study::Failure{"out-of-memory", "no memory left"};
            continue;
        }
        run.status = study::RunStatus::Done;
        run.results["y"] = truthAt(problem, run.settings) * (1.0 + problem.noise * normal(random));
        if (problem.measuresMemory)
            run.results["memory_peak_mib"] =
                16384.0 * problem.memory(valuesOf(problem, run.settings)) * (1.0 + 0.01 * normal(random));
    }
}

std::vector<study::Settings> spreadSettings(const Problem& problem, std::size_t count, std::uint64_t seed)
{
    const optimize::SearchSpace space(studyOf(problem), {}, {});
    std::vector<study::Settings> settings;
    for (const Eigen::VectorXd& x : optimize::legalSample(space, count, seed))
        settings.push_back(space.settingsAt(x));
    return settings;
}

/// A Latin hypercube at the nearest settings that can be run; categories in turn.
study::Study firstRuns(const Problem& problem, Random& random)
{
    const study::Study study = studyOf(problem);
    const study::Coding coding(study.factors);
    std::vector<study::CodedPoint> points(kFirstRuns, coding.center());
    for (std::size_t i = 0; i < study.factors.size(); ++i) {
        std::vector<int> order(kFirstRuns);
        std::iota(order.begin(), order.end(), 0);
        for (std::size_t j = order.size(); j > 1; --j)
            std::swap(order[j - 1], order[random() % j]);
        for (std::size_t run = 0; run < kFirstRuns; ++run) {
            const study::Factor& factor = study.factors[i];
            points[run][static_cast<Eigen::Index>(i)] =
                factor.isNumeric()
                    ? -1.0 + 2.0 * (order[run] + uniform(random)) / kFirstRuns
                    : static_cast<double>(static_cast<std::size_t>(order[run]) % factor.categories.size());
        }
    }
    std::vector<study::Settings> settings;
    for (const study::CodedPoint& point : points)
        settings.push_back(coding.toLegalSettings(point));
    return study::withRuns(study, settings, study::RunKind::Design);
}

study::Settings followUp(const study::Study& study, Player player, Random& random)
{
    if (player == Player::Random) {
        optimize::OptimizeOptions anywhere;
        anywhere.leastRunsProbability = 0.0;
        const optimize::SearchSpace space(study, {}, anywhere);
        return space.settingsAt(optimize::legalSample(space, 2, random()).back());
    }
    const optimize::RunPlan plan =
        optimize::planRuns(study, model::fitProcesses(study), {.most = 1, .leastGain = 0.0});
    return plan.runs.empty() ? followUp(study, Player::Random, random) : plan.runs.front().settings;
}

void judgeMeasured(const Problem& problem, const study::Study& study, const Truth& truth, Game& game)
{
    double best = -HUGE_VAL;
    for (const study::Run& run : study.runs) {
        if (run.status != study::RunStatus::Done)
            continue;
        const double share = truthAt(problem, run.settings) / truth.best;
        game.tried = std::max(game.tried, share);
        if (run.results.at("y") > best) {
            best = run.results.at("y");
            game.found = share;
        }
    }
}

void judgeRanked(const Problem& problem, const study::Study& study, const Truth& truth, Game& game)
{
    const study::Study chosen = model::withChosenModels(study);
    const optimize::Optimum best = optimize::findOptimum(chosen, optimize::fitForGoals(chosen));
    for (const optimize::Solution& solution : best.solutions) {
        ++game.ranked;
        game.infeasible += runs(problem, solution.settings) ? 0 : 1;
    }
    if (best.isOk() && runs(problem, best.settings))
        game.recommended = truthAt(problem, best.settings) / truth.best;
}

void judgeModels(const Problem& problem, const study::Study& study, Random& random, Game& game)
{
    const auto feasibility = model::feasibilityOf(study);
    const model::Process process = model::fitProcess(study, "y");
    const study::Coding coding(study.factors);
    int inside = 0, tried = 0, checked = 0;
    for (const study::Settings& settings : spreadSettings(problem, kChecks, random())) {
        const study::CodedPoint point = coding.toCoded(settings);
        const double p = feasibility ? feasibility->probabilityAt(point.x) : 1.0;
        const bool isRunning = runs(problem, settings);
        game.brier += std::pow(p - (isRunning ? 1.0 : 0.0), 2);
        ++checked;
        if (!isRunning || !process.isOk())
            continue;
        const model::Interval interval = process.predictNewRun(point);
        const double y = truthAt(problem, settings) * (1.0 + problem.noise * normal(random));
        inside += y >= interval.low && y <= interval.high ? 1 : 0;
        ++tried;
    }
    game.brier /= checked;
    game.covered = tried > 0 ? static_cast<double>(inside) / tried : 0.0;
}

} // namespace

std::string_view nameOf(Player player)
{
    return player == Player::Random ? "random" : "Quadric";
}

Truth truthOf(const Problem& problem)
{
    const optimize::SearchSpace space(studyOf(problem), {}, {});
    const optimize::PatternSearch::Function value = [&](const Eigen::VectorXd& x) {
        const Values values = valuesOf(problem, space.settingsAt(x));
        return problem.memory(values) <= 1.0 ? problem.truth(values) : -1.0;
    };
    const std::vector<Eigen::VectorXd> points = optimize::legalSample(space, 20000, 7);
    Truth truth;
    truth.best = optimize::PatternSearch(space, value).best(points, 20).merit;
    for (const Eigen::VectorXd& x : points)
        truth.infeasible += value(x) < 0.0 ? 1.0 / static_cast<double>(points.size()) : 0.0;
    return truth;
}

Game play(const Problem& problem, const Truth& truth, Player player, std::uint64_t seed, int followUps)
{
    Random random(seed * 7919);
    study::Study study = firstRuns(problem, random);
    execute(problem, random, study);
    Game game;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < followUps; ++i) {
        study = study::withRuns(study, {followUp(study, player, random)}, study::RunKind::Augment);
        execute(problem, random, study);
        game.failed += study.runs.back().status == study::RunStatus::Failed ? 1 : 0;
    }
    game.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() /
                   std::max(1, followUps);
    judgeMeasured(problem, study, truth, game);
    if (player != Player::Quadric)
        return game;
    judgeRanked(problem, study, truth, game);
    judgeModels(problem, study, random, game);
    return game;
}

} // namespace quadric::play
