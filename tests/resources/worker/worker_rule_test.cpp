// SPDX-License-Identifier: GPL-3.0-or-later
// The same series through quadric_worker.py and through the trainer's rule: equal to the last bit.
#include "core/trainer/base/statistics.h"
#include "core/trainer/measure/stage_rule.h"
#include "tests/support/test_paths.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <random>

namespace quadric::trainer {
namespace {

using nlohmann::json;

json caseOf(const std::vector<double>& steps, double elapsed)
{
    return {{"steps_ms", steps},
            {"elapsed_seconds", elapsed},
            {"next_seconds", 0.1},
            {"rule",
             {{"preparing_steps", 1},
              {"warmup_least_seconds", 0.5},
              {"warmup_seconds", 18.0},
              {"min_seconds", 1.0},
              {"interval_pct", 0.5},
              {"max_seconds", 60.0}}}};
}

/// Steps of many lengths and numbers, some of them with a drift.
std::vector<json> madeUpCases()
{
    std::mt19937 random(7);
    std::vector<json> cases;
    for (const int count : {1, 2, 3, 6, 19, 20, 21, 50, 333, 1001, 4000}) {
        for (const double drift : {0.0, 0.02}) {
            std::vector<double> steps;
            for (int i = 0; i < count; ++i) {
                const double noise = std::generate_canonical<double, 53>(random);
                steps.push_back((7.0 + 0.1 * noise) * (1.0 + drift * i / count));
            }
            cases.push_back(caseOf(steps, 0.01 * count));
        }
    }
    return cases;
}

json answersOf(const json& cases)
{
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("quadric-rule-" + std::to_string(std::random_device()()) + ".json");
    std::ofstream(file) << cases.dump();
    const std::string command = std::string(PYTHON) + " " +
                                sourcePath("tests/resources/worker/rule_answers.py") + " " + file.string();
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    std::string text;
    std::array<char, 65536> part{};
    while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe.get()))
        text.append(part.data(), size);
    std::filesystem::remove(file);
    return json::parse(text);
}

void expectSame(std::optional<double> found, const json& told, const std::string& where)
{
    EXPECT_EQ(found ? json(*found) : json(), told) << where;
}

TEST(WorkerRule, MakesTheSameNumbersAndDecisionsAsTheTrainer)
{
    const std::map<WarmUpDecision, std::string> warmUp = {{WarmUpDecision::Continue, "continue"},
                                                          {WarmUpDecision::Steady, "steady"},
                                                          {WarmUpDecision::OutOfTime, "out-of-time"}};
    const std::map<StopReason, std::string> measuring = {{StopReason::None, "continue"},
                                                         {StopReason::Drifting, "drifting"},
                                                         {StopReason::Precise, "precise"},
                                                         {StopReason::OutOfTime, "out-of-time"}};
    const std::vector<json> cases = madeUpCases();
    const json answers = answersOf(cases);
    ASSERT_EQ(answers.size(), cases.size());
    const StageRule rule{.preparingSteps = 1, .leastWarmupSeconds = 0.5, .warmupSeconds = 18.0};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const auto steps = cases[i]["steps_ms"].get<std::vector<double>>();
        const double elapsed = cases[i]["elapsed_seconds"].get<double>();
        const std::string where = std::to_string(steps.size()) + " steps";
        const json& told = answers[i];
        expectSame(median(steps), told["median"], where + " median");
        expectSame(quantile(steps, 0.95), told["p95"], where + " p95");
        EXPECT_EQ(blockCount(steps), told["blocks"].get<std::size_t>()) << where;
        expectSame(meanStepHalfWidth(steps), told["mean_half_width"], where + " mean");
        expectSame(medianStepHalfWidth(steps), told["median_half_width"], where + " median's interval");
        const std::optional<Drift> drift = estimateDrift(steps);
        EXPECT_EQ(drift ? json({drift->percent, drift->halfWidth}) : json(), told["drift"]) << where;
        EXPECT_EQ(warmUp.at(decideWarmUp(steps, elapsed, rule)), told["warm_up"].get<std::string>()) << where;
        EXPECT_EQ(measuring.at(decideMeasuring(steps, elapsed, 0.1, rule)),
                  told["measuring"].get<std::string>())
            << where;
    }
}

} // namespace
} // namespace quadric::trainer
