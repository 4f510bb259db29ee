// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell/lack_of_memory.h"
#include "command_fixture.h"
#include "core/study/document/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <new>
#include <thread>

namespace quadric::app {
namespace {

using test::Json;

/// Runs with a × b above 60 go out of memory, and more of both is better.
class FailuresCommand : public test::CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        study::Study study =
            test::boxBehnkenStudy([](double a, double b, double c) { return 20 + 3 * a + 2 * b + c; });
        study.responses[0].goal = study::Goal::Maximize;
        for (study::Run& run : study.runs) {
            run.provenance.seconds = 30.0;
            if (study::numberOf(run.settings.at("a")) * study::numberOf(run.settings.at("b")) <= 45.0) {
                run.results["y"] += 0.2 * (run.id % 3);
                continue;
            }
            run.status = study::RunStatus::Failed;
            run.results.clear();
            run.failure = study::Failure{"out-of-memory", ""};
        }
        for (study::Factor& factor : study.factors)
            factor.type = study::FactorType::Integer;
        write(study, "s.quadric");
    }
};

TEST_F(FailuresCommand, OptimizeAndPredictTellTheProbabilityOfGivingAResult)
{
    giveModel("s.quadric", "linear");
    const Json best = ask({"optimize", "s.quadric"});
    ASSERT_TRUE(best.contains("feasibility"));
    EXPECT_GT(best["feasibility"]["settings_failed"].get<int>(), 0);
    for (const Json& solution : best["solutions"])
        EXPECT_GT(solution["runs_probability"].get<double>(), 0.3);
    const auto probability = [&](const char* at) {
        return ask({"predict", "s.quadric", "--at", at})["runs_probability"]["probability"].get<double>();
    };
    EXPECT_EQ(probability("a=10,b=10,c=5"), 0.0) << "a run failed there";
    EXPECT_GT(probability("a=1,b=1,c=5"), 0.7);
}

TEST_F(FailuresCommand, SpendsTime)
{
    const Json plan = ask({"next", "s.quadric", "--time", "2min"});
    EXPECT_GE(plan["runs"].size(), 1U);
    EXPECT_LE(plan["runs"].size(), 4U);
    EXPECT_LE(plan["seconds"].get<double>(), 120.0);
    EXPECT_TRUE(plan["stop"].is_string());
    EXPECT_NE(quadric({"next", "s.quadric", "--time", "2min"}).out.find(plan["stop"]), std::string::npos);
}

/// A worker that gives a result at once and ends early where it is told to.
constexpr const char* kWorker = R"sh(#!/bin/sh
echo '{"event": "hello", "protocol": 1}'
bar=""
[ -z "$QUADRIC_SHORT_LOOK" ] || bar="\"short_look\": $QUADRIC_SHORT_LOOK"
echo "{\"event\": \"result\", \"responses\": {\"y\": 12}, \"provenance\": {$bar}}"
)sh";

TEST_F(FailuresCommand, OnlyFollowUpsMayEndEarlyAndOnlyWhereAskedFor)
{
    std::ofstream(file("worker.sh")) << kWorker;
    std::filesystem::permissions(file("worker.sh"), std::filesystem::perms::owner_all);
    study::Study study = study::loadStudy(file("s.quadric")).study;
    study.benchmark.workload = "command";
    study.benchmark.argv = {"./worker.sh"};
    const auto add = [&](study::RunKind kind, double a) {
        study = study::withRuns(study, {{{"a", a}, {"b", 2.0}, {"c", 5.0}}}, kind);
        return std::to_string(study.runs.back().id);
    };
    const std::string followUpId = add(study::RunKind::Augment, 2.0);
    const std::string ids = followUpId + "," + add(study::RunKind::Confirmation, 3.0);
    write(study, "w.quadric");
    const auto provenances = [&](std::vector<std::string> options) {
        std::filesystem::copy_file(file("w.quadric"), file("own.quadric"),
                                   std::filesystem::copy_options::overwrite_existing);
        options.insert(options.begin(), {"run", file("own.quadric"), "--approve", "--only", ids, "--json"});
        const test::CommandResult result = quadric(options);
        EXPECT_EQ(result.status, 0) << result.err << result.out;
        const Json runs = result.json()["runs"];
        EXPECT_EQ(runs.size(), 2U);
        return std::pair(runs.at(0)["provenance"], runs.at(1)["provenance"]);
    };
    const auto [followUp, confirmation] = provenances({"--short-looks"});
    EXPECT_EQ(followUp["short_look"]["response"], "y");
    double best = 0.0;
    for (const study::Run& run : study.runs)
        best = std::max(best, run.results.contains("y") ? run.results.at("y") : 0.0);
    EXPECT_NEAR(followUp["short_look"]["worse_than"].get<double>(), best, 6.0);
    EXPECT_FALSE(confirmation.contains("short_look"));
    EXPECT_FALSE(provenances({}).first.contains("short_look"));
}

} // namespace
} // namespace quadric::app

namespace {

TEST(LackOfMemoryDeathTest, EndsTheProgramWithASentenceInWhateverThread)
{
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const auto lack = [] { throw std::bad_alloc(); };
    EXPECT_EXIT(
        {
            quadric::app::endWithoutMemory("quadric-test");
            std::thread(lack).join();
        },
        ::testing::ExitedWithCode(1), "quadric-test: there is not enough memory for this");
}

} // namespace
