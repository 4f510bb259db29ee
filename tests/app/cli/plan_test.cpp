// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"

#include <fstream>

namespace quadric::app {
namespace {

using test::CommandResult;
using test::Json;

class PlanCommand : public test::CommandTest {
protected:
    Json plan(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.begin(), "plan");
        arguments.emplace_back("--json");
        const CommandResult result = quadric(arguments);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.status == 0 ? result.json() : Json();
    }

    std::string withText(const std::string& name, const std::string& text) const
    {
        std::ofstream(file(name)) << text;
        return file(name);
    }
};

/// M/M/1 and M/M/3 at ρ = 0.8 with three times the speed: waits 0.8/(1/s − λ) and by Erlang C.
TEST_F(PlanCommand, ComparesMachinesOfAQueue)
{
    const Json answer = plan({"queue", "--mean", "3600", "--machines", "3", "--utilization", "80",
                              "--price-of-waiting", "10", "--gang", "3=3"});
    EXPECT_NEAR(answer["arrivals_per_hour"].get<double>(), 2.4, 1e-9);
    ASSERT_EQ(answer["systems"].size(), 3U);
    const Json& fast = answer["systems"][0];
    const Json& slow = answer["systems"][1];
    EXPECT_NEAR(fast["formula_wait"].get<double>(), 4800.0, 10.0); // ρ s/(1 − ρ), s = 1200
    EXPECT_NEAR(slow["formula_wait"].get<double>(), 3883.1, 10.0); // C(3, 2.4) = 0.6472
    EXPECT_LT(slow["wait"]["low"].get<double>(), 3883.1);
    EXPECT_GT(slow["wait"]["high"].get<double>(), 3883.1);
    EXPECT_NEAR(fast["waiting_cost_per_hour"].get<double>(),
                10 * 2.4 * fast["wait"]["value"].get<double>() / 3600, 1e-9);
    EXPECT_EQ(answer["systems"][2]["wait"], fast["wait"]); // a gang of all is one fast machine
    EXPECT_TRUE(answer["turning_arrivals_per_hour"].is_null());
    EXPECT_EQ(answer["variability"].size(), 2U);
}

TEST_F(PlanCommand, ReadsJobsOfACluster)
{
    const std::string jobs = withText("jobs.txt", "JobID|Submit|ElapsedRaw|AllocTRES\n"
                                                  "1|2026-01-31T12:00:00|600|cpu=8,gres/gpu=2\n"
                                                  "2|2026-01-31T12:20:00|1200|cpu=8,gres/gpu=1\n"
                                                  "3|2026-01-31T12:40:00|0|\n"
                                                  "4|2026-01-31T13:00:00|900|cpu=8\n");
    const Json answer = plan({"queue", "--jobs", jobs, "--machines", "2"});
    EXPECT_NEAR(answer["arrivals_per_hour"].get<double>(), 2.0, 1e-9);
    EXPECT_NEAR(answer["systems"][1]["job_seconds"].get<double>(), 900.0, 1e-9);
    EXPECT_TRUE(answer["systems"][1]["formula_wait"].is_null()); // gangs
    const CommandResult words = quadric({"plan", "queue", "--jobs", jobs, "--machines", "2"});
    EXPECT_NE(words.err.find("1 row without a time left out"), std::string::npos) << words.err;
    EXPECT_NE(words.out.find("2 slow"), std::string::npos);
}

TEST_F(PlanCommand, NamesWhatIsWrong)
{
    EXPECT_NE(quadric({"plan", "queue"}).err.find("a study, --jobs FILE or --mean SECONDS"),
              std::string::npos);
    EXPECT_NE(quadric({"plan", "queue", "--mean", "0"}).err.find("--mean: 0, expected more than 0"),
              std::string::npos);
    EXPECT_NE(quadric({"plan", "queue", "--machnes", "2"}).err.find("quadric plan queue --help"),
              std::string::npos);
    EXPECT_EQ(quadric({"plan"}).status, 2);
    EXPECT_NE(quadric({"manual", "--"}).out.find("plan queue"), std::string::npos);
}

} // namespace
} // namespace quadric::app
