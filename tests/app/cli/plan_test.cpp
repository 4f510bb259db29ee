// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "core/plan/plan_choices.h"
#include "tests/support/test_paths.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
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

/// M/G/1 and M/G/3 at ρ = 0.8 with three times the speed: (C² + 1)/2 of 0.8/(1/s − λ) and of that by Erlang
/// C, the jobs being 2000 quantiles of the exponential distribution. The mean of n waits of M/M/1 is off by s
/// √(ρ(2 + 5ρ − 4ρ² + ρ³)/(1 − ρ)⁴/n) (Daley 1968).
TEST_F(PlanCommand, ComparesMachinesOfAQueue)
{
    const Json answer = plan({"queue", "--mean", "3600", "--machines", "3", "--utilization", "80"});
    EXPECT_NEAR(answer["arrivals_per_hour"].get<double>(), 2.4, 1e-9);
    ASSERT_EQ(answer["systems"].size(), 2U);
    const Json& fast = answer["systems"][0];
    const Json& slow = answer["systems"][1];
    const double squared = fast["squared_variation"].get<double>();
    EXPECT_NEAR(squared, 1.0, 0.01);
    const double exactFast = (squared + 1) / 2 * 4800.0;    // ρ s/(1 − ρ), s = 1200
    const double nearSlow = (squared + 1) / 2 * 3883.14607; // C s/(3(1 − ρ)), C(3, 2.4) = 0.647191011
    EXPECT_NEAR(fast["formula_wait"].get<double>(), exactFast, 1e-6);
    EXPECT_NEAR(slow["formula_wait"].get<double>(), nearSlow, 1e-3);
    const double sd = 1200.0 * std::sqrt(0.8 * (2 + 4 - 2.56 + 0.512) / std::pow(0.2, 4) / 90000.0); // 178 s
    EXPECT_NEAR(fast["wait"]["value"].get<double>(), exactFast, 3.0 * sd);
    const double half = (fast["wait"]["high"].get<double>() - fast["wait"]["low"].get<double>()) / 2.0;
    EXPECT_NEAR(half / (2.093 * sd), 1.0, 0.5); // t(19); of 20 batches a deviation is known within a sixth
    EXPECT_LT(slow["wait"]["low"].get<double>(), nearSlow);
    EXPECT_GT(slow["wait"]["high"].get<double>(), nearSlow);
    const Json& atEighty = answer["responses"][7];
    EXPECT_NEAR(atEighty["utilization"].get<double>(), 0.8, 1e-12);
    EXPECT_NEAR(atEighty["fast"].get<double>(), 1200 + fast["formula_wait"].get<double>(), 1e-6);
    EXPECT_NEAR(atEighty["slow"].get<double>(), 3600 + slow["formula_wait"].get<double>(), 1e-6);
    EXPECT_THAT(quadric({"plan", "queue", "--mean", "3600", "--utilization", "80"}).out,
                ::testing::ContainsRegex("1 fast .* responds [0-9.]+ % faster on average than 3 slow"));
}

/// Table I, Fig. 15 and 16 of Schouten & Mukherjee, from the model of their 96 runs: at low load one machine
/// with three cores responds in about half the time, since it does a job in half the time; at high load it is
/// overloaded, with jobs that differ much (epochs) and with jobs that differ little (batch size).
TEST_F(PlanCommand, AnswersTheQuestionOfThePaper)
{
    const std::string study = sourcePath("tests/references/training-time-paper/cnn-training-time.quadric");
    std::vector<double> variations;
    for (const char* factor : {"max_epoch", "batch_size"}) {
        const Json answer =
            plan({"queue", study, "--slow", "cores=1", "--fast", "cores=3", "--vary", factor});
        const Json& low = answer["responses"].front();
        EXPECT_NEAR(low["fast"].get<double>() / low["slow"].get<double>(), 0.5, 0.05) << factor;
        EXPECT_TRUE(answer["responses"].back()["fast"].is_null()) << factor;
        EXPECT_GT(answer["responses"].back()["slow"].get<double>(), low["slow"].get<double>()) << factor;
        variations.push_back(answer["systems"][1]["squared_variation"].get<double>());
    }
    EXPECT_GT(variations[0], 10 * variations[1]);
    // At equal capacity, as the paper assumes it, three slow machines win where jobs differ very much.
    for (const auto& [variation, isSlowFaster] : {std::pair("0.1", false), {"4", true}}) {
        const Json row = plan({"queue", "--mean", "635", "--variation", variation})["responses"].back();
        EXPECT_EQ(row["slow"].get<double>() < row["fast"].get<double>(), isSlowFaster) << variation;
    }
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
    const Json epochs =
        plan({"deadline", file("t.quadric"), "--within", "10h", "--at", "x=0", "--amount", "20"});
    EXPECT_NEAR(epochs["largest_amount"].get<double>(), 600.0 / quantile, 1e-3);
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
    const Json answer = plan({"scale", "--points", withText("speeds.csv", table), "--to", "512",
                              "--price-per-gpu-hour", "2", "--per-node", "8"});
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
    EXPECT_NE(quadric({"plan", "scale", "--points", withText("few.csv", "gpus,speed\n1,10\n2,19\n")})
                  .err.find("3 or more different counts"),
              std::string::npos);
}

TEST_F(PlanCommand, AsksStudiesOfTheBuiltInWorkload)
{
    const std::string study = example("resnet50-scaling.quadric");
    giveModel(study, "quadratic");
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
}

/// Twice the work takes twice the time.
TEST_F(PlanCommand, FollowsTheStudyWhereNoOptionSaysOtherwise)
{
    const plan::PlanChoices choices{
        .response = "images_per_sec", .amount = 5e7, .within = 1800.0, .probability = 0.9, .gpuHour = 2.0};
    write(plan::withPlanChoices(study::loadStudy(example("resnet50-scaling.quadric")).study, choices),
          "chosen.quadric");
    const Json chosen = plan({"deadline", file("chosen.quadric")});
    EXPECT_EQ(chosen["within"], 1800.0);
    EXPECT_EQ(chosen["asked"], 0.9);
    const Json other = plan({"deadline", file("chosen.quadric"), "--within", "1h", "--amount", "1e8"});
    EXPECT_EQ(other["within"], 3600.0);
    EXPECT_NEAR(other["time"]["value"].get<double>(), 2.0 * chosen["time"]["value"].get<double>(), 1e-6);
    const Json speeds = plan({"scale", file("chosen.quadric")})["speeds"];
    EXPECT_GT(speeds[0]["cost_per_million"].get<double>(), 0.0);
}

/// Of the values of a response about their mean.
double sumOfSquares(const study::Study& study, const std::string& response)
{
    double sum = 0.0, squares = 0.0;
    for (const study::Run& run : study.runs) {
        sum += run.results.at(response);
        squares += run.results.at(response) * run.results.at(response);
    }
    return squares - sum * sum / static_cast<double>(study.runs.size());
}

/// Fig. 17 of Schouten & Mukherjee names five kinds of models; theirs of lines predicts with R² 0.773, and
/// their share of runs in time is 0.83. Ours with the interactions of their own equation predicts better, and
/// keeps what it asks for.
TEST_F(PlanCommand, PredictsTheRunsOfThePaper)
{
    const std::string study = sourcePath("tests/references/training-time-paper/cnn-training-time.quadric");
    const Json opinion = plan({"opinion", study});
    ASSERT_EQ(opinion["models"].size(), 5U);
    EXPECT_EQ(opinion["runs"], 96);
    EXPECT_EQ(opinion["settings"], 32);
    EXPECT_EQ(opinion["models"][0]["model"], "polynomial");
    EXPECT_NEAR(opinion["models"][0]["r2"].get<double>(), 0.99, 0.005);
    const double total = sumOfSquares(study::loadStudy(study).study, "duration");
    for (const Json& model : opinion["models"]) {
        const double rmse = model["rmse"].get<double>();
        EXPECT_NEAR(model["r2"].get<double>(), 1.0 - 96.0 * rmse * rmse / total, 1e-9) << model["model"];
        EXPECT_LE(model["mae"].get<double>(), rmse) << model["model"];
    }
    const Json calibration = plan({"deadline", study, "--within", "10min"})["calibration"]["points"];
    const auto at95 = std::ranges::find_if(
        calibration, [](const Json& point) { return point["asked"].get<double>() == 0.95; });
    ASSERT_NE(at95, calibration.end());
    EXPECT_NEAR((*at95)["reached"].get<double>(), 0.9688, 1e-4);
    EXPECT_THAT(quadric({"plan", "opinion", study}).out,
                HasSubstr("96 runs at 32 settings, left out in 20 parts"));
}

/// What cannot be answered is said, and is no error: jobs that come faster than they are served, a model that
/// predicts no speed, no price.
TEST_F(PlanCommand, SaysWhatHasNoAnswer)
{
    const std::string study = example("resnet50-scaling.quadric");
    giveModel(study, "quadratic");
    EXPECT_THAT(quadric({"plan", "queue", "--mean", "3600", "--arrivals", "60"}).out,
                HasSubstr("60 jobs per hour overload 3 slow: at most 3 per hour are served."));
    EXPECT_THAT(
        quadric({"plan", "deadline", study, "--within", "1h", "--amount", "1e6", "--at", "gpu_count=9999"})
            .out,
        HasSubstr("The model of images_per_sec predicts no speed above 0 at these settings"));
    EXPECT_THAT(quadric({"plan", "cost", study, "--amount", "1e6"}).out,
                HasSubstr(" GPU hours on 64 GPUs (median, 95 % interval)."));
    EXPECT_THAT(quadric({"plan", "scale", "--points",
                         withText("comma.csv", "gpus;speed\n1;100,5\n2;120\n4;130,25\n")})
                    .out,
                HasSubstr("Doubling 1 GPU brings less than 1.5 times the speed."));
}

TEST_F(PlanCommand, NamesWhatIsWrong)
{
    EXPECT_NE(quadric({"plan", "queue"}).err.find("a study or --mean SECONDS"), std::string::npos);
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
    EXPECT_THAT(complaint({"scale", study, "--worth", "0"}), HasSubstr("--worth: 0, expected 1 to 2"));
    EXPECT_THAT(complaint({"scale", "--points", withText("slow.csv", "gpus,speed\n1,10\n2,-19\n4,30\n")}),
                HasSubstr("slow.csv: speed of row 2: \"-19\", expected a speed above 0"));
    EXPECT_THAT(complaint({"scale", "--points", withText("still.csv", "gpus,speed\n1,10\n2,0\n4,30\n")}),
                HasSubstr("still.csv: speed of row 2: \"0\", expected a speed above 0"));
    EXPECT_THAT(complaint({"scale", "--points", withText("other.csv", "n,rate\n1,10\n")}),
                HasSubstr("other.csv: the columns are n, rate; expected gpus"));
    EXPECT_THAT(complaint({"scale", study, "--response", "scaling_efficiency"}),
                HasSubstr("--response: scaling_efficiency is in %, expected a speed (img/s) or a time"));
    EXPECT_THAT(complaint({"queue", "--mean", "60", "--variation", "1000"}),
                HasSubstr("--variation: 1000, expected 0 to 10"));
    EXPECT_THAT(complaint({"queue", study, "--vary", "gpu_count"}),
                HasSubstr("--vary needs --fast and --slow"));
    EXPECT_THAT(complaint({"queue", "--mean", "inf"}), HasSubstr("--mean: inf, expected more than 0, as a"));
    EXPECT_THAT(complaint({"queue", "--mean", "nan"}), HasSubstr("--mean: nan, expected more than 0, as a"));
    EXPECT_THAT(complaint({"scale", "--points", withText("half.csv", "gpus,speed\n1.5,10\n")}),
                HasSubstr("half.csv: gpus of row 1: \"1.5\", expected a whole number"));
    EXPECT_THAT(complaint({"opinion", study}), HasSubstr("--response is missing: which of images_per_sec"));
}

} // namespace
} // namespace quadric::app
