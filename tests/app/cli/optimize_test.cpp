// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include "core/study/document/document.h"

#include <cmath>

namespace quadric::app {
namespace {

using test::CommandResult;
using test::Json;

class OptimizeCommand : public test::CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        m_path = example("resnet50-scaling.quadric");
    }

    Json optimize(std::vector<std::string> more) const
    {
        std::vector<std::string> command = {"optimize", m_path, "--json"};
        command.insert(command.end(), more.begin(), more.end());
        const CommandResult result = quadric(command);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.status == 0 ? result.json() : Json();
    }

    std::string m_path;
};

/// Example (a): a legal setting, proven to be the best, and none on the trade-off front beats it.
TEST_F(OptimizeCommand, RecommendsALegalSettingThatNothingDominates)
{
    const Json best = optimize({"--solutions", "7"});
    EXPECT_TRUE(best["proven"].get<bool>());
    EXPECT_LE(best["overall"].get<double>(), best["bound"].get<double>() + 1e-7);
    EXPECT_EQ(best["solutions"].size(), 7U);
    EXPECT_TRUE(best["solutions"][0]["optimum"].get<bool>());
    const study::Study study = study::loadStudy(m_path).study;
    for (const study::Factor& factor : study.factors) {
        const double value = best["settings"][factor.name];
        EXPECT_EQ(study::snapToLegal(factor, value), value) << factor.name;
    }
    for (const Json& point : best["front"]) {
        bool isWorseSomewhere = false;
        for (const Json& row : best["responses"]) {
            const study::Response& response = *study::findResponse(study, row["response"].get<std::string>());
            const double sign = response.goal == study::Goal::Minimize ? -1.0 : 1.0;
            const double there = point["responses"].value(response.name, 0.0);
            if (point["responses"].contains(response.name))
                isWorseSomewhere |= sign * there <= sign * row["predicted"].get<double>() + 1e-9;
        }
        EXPECT_TRUE(isWorseSomewhere) << point.dump();
    }
}

/// What a maximum of noisy predictions is too high by is subtracted, and said of the same number in words.
TEST_F(OptimizeCommand, CorrectsThePredictionForHavingBeenChosen)
{
    const std::vector<std::string> alone = {"--model", "auto", "--goal", "scaling_efficiency=none"};
    const Json best = optimize(alone);
    ASSERT_TRUE(best.contains("corrected"));
    EXPECT_EQ(best["corrected"]["replicates"], 100);
    const Json& row = best["corrected"]["responses"][0];
    EXPECT_EQ(row["response"], best["responses"][0]["response"]);
    const double predicted = best["responses"][0]["predicted"];
    const double corrected = row["predicted"];
    EXPECT_NEAR(predicted - row["optimism"].get<double>(), corrected, 1e-9 * std::abs(predicted));
    EXPECT_LT(row["prediction"][0].get<double>(), row["confidence"][0].get<double>());
    EXPECT_LT(row["confidence"][1].get<double>(), row["prediction"][1].get<double>());
    EXPECT_EQ(optimize(alone)["corrected"], best["corrected"]);
    std::vector<std::string> command = {"optimize", m_path};
    command.insert(command.end(), alone.begin(), alone.end());
    EXPECT_NE(quadric(command).out.find("after correction for selecting the best setting"),
              std::string::npos);
}

TEST_F(OptimizeCommand, KeepsNearTheRuns)
{
    const Json near = optimize({"--near-runs"});
    for (const Json& row : near["responses"])
        EXPECT_FALSE(row["extrapolation"].get<bool>()) << row["response"];
    EXPECT_LE(near["overall"], optimize({})["overall"]);
    EXPECT_LE(optimize({"--max-leverage", "0.5"})["overall"], near["overall"]);
}

TEST_F(OptimizeCommand, TellsChancesCostsAndPulls)
{
    const Json all = optimize(
        {"--robust", "--vary", "gradient_compression=2", "--sensitivity", "--cost-of", "gpu_count=32"});
    const double chance = all["limits"]["probability"];
    EXPECT_GE(chance, 0.0);
    EXPECT_GE(all["robust"]["limits"]["probability"].get<double>(), chance - 1e-9);
    EXPECT_GT(all["transmitted"][0]["sd"].get<double>(), 0.0);
    EXPECT_GE(all["sensitivity"].size(), 3U);
    ASSERT_EQ(all["cost"].size(), 1U);
    EXPECT_EQ(all["cost"][0]["settings"]["gpu_count"], 32);
    EXPECT_NEAR(all["cost"][0]["loss"].get<double>(),
                all["overall"].get<double>() - optimize({"--fix", "gpu_count=32"})["overall"].get<double>(),
                1e-9);
    EXPECT_GT(optimize({"--cost-of", "gpu_count"})["cost"].size(), 3U);
}

TEST_F(OptimizeCommand, AddsTheRunsThatItProposes)
{
    const std::size_t before = study::loadStudy(m_path).study.runs.size();
    const Json proposed = optimize({"--next-runs", "3", "--criterion", "variance"});
    EXPECT_EQ(proposed["next_runs"]["runs"].size(), 3U);
    EXPECT_EQ(study::loadStudy(m_path).study.runs.size(), before);
    const Json added = optimize({"--next-runs", "2", "--criterion", "variance", "--add"});
    EXPECT_EQ(added["added_runs"].size(), 2U);
    const study::Study study = study::loadStudy(m_path).study;
    ASSERT_EQ(study.runs.size(), before + 2);
    EXPECT_EQ(study.runs.back().kind, study::RunKind::Augment);
    EXPECT_EQ(study.runs.back().status, study::RunStatus::Pending);
}

TEST_F(OptimizeCommand, ConfirmsAndJudges)
{
    const Json asked = optimize({"--confirm", "2"});
    ASSERT_EQ(asked["added_runs"].size(), 2U);
    EXPECT_EQ(optimize({})["confirmation"][0]["pending"], 2);
    study::Study study = study::loadStudy(m_path).study;
    for (study::Run& run : study.runs) {
        if (run.kind != study::RunKind::Confirmation)
            continue;
        run.status = study::RunStatus::Done;
        const double apart = run.id % 2 == 0 ? 1e-6 : -1e-6; // equal results would be copies
        for (const Json& row : asked["responses"])
            run.results[row["response"].get<std::string>()] = row["predicted"].get<double>() * (1.0 + apart);
    }
    study::saveStudy(study, m_path);
    const CommandResult analysis = quadric({"analyze", m_path, "--json"});
    ASSERT_EQ(analysis.status, 0) << analysis.err;
    const Json verdict = analysis.json()["confirmation"][0];
    EXPECT_TRUE(verdict["confirmed"].get<bool>());
    EXPECT_NEAR(verdict["responses"][0]["half_widths"].get<double>(), 0.0, 1e-9);
    EXPECT_NE(quadric({"analyze", m_path}).out.find("inside the interval"), std::string::npos);
    const int without = analysis.json()["responses"][0]["n"];
    const Json with = quadric({"analyze", m_path, "--json", "--include-confirmation"}).json();
    EXPECT_EQ(with["responses"][0]["n"], without + 2);
}

/// No point of the present front is proposed again; weights do not change what is.
TEST_F(OptimizeCommand, ProposesRunsForTheTradeOffFront)
{
    const Json next = optimize({"--next-runs", "3", "--criterion", "front"})["next_runs"];
    ASSERT_EQ(next["runs"].size(), 3U);
    for (const Json& run : next["runs"]) {
        EXPECT_GT(run["gain"].get<double>(), 0.0);
        EXPECT_LT(run["gain"].get<double>(), 1.0);
    }
    EXPECT_NE(next["runs"][0]["settings"], next["runs"][1]["settings"]);
    const Json weighted =
        optimize({"--next-runs", "3", "--criterion", "front", "--weight", "images_per_sec=9"})["next_runs"];
    EXPECT_EQ(next["runs"][0]["settings"], weighted["runs"][0]["settings"]);
    EXPECT_EQ(quadric({"optimize", m_path, "--spend", "2min", "--criterion", "front"}).status, 0);
}

TEST_F(OptimizeCommand, NamesWrongUse)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"--max-leverage", "0"}, "--max-leverage"},
        {{"--vary", "gpu_count=-1"}, "--vary gpu_count"},
        {{"--cost-of", "gpus=3"}, "gpus"},
        {{"--next-runs", "0"}, "--next-runs"},
        {{"--next-runs", "2", "--criterion", "luck"}, "variance-at-optimum"},
        {{"--spend", "2min", "--criterion", "variance"}, "expected improvement or front"},
        {{"--confirm", "x"}, "--confirm"},
        {{"--add"}, "--next-runs"},
    };
    for (const auto& [options, word] : cases) {
        std::vector<std::string> command = {"optimize", m_path};
        command.insert(command.end(), options.begin(), options.end());
        const CommandResult result = quadric(command);
        EXPECT_EQ(result.status, 2) << options.front();
        EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
    }
}

} // namespace
} // namespace quadric::app
