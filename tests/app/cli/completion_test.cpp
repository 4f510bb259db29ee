// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include <gmock/gmock.h>

#include <sstream>

namespace quadric::test {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::StartsWith;

class CompletionTest : public CommandTest {
protected:
    void SetUp() override
    {
        CommandTest::SetUp();
        example("resnet50-scaling.quadric");
        study::Study study = boxBehnkenStudy([](double a, double b, double c) { return a + b + c; });
        study.factors.push_back({.name = "precision", .type = study::FactorType::Categorical});
        study.factors.back().categories = {"fp32", "bf16"};
        study.runs[1].status = study::RunStatus::Failed;
        study.runs[2].status = study::RunStatus::Pending;
        for (study::Run& run : study.runs)
            run.settings["precision"] = std::string("bf16");
        write(study, "s.quadric");
    }

    /// The words that are offered in place of the last one; directives for files begin with a colon.
    std::vector<std::string> offered(std::vector<std::string> words) const
    {
        words.insert(words.begin(), {"complete", "--"});
        const CommandResult result = quadric(words);
        EXPECT_EQ(result.status, 0);
        EXPECT_EQ(result.err, "");
        std::vector<std::string> found;
        std::istringstream lines(result.out);
        for (std::string line; std::getline(lines, line);)
            found.push_back(line.substr(0, line.find('\t')));
        return found;
    }
};

} // namespace

TEST_F(CompletionTest, KnowsCommandsAndOptions)
{
    EXPECT_THAT(offered({""}), IsSupersetOf({"new", "optimize", "control", ":studies"}));
    EXPECT_THAT(offered({"re"}), ElementsAre("report", ":studies"));
    EXPECT_THAT(offered({"--v"}), ElementsAre("--version"));
    EXPECT_THAT(offered({"optimize", "s.quadric", "--so"}), ElementsAre("--solutions"));
    EXPECT_THAT(offered({"analyze", "s.quadric", "--ke"}), ElementsAre("--keep"));
    EXPECT_THAT(offered({"status", "s.quadric", ""}), IsSupersetOf({"--json", "--help"}));
}

TEST_F(CompletionTest, KnowsWhatOptionsTake)
{
    EXPECT_THAT(offered({"design", "s.quadric", "--type", ""}),
                IsSupersetOf({"recommended", "box-behnken", "i-optimal"}));
    EXPECT_THAT(offered({"plot", "s.quadric", "--kind", "par"}), ElementsAre("pareto"));
    EXPECT_THAT(offered({"plot", "s.quadric", "--theme="}), ElementsAre("--theme=light", "--theme=dark"));
    EXPECT_THAT(offered({"new", "n.quadric", "--template", ""}),
                ElementsAre("this-machine", "enter-results", "own-command", "slow-network", "plan-64-gpus",
                            "blank", "cpu-ranks", "h200-resnet18", "resnet50-scaling"));
    EXPECT_THAT(offered({"new", "n.quadric", "--fixed", "ranks"}), ElementsAre("ranks=", "ranks_per_node="));
    EXPECT_THAT(offered({"new", "n.quadric", "--fixed", "scaling="}),
                ElementsAre("scaling=weak", "scaling=strong"));
    EXPECT_THAT(offered({"report", "s.quadric", "--without", "plots,de"}), ElementsAre("plots,design"));
    EXPECT_THAT(offered({"run", "s.quadric", "--launcher", ""}), ElementsAre("local", "slurm"));
    EXPECT_THAT(offered({"design", "s.quadric", "--center", ""}), IsEmpty());
}

TEST_F(CompletionTest, KnowsFactorsResponsesAndRunsOfTheStudy)
{
    EXPECT_THAT(offered({"optimize", "resnet50-scaling.quadric", "--weight", "im"}),
                ElementsAre("images_per_sec="));
    EXPECT_THAT(offered({"optimize", "s.quadric", "--goal", "y="}),
                ElementsAre("y=maximize", "y=minimize", "y=target:", "y=none"));
    EXPECT_THAT(offered({"predict", "s.quadric", "--at", ""}), ElementsAre("a=", "b=", "c=", "precision="));
    EXPECT_THAT(offered({"predict", "s.quadric", "--at", "a=5,"}),
                ElementsAre("a=5,b=", "a=5,c=", "a=5,precision="));
    EXPECT_THAT(offered({"predict", "s.quadric", "--at", "a="}), ElementsAre("a=0", "a=5", "a=10"));
    EXPECT_THAT(offered({"predict", "s.quadric", "--at", "b=1,precision=b"}),
                ElementsAre("b=1,precision=bf16"));
    EXPECT_THAT(offered({"optimize", "s.quadric", "--vary", "pre"}), IsEmpty()); // has levels, no deviation
    EXPECT_THAT(offered({"control", "s.quadric", "re"}), ElementsAre("resume", "retry:"));
    EXPECT_THAT(offered({"control", "s.quadric", "skip:"}), ElementsAre("skip:3"));
    EXPECT_THAT(offered({"control", "s.quadric", "retry:"}), Not(Contains("retry:3")));
    EXPECT_THAT(offered({"run", "s.quadric", "--only", "1,1"}), Contains("1,15"));
    EXPECT_THAT(offered({"plot", "s.quadric", "--run", "15"}), ElementsAre("15"));
    EXPECT_THAT(offered({"run", "--only", "1", "s.quadric", "--only", "3"}), ElementsAre("3"));
}

TEST_F(CompletionTest, LeavesFilesToTheShell)
{
    EXPECT_THAT(offered({"run", ""}), ElementsAre(":studies"));
    EXPECT_THAT(offered({"import", ""}), ElementsAre(":files"));
    EXPECT_THAT(offered({"export", "s.quadric", "-o", ""}), ElementsAre(":files"));
    EXPECT_THAT(offered({"plot", "s.quadric", "--all", ""}), ElementsAre(":folders"));
}

TEST_F(CompletionTest, ReadsALineAsAShellDoes)
{
    const CommandResult result =
        quadric({"complete", "--line", "/opt/bin/quadric optimize 's.quadric' --fix \"precision=f"});
    EXPECT_EQ(result.out, "precision=fp32\t\n");
}

TEST_F(CompletionTest, SaysNothingWhereNothingIsKnown)
{
    EXPECT_THAT(offered({"optimize", "absent.quadric", "--weight", ""}), IsEmpty());
    EXPECT_THAT(offered({"optimize", "/dev/zero", "--weight", ""}), IsEmpty());
    EXPECT_THAT(offered({"frobnicate", "--"}), Contains("--help"));
    EXPECT_EQ(quadric({"complete", "--line", ""}).out, quadric({"complete", "--"}).out);
    for (const std::string& word : offered({"info", "s.quadric", "--"}))
        EXPECT_THAT(word, StartsWith("--"));
}

} // namespace quadric::test
