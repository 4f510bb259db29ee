// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "core/text/numbers.h"
#include "document_table.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>

namespace quadric::app {
namespace {

using test::CommandResult;
using test::Json;
using ::testing::HasSubstr;

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
    const CommandResult words =
        quadric({"plan", "queue", "--mean", "3600", "--utilization", "80", "--price-of-waiting", "10"});
    EXPECT_THAT(words.out, ::testing::ContainsRegex("Waiting for 3 slow costs [0-9.]+ ± [0-9.]+ per hour"));
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

/// y = 10, 13, 13, 16 at x = −1, −1, 1, 1: a new run at 0 is 13 ± t(2) √(4.5 × 1.25).
TEST_F(PlanCommand, SaysWhatIsDoneInTime)
{
    study::Study study;
    study.name = "by hand";
    study.factors = {test::numericFactor("x", -1, 1)};
    study.responses = {test::response("t")};
    study.responses[0].unit = "min";
    study.benchmark.workload = "none";
    study.model["t"] = "linear";
    for (const auto& [x, y] : {std::pair(-1.0, 10.0), {-1.0, 13.0}, {1.0, 13.0}, {1.0, 16.0}}) {
        study::Run run;
        run.id = run.order = static_cast<int>(study.runs.size()) + 1;
        run.settings = {{"x", x}};
        run.status = study::RunStatus::Done;
        run.results = {{"t", y}};
        study.runs.push_back(run);
    }
    write(study, "t.quadric");
    const Json whole = plan({"deadline", file("t.quadric"), "--within", "13min", "--at", "x=0"});
    EXPECT_NEAR(whole["probability"].get<double>(), 0.5, 1e-9);
    EXPECT_NEAR(whole["time"]["value"].get<double>(), 780.0, 1e-6);
    const double quantile = 13 + 2.919986 * std::sqrt(4.5 * 1.25); // t(2) at 95 %
    EXPECT_NEAR(whole["time_at_asked"].get<double>(), 60 * quantile, 1e-2);
    EXPECT_TRUE(whole["largest_amount"].is_null());
    EXPECT_THAT(whole["caution"].get<std::string>(), testing::StartsWith("The model of t is poor: "));
    const Json epochs = plan({"deadline", file("t.quadric"), "--within", "10h", "--at", "x=0", "--amount",
                              "20", "--price-per-hour", "6"});
    EXPECT_NEAR(epochs["largest_amount"].get<double>(), 600.0 / quantile, 1e-3);
    EXPECT_NEAR(epochs["cost"]["value"].get<double>(), 20 * 13 / 60.0 * 6, 1e-6);
    const Json largest =
        plan({"deadline", file("t.quadric"), "--within", "30min", "--largest", "x", "--probability", "50"});
    EXPECT_EQ(largest["largest_setting"]["value"].get<double>(), 1.0);
    const Json cost = plan({"cost", file("t.quadric"), "--at", "x=0", "--gpus", "8", "--price-per-gpu-hour",
                            "3", "--watts", "500", "--energy-price", "0.5"});
    EXPECT_NEAR(cost["cost"]["value"].get<double>(), 13 / 60.0 * (8 * 3 + 4 * 0.5), 1e-6);
    EXPECT_EQ(cost["caution"], whole["caution"]);
    EXPECT_NEAR(quadric({"plan", "deadline", file("t.quadric"), "--within", "soon"}).status, 2, 0);
}

/// Amdahl with a serial share of 2 %.
TEST_F(PlanCommand, SaysWhatMoreGpusGive)
{
    std::string table = "GPUs,Speed\n";
    for (const int count : {1, 2, 4, 8, 16, 32})
        table +=
            std::to_string(count) + "," + std::to_string(1000.0 * count / (1 + 0.02 * (count - 1))) + "\n";
    const Json answer =
        plan({"scale", "--points", withText("speeds.csv", table), "--to", "512", "--price-per-gpu-hour", "2",
              "--network", "ndr400", "--bytes", "1e8", "--batch", "64", "--per-node", "8"});
    EXPECT_EQ(answer["laws"][0]["law"], "amdahl");
    const Json& row = answer["speeds"].back();
    EXPECT_EQ(row["count"], 512);
    const double speed = 512000.0 / (1 + 0.02 * 511);
    EXPECT_NEAR(row["speed"]["value"].get<double>(), speed, 0.02 * speed); // all laws by their weights
    EXPECT_LE(row["speed"]["low"].get<double>(), speed);
    EXPECT_GE(row["speed"]["high"].get<double>(), speed);
    EXPECT_NEAR(row["cost_per_million"].get<double>(), 2 * 512 * 1e6 / speed / 3600, 1.0);
    EXPECT_NEAR(row["cost_per_million_high"].get<double>(),
                2 * 512 * 1e6 / row["speed"]["low"].get<double>() / 3600, 1e-9);
    EXPECT_EQ(answer["last_worthwhile"], 32);
    EXPECT_EQ(answer["over_links"].size(), 7U);
    EXPECT_NE(quadric({"plan", "scale", "--points", withText("few.csv", "gpus,speed\n1,10\n2,19\n")})
                  .err.find("3 or more different counts"),
              std::string::npos);
}

TEST_F(PlanCommand, AsksStudiesOfTheBuiltInWorkload)
{
    const std::string study = example("resnet50-scaling.quadric");
    const CommandResult words =
        quadric({"plan", "deadline", study, "--response", "absent", "--within", "1h"});
    EXPECT_NE(words.err.find("--response"), std::string::npos) << words.err;
    const Json epoch = plan({"deadline", study, "--response", "images_per_sec", "--within", "60", "--amount",
                             "1281167", "--at", "gpu_count=64"});
    EXPECT_EQ(epoch["caution"], "");
    EXPECT_EQ(epoch["calibration"]["kept"], 1);                                     // the center
    EXPECT_NEAR(epoch["time"]["value"].get<double>() / 1281167, 1 / 28710.0, 1e-7); // what optimize predicts
    const Json scale = plan({"scale", study}); // images_per_sec is the only speed
    EXPECT_EQ(scale["baseline"], 8);
    EXPECT_EQ(scale["speeds"][0]["efficiency"], 1.0);
    const Json least = plan({"cost", study, "--response", "images_per_sec", "--amount", "1e6", "--least",
                             "scaling_efficiency", "--at-most-slower", "5"});
    EXPECT_NEAR(least["limit"]["value"].get<double>(), 0.95 * least["limit"]["best"].get<double>(), 1e-6);
    EXPECT_LE(least["seconds"]["value"].get<double>(), 1.0001e6 / least["limit"]["value"].get<double>());
}

/// The numbers that Schouten & Mukherjee print, beside those of their runs, as docs/methods/planning.md has
/// them. Those of forests and perceptrons may differ with the version of OpenCV.
TEST_F(PlanCommand, PrintsPublishedNumbersBesideItsOwn)
{
    const std::string folder = sourcePath("tests/references/training-time-paper/");
    const std::string study = folder + "cnn-training-time.quadric";
    const std::string head = "| number | published | here | reason |\n| --- | --- | --- | --- |\n";
    const auto rowsOf = [&](const std::string& name, std::vector<std::string> words) {
        words.insert(words.begin(), {name, study});
        words.insert(words.end(), {"--published", folder + name + ".csv"});
        const Json answer = plan(words);
        EXPECT_GE(answer["published"].size(), 2U);
        std::string rows = "| **plan " + name + "** | | | |\n";
        for (const Json& each : answer["published"]) {
            const Json& here = each["here"];
            rows += "| " + each["number"].get<std::string>() + " | " + each["published"].get<std::string>() +
                    " | " +
                    (here.is_string() ? here.get<std::string>() : text::formatNumber(here.get<double>())) +
                    " | " + each["reason"].get<std::string>() + " |\n";
        }
        return rows;
    };
    expectTableInDocument(
        sourcePath("docs/methods/planning.md"), "paper", "app_cli_test",
        head + rowsOf("queue", {"--response", "duration", "--slow", "cores=1", "--fast", "cores=3"}) +
            rowsOf("deadline", {"--within", "10min"}));
    const std::string opinion = rowsOf("opinion", {});
    if (std::getenv("QUADRIC_WRITE_TABLES") != nullptr)
        expectTableInDocument(sourcePath("docs/methods/planning.md"), "models of the paper", "app_cli_test",
                              head + opinion);
    EXPECT_THAT(opinion, HasSubstr("| models/polynomial/r2 | 0.773 | 0.991"));
    EXPECT_THAT(opinion, HasSubstr("| models/random-forest/r2 | 0.991 | 0."));
    const CommandResult words =
        quadric({"plan", "deadline", study, "--within", "10min", "--published", folder + "deadline.csv"});
    EXPECT_THAT(words.out, HasSubstr("calibration/points/0.95/reached  0.83       0.9688"));
    EXPECT_THAT(words.out,
                HasSubstr("- calibration/points/0.95/reached: Theirs is the share of runs in time"));
    const std::string wrong = withText("wrong.csv", "number,published\nmodels/laso/mae,1\n");
    EXPECT_THAT(quadric({"plan", "opinion", study, "--published", wrong}).err,
                HasSubstr("wrong.csv: number of line 2: \"models/laso/mae\": \"laso\", expected one of: "
                          "polynomial, "));
}

/// What cannot be answered is said, and is no error: jobs that come faster than they are served, a model that
/// predicts no speed, no price.
TEST_F(PlanCommand, SaysWhatHasNoAnswer)
{
    const std::string study = example("resnet50-scaling.quadric");
    EXPECT_THAT(quadric({"plan", "queue", "--mean", "3600", "--arrivals", "60"}).out,
                HasSubstr("60 jobs per hour overload 3 slow: at most 3 per hour are served."));
    EXPECT_THAT(
        quadric({"plan", "deadline", study, "--within", "1h", "--amount", "1e6", "--at", "gpu_count=9999"})
            .out,
        HasSubstr("The model of images_per_sec predicts no speed above 0 at these settings"));
    EXPECT_THAT(quadric({"plan", "cost", study, "--amount", "1e6"}).out,
                HasSubstr("cost    no price is known (--price-per-gpu-hour"));
    EXPECT_THAT(quadric({"plan", "scale", "--points",
                         withText("comma.csv", "gpus;speed\n1;100,5\n2;120\n4;130,25\n")})
                    .out,
                HasSubstr("Doubling 1 GPU brings less than 1.5 times the speed."));
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
    EXPECT_NE(quadric({"plan"}).err.find("a word is missing behind plan, expected one of: deadline, queue"),
              std::string::npos);
    EXPECT_NE(quadric({"plan", "quue"}).err.find("Did you mean queue?"), std::string::npos);
    EXPECT_NE(quadric({"plan", "chess"}).err.find("there is no plan \"chess\""), std::string::npos);
    EXPECT_NE(quadric({"manual", "--"}).out.find("plan queue"), std::string::npos);
}

/// Each names the option or the place, the value, and what was expected.
TEST_F(PlanCommand, RefusesNumbersOutsideTheirRange)
{
    const std::string study = example("resnet50-scaling.quadric");
    const auto complaint = [&](const std::vector<std::string>& words) {
        std::vector<std::string> all{"plan"};
        all.insert(all.end(), words.begin(), words.end());
        const CommandResult result = quadric(all);
        EXPECT_EQ(result.status, 2);
        return result.err;
    };
    EXPECT_THAT(complaint({"cost", study, "--price-per-gpu-hour", "-2", "--amount", "1"}),
                HasSubstr("--price-per-gpu-hour: -2, expected 0 or more"));
    EXPECT_THAT(complaint({"cost", study, "--watts", "much", "--amount", "1"}),
                HasSubstr("--watts: much, expected 0 or more"));
    EXPECT_THAT(complaint({"deadline", study, "--within", "1h", "--probability", "120"}),
                HasSubstr("--probability: 120, expected 0.1 to 99.99"));
    EXPECT_THAT(complaint({"deadline", study, "--within", "-5min", "--amount", "1"}),
                HasSubstr("--within: \"-5min\", expected"));
    EXPECT_THAT(complaint({"queue", "--mean", "60", "--price-of-waiting", "-1"}),
                HasSubstr("--price-of-waiting: -1, expected 0 or more"));
    EXPECT_THAT(complaint({"scale", study, "--worth", "0"}), HasSubstr("--worth: 0, expected 1 to 2"));
    EXPECT_THAT(complaint({"scale", "--points", withText("slow.csv", "gpus,speed\n1,10\n2,-19\n4,30\n")}),
                HasSubstr("slow.csv: speed of row 2: \"-19\", expected a number of 0 or more"));
    EXPECT_THAT(complaint({"scale", "--points", withText("still.csv", "gpus,speed\n1,10\n2,0\n4,30\n")}),
                HasSubstr("still.csv: speed of row 2: \"0\", expected a speed above 0"));
    EXPECT_THAT(complaint({"scale", "--points", withText("other.csv", "n,rate\n1,10\n")}),
                HasSubstr("other.csv: the columns are n, rate; expected gpus"));
    EXPECT_THAT(complaint({"scale", study, "--response", "scaling_efficiency"}),
                HasSubstr("--response: scaling_efficiency is in %, expected a speed (img/s) or a time"));
    EXPECT_THAT(complaint({"cost", study, "--amount", "1", "--at-most-slower", "5"}),
                HasSubstr("--least NAME and --at-most-slower PERCENT belong together"));
    EXPECT_THAT(complaint({"queue", "--mean", "60", "--gang", "2"}),
                HasSubstr("--gang: \"2\", expected N=X"));
    EXPECT_THAT(complaint({"queue", "--mean", "60", "--variation", "1000"}),
                HasSubstr("--variation: 1000, expected 0 to 10"));
    EXPECT_THAT(complaint({"queue", "--jobs", withText("wide.csv", "seconds,gpus\n60,8\n")}),
                HasSubstr("--machines: 3, expected 8 or more: a job of "));
    EXPECT_THAT(complaint({"queue", "--mean", "inf"}), HasSubstr("--mean: inf, expected more than 0, as a"));
    EXPECT_THAT(complaint({"queue", "--mean", "nan"}), HasSubstr("--mean: nan, expected more than 0, as a"));
    EXPECT_THAT(complaint({"scale", "--points", withText("half.csv", "gpus,speed\n1.5,10\n")}),
                HasSubstr("half.csv: gpus of row 1: \"1.5\", expected a whole number"));
    EXPECT_THAT(complaint({"queue", "--jobs", withText("jobs.csv", "seconds,gpus\r\n60,1\r\n60,1.5\r\n")}),
                HasSubstr("jobs.csv: gpus of row 2: \"1.5\", expected a whole number"));
    EXPECT_THAT(complaint({"queue", "--jobs", withText("none.csv", "")}), HasSubstr("none.csv: empty"));
    EXPECT_THAT(complaint({"opinion", study}), HasSubstr("--response is missing: which of images_per_sec"));
}

} // namespace
} // namespace quadric::app
