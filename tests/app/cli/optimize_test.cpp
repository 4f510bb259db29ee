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

/// What a maximum of noisy predictions is too high by is subtracted.
TEST_F(OptimizeCommand, CorrectsThePredictionForHavingBeenChosen)
{
    giveModel("resnet50-scaling.quadric", "auto");
    const std::vector<std::string> alone = {"--goal", "scaling_efficiency=none"};
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
}

TEST_F(OptimizeCommand, KeepsNearTheRuns)
{
    const Json near = optimize({"--near-runs"});
    for (const Json& row : near["responses"])
        EXPECT_FALSE(row["extrapolation"].get<bool>()) << row["response"];
    EXPECT_LE(near["overall"], optimize({})["overall"]);
}

TEST_F(OptimizeCommand, TellsChances)
{
    const Json all =
        optimize({"--robust", "--vary", "gradient_compression=2", "--limits", "scaling_efficiency=90:100"});
    const double chance = all["limits"]["probability"];
    EXPECT_GE(chance, 0.0);
    EXPECT_GE(all["robust"]["limits"]["probability"].get<double>(), chance - 1e-9);
    EXPECT_GT(all["transmitted"][0]["sd"].get<double>(), 0.0);
    const Json unlimited = optimize({"--robust"});
    EXPECT_TRUE(unlimited["limits"]["probability"].is_null());
    EXPECT_FALSE(unlimited.contains("robust"));
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
}

TEST_F(OptimizeCommand, NamesWrongUse)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"--vary", "gpu_count=-1"}, "--vary gpu_count"},
        {{"--fix", "gpus=3"}, "gpus"},
        {{"--sensitivity"}, "--sensitivity"},
        {{"--next-runs", "2"}, "no option --next-runs"},
        {{"--model", "linear"}, "no option --model"},
        {{"--confirm", "x"}, "--confirm"},
    };
    for (const auto& [options, word] : cases) {
        std::vector<std::string> command = {"optimize", m_path};
        command.insert(command.end(), options.begin(), options.end());
        const CommandResult result = quadric(command);
        EXPECT_EQ(result.status, 2) << options.front();
        EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
    }
}

TEST_F(OptimizeCommand, NextAddsTheRunsThatItProposes)
{
    const auto next = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"next", m_path, "--json"});
        const CommandResult result = quadric(options);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.json();
    };
    const std::size_t before = study::loadStudy(m_path).study.runs.size();
    const Json proposed = next({"--runs", "3"});
    ASSERT_EQ(proposed["runs"].size(), 3U);
    for (const Json& run : proposed["runs"]) {
        EXPECT_GE(run["gain"].get<double>(), 0.0);
        EXPECT_EQ(run["runs_probability"], 1.0) << "no run failed";
        EXPECT_EQ(run["settings"].size(), 3U);
    }
    EXPECT_TRUE(proposed["stop"].is_null());
    EXPECT_EQ(study::loadStudy(m_path).study.runs.size(), before);
    const Json added = next({"--runs", "2", "--add"});
    ASSERT_EQ(added["added_runs"].size(), 2U);
    EXPECT_EQ(added["runs"][0]["settings"], proposed["runs"][0]["settings"]);
    const study::Study study = study::loadStudy(m_path).study;
    ASSERT_EQ(study.runs.size(), before + 2);
    EXPECT_EQ(study.runs.back().kind, study::RunKind::Augment);
    EXPECT_EQ(study.runs.back().status, study::RunStatus::Pending);
}

TEST_F(OptimizeCommand, NextNamesWrongUse)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{}, "--runs K or --time TIME"}, {{"--runs", "2", "--time", "1h"}, "--runs K or --time TIME"},
        {{"--runs", "0"}, "--runs"},     {{"--time", "soon"}, "--time"},
        {{"--time", "0s"}, "--time"},
    };
    for (const auto& [options, word] : cases) {
        std::vector<std::string> command = {"next", m_path};
        command.insert(command.end(), options.begin(), options.end());
        const CommandResult result = quadric(command);
        EXPECT_EQ(result.status, 2) << word;
        EXPECT_NE(result.err.find(word), std::string::npos) << result.err;
    }
}

} // namespace
} // namespace quadric::app
