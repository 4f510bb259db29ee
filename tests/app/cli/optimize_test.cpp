// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include "core/study/document/document.h"

#include <cmath>

namespace quadric::app {
namespace {

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
        more.insert(more.begin(), {"optimize", m_path});
        return ask(more);
    }

    std::string m_path;
};

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
    const Json verdict = ask({"analyze", m_path})["confirmation"][0];
    EXPECT_TRUE(verdict["confirmed"].get<bool>());
    EXPECT_NEAR(verdict["responses"][0]["half_widths"].get<double>(), 0.0, 1e-9);
    EXPECT_NE(quadric({"analyze", m_path}).out.find("inside the interval"), std::string::npos);
}

TEST_F(OptimizeCommand, NextAddsTheRunsThatItProposes)
{
    const std::size_t before = study::loadStudy(m_path).study.runs.size();
    const Json proposed = ask({"next", m_path, "--runs", "3"});
    ASSERT_EQ(proposed["runs"].size(), 3U);
    for (const Json& run : proposed["runs"]) {
        EXPECT_GE(run["gain"].get<double>(), 0.0);
        EXPECT_EQ(run["runs_probability"], 1.0) << "no run failed";
        EXPECT_EQ(run["settings"].size(), 3U);
    }
    EXPECT_TRUE(proposed["stop"].is_null());
    EXPECT_EQ(study::loadStudy(m_path).study.runs.size(), before);
    const Json added = ask({"next", m_path, "--runs", "2", "--add"});
    ASSERT_EQ(added["added_runs"].size(), 2U);
    EXPECT_EQ(added["runs"][0]["settings"], proposed["runs"][0]["settings"]);
    const study::Study study = study::loadStudy(m_path).study;
    ASSERT_EQ(study.runs.size(), before + 2);
    EXPECT_EQ(study.runs.back().kind, study::RunKind::Augment);
    EXPECT_EQ(study.runs.back().status, study::RunStatus::Pending);
}

TEST_F(OptimizeCommand, NamesWrongUse)
{
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"optimize", m_path, "--vary", "gpu_count=-1"}, "--vary gpu_count"},
        {{"optimize", m_path, "--fix", "gpus=3"}, "gpus"},
        {{"optimize", m_path, "--sensitivity"}, "--sensitivity"},
        {{"optimize", m_path, "--next-runs", "2"}, "no option --next-runs"},
        {{"optimize", m_path, "--confirm", "x"}, "--confirm"},
        {{"next", m_path}, "--runs K or --time TIME"},
        {{"next", m_path, "--runs", "2", "--time", "1h"}, "--runs K or --time TIME"},
        {{"next", m_path, "--runs", "0"}, "--runs"},
        {{"next", m_path, "--time", "soon"}, "--time"},
        {{"next", m_path, "--time", "0s"}, "--time"},
    };
    for (const auto& [command, word] : cases)
        expectWrong(command, {word});
}

} // namespace
} // namespace quadric::app
