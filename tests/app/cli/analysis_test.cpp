// SPDX-License-Identifier: GPL-3.0-or-later
#include "command_fixture.h"
#include "core/study/document/document.h"
#include "tests/support/test_paths.h"

#include <cmath>
#include <fstream>
#include <iomanip>
#include <sstream>

using quadric::sourcePath;
using quadric::test::CommandResult;
using quadric::test::Json;

namespace study = quadric::study;

namespace {

class AnalysisCommand : public quadric::test::CommandTest {
protected:
    /// Trebuchet distances (Lawson; CRAN daewr) with the values that R finds for them.
    Json writeTrebuchet() const
    {
        Json oracle =
            Json::parse(std::ifstream(sourcePath("tests/references/oracles/04_trebuchet_bbd3.json")));
        study::Study treb;
        treb.name = "trebuchet";
        treb.benchmark.workload = "none";
        treb.responses = {quadric::test::response("y")};
        treb.model = {{"y", "quadratic"}}; // as in R
        for (const Json& factor : oracle["factors"])
            treb.factors.push_back(
                quadric::test::numericFactor(factor["symbol"], factor["low"], factor["high"]));
        const Json& actual = oracle["design"]["actual"];
        for (std::size_t i = 0; i < actual.size(); ++i) {
            study::Run run;
            run.id = run.order = static_cast<int>(i) + 1;
            for (std::size_t j = 0; j < treb.factors.size(); ++j)
                run.settings[treb.factors[j].name] = actual[i][j].get<double>();
            run.status = study::RunStatus::Done;
            run.results["y"] = oracle["responses"]["y"][i].get<double>();
            treb.runs.push_back(run);
        }
        write(treb, "treb.quadric");
        return oracle["analyses"][0]["expected"];
    }
};

bool hasWarning(const Json& response, const std::string& code)
{
    for (const Json& warning : response["warnings"]) {
        if (warning["code"] == code)
            return true;
    }
    return false;
}

std::string termOf(const std::string& rTerm)
{
    std::string term = rTerm == "Intercept" ? "1" : rTerm;
    if (const auto colon = term.find(':'); colon != std::string::npos)
        term[colon] = '*';
    return term;
}

/// (a−3)² + (b−4)² turned over: 10 at its only maximum, (3, 4).
double hill(double a, double b, double /*c*/)
{
    return 10.0 - (a - 3.0) * (a - 3.0) - (b - 4.0) * (b - 4.0);
}

} // namespace

// The published model of the first example: quadratic R² 0.998 and 0.999.
TEST_F(AnalysisCommand, FindsThePublishedFitAndEveryWarning)
{
    const std::string study = example("resnet50-scaling.quadric");
    giveModel(study, "quadratic");
    const Json responses = ask({"analyze", study})["responses"];
    ASSERT_EQ(responses.size(), 2U);
    EXPECT_NEAR(responses[0]["r2"].get<double>(), 0.998, 5e-4);
    EXPECT_NEAR(responses[1]["r2"].get<double>(), 0.999, 1e-3);
    for (const Json& response : responses) {
        EXPECT_EQ(response["n"], 13) << "three copies are one observation";
        EXPECT_EQ(response["df_residual"], 3);
        EXPECT_EQ(response["model"].size(), 10U);
        EXPECT_TRUE(hasWarning(response, "zero-pure-error")) << response["warnings"];
        EXPECT_TRUE(hasWarning(response, "copied-results")) << response["warnings"];
        EXPECT_TRUE(hasWarning(response, "simulated")) << response["warnings"];
    }
}

TEST_F(AnalysisCommand, AgreesWithR)
{
    const Json expected = writeTrebuchet();
    const Json fit = ask({"analyze", "treb.quadric"})["responses"][0];
    for (const char* key : {"sigma", "r2", "r2_adj", "press", "r2_pred", "adequate_precision"})
        EXPECT_NEAR(fit[key].get<double>(), expected[key].get<double>(),
                    1e-7 * std::abs(expected[key].get<double>()))
            << key;
    std::map<std::string, Json> coefficients;
    for (const Json& coefficient : fit["coefficients"])
        coefficients[coefficient["term"]] = coefficient;
    ASSERT_EQ(coefficients.size(), expected["coefficients"].size());
    for (const auto& [name, r] : expected["coefficients"].items()) {
        const Json& ours = coefficients.at(termOf(name));
        EXPECT_NEAR(ours["estimate"].get<double>(), r["estimate"].get<double>(), 1e-7) << name;
        EXPECT_NEAR(ours["se"].get<double>(), r["se"].get<double>(), 1e-7) << name;
        EXPECT_NEAR(ours["p"].get<double>(), r["p"].get<double>(), 1e-9) << name;
        EXPECT_NEAR(ours["low"].get<double>(), r["ci95"][0].get<double>(), 1e-6) << name;
    }
}

TEST_F(AnalysisCommand, FollowsRidgesWhenAsked)
{
    const Json expected = writeTrebuchet();
    const Json fit = ask({"analyze", "treb.quadric", "--path"})["responses"][0];
    const Json& ascent = fit["ridge"]["ascent"]["points"];
    int compared = 0;
    for (const Json& ours : ascent) {
        EXPECT_TRUE(ours["se"].is_number());
        for (const Json& theirs : expected["ridge_ascent"]) {
            if (std::abs(ours["radius"].get<double>() - theirs["radius"].get<double>()) > 1e-9)
                continue;
            EXPECT_NEAR(ours["predicted"].get<double>(), theirs["predicted"].get<double>(), 1e-6);
            ++compared;
        }
    }
    EXPECT_GE(compared, 2);
    EXPECT_EQ(fit["steepest_ascent"]["points"].size(), 9U);
    EXPECT_FALSE(ask({"analyze", "treb.quadric"})["responses"][0].contains("ridge"));
}

TEST_F(AnalysisCommand, CrossValidatesAndChoosesTerms)
{
    writeTrebuchet();
    const Json fit =
        ask({"analyze", "treb.quadric", "--model", "linear", "--kfold", "5", "--seed", "7"})["responses"][0];
    EXPECT_EQ(fit["cross_validation"]["folds"], 5);
    EXPECT_EQ(fit["cross_validation"]["seed"], 7);
    EXPECT_GT(fit["cross_validation"]["error"].get<double>(), 0.0);
    const Json chosen = ask({"analyze", "treb.quadric", "--model", "auto"})["responses"][0];
    EXPECT_LT(chosen["model"].size(), 10U);
    EXPECT_NE(chosen["choice"].get<std::string>().find("left out by AICc"), std::string::npos);
    EXPECT_EQ(quadric({"analyze", "treb.quadric", "--kfold", "1"}).status, 2);
}

TEST_F(AnalysisCommand, PredictsRunsInANewBlockWhereThereAreBlocks)
{
    study::Study study = quadric::test::boxBehnkenStudy([](double, double, double) { return 1.0; });
    study.model = {{"y", "linear"}};
    const std::vector<std::string> ask{"predict", "blocks.quadric", "--at", "a=5,b=5,c=5"};
    const auto asked = [&](const std::string& option) {
        std::vector<std::string> all = ask;
        if (!option.empty())
            all.push_back(option);
        return quadric(all);
    };
    for (study::Run& run : study.runs)
        run.results["y"] = 50.0 + 0.1 * ((run.id * 5) % 7);
    write(study, "blocks.quadric");
    EXPECT_TRUE(asked("--json").json()["predictions"][0]["prediction_new_block"].is_null());
    EXPECT_EQ(asked("").out.find("new block"), std::string::npos);
    for (study::Run& run : study.runs) {
        run.block = 1 + run.id % 3;
        run.results["y"] += 3.0 * run.block;
    }
    write(study, "blocks.quadric");
    const Json at = asked("--json").json()["predictions"][0];
    EXPECT_LT(at["prediction_new_block"][0].get<double>(), at["prediction"][0].get<double>());
    EXPECT_NE(asked("").out.find("in a new block"), std::string::npos);
}

// Tried only, the choice changes nothing; kept, it is what every command follows.
TEST_F(AnalysisCommand, KeepsAModelThatIsChosenByHand)
{
    const std::string study = example("resnet50-scaling.quadric");
    giveModel("resnet50-scaling.quadric");
    const auto analyze = [&](std::vector<std::string> options) {
        options.insert(options.begin(), {"analyze", study, "--json"});
        const CommandResult result = quadric(options);
        EXPECT_EQ(result.status, 0) << result.err;
        return result.json();
    };
    const auto predict = [&] {
        return quadric({"predict", study, "--at", "gpu_count=16,batch_per_gpu=128,gradient_compression=0",
                        "--json"})
            .json()["predictions"];
    };
    const Json left = analyze({}), predictedBefore = predict();
    std::vector<std::string> byHand{"--model",     "quadratic",
                                    "--transform", "images_per_sec=sqrt,scaling_efficiency=none",
                                    "--scale",     "gpu_count=log2,batch_per_gpu=linear"};
    const Json tried = analyze(byHand);
    EXPECT_EQ(analyze({}), left);
    byHand.emplace_back("--keep");
    EXPECT_EQ(analyze(byHand), tried);
    EXPECT_EQ(analyze({}), tried);
    EXPECT_NE(predict(), predictedBefore);
    const study::Study kept = study::loadStudy(study).study;
    EXPECT_EQ(kept.model.at("images_per_sec"), "quadratic");
    EXPECT_EQ(kept.responses[0].transform.kind, study::TransformKind::Sqrt);
    EXPECT_EQ(kept.factors[0].scale, study::Scale::Log2);
    EXPECT_EQ(kept.factors[1].scale, study::Scale::Linear);
    EXPECT_EQ(kept.runs.size(), 15U);
    EXPECT_EQ(quadric({"analyze", study, "--model", "gpus", "--keep"}).status, 2);
    EXPECT_EQ(study::loadStudy(study).study, kept) << "what is no model is not kept";
}

TEST_F(AnalysisCommand, RefusesScalesThatCannotBe)
{
    const std::string study = example("resnet50-scaling.quadric");
    expectWrong({"analyze", study, "--scale", "gradient_compression=log2"},
                {"gradient_compression begins at 0"});
    EXPECT_EQ(quadric({"analyze", study, "--scale", "gpu_count=cubic"}).status, 2);
    EXPECT_EQ(quadric({"analyze", study, "--scale", "gpus=log2"}).status, 2);
}

TEST_F(AnalysisCommand, TheTableForTheTerminalIsComplete)
{
    const CommandResult result =
        quadric({"analyze", example("resnet50-scaling.quadric"), "--full", "--path", "--kfold", "5"});
    ASSERT_EQ(result.status, 0) << result.err;
    for (const char* title :
         {"Report card", "What the analysis of variance says", "What the coefficients say", "Fit summary",
          "Analysis of variance", "Coefficients", "left out by AICc", "Residual tests",
          "Cross-validation in 5 folds", "Ridge of steepest ascent", "Steepest ascent",
          "Verdict: Fair model."})
        EXPECT_NE(result.out.find(title), std::string::npos) << title;
    EXPECT_EQ(result.out.find("nan"), std::string::npos);
}

/// Verdict, what is not in order, effects, coefficients and equation of one response and fifteen runs.
TEST_F(AnalysisCommand, TheUsualAnswerIsShort)
{
    const CommandResult result =
        quadric({"analyze", example("resnet50-scaling.quadric"), "--response", "images_per_sec"});
    ASSERT_EQ(result.status, 0) << result.err;
    EXPECT_LE(std::ranges::count(result.out, '\n'), 30) << result.out;
    for (const char* title : {"Verdict: ", "repeat one setting", "checks passed", "What the coefficients say",
                              "Coefficients", "Equation"})
        EXPECT_NE(result.out.find(title), std::string::npos) << title;
    for (const char* title :
         {"Analysis of variance", "Residual tests", "Case statistics", "Importance", "left out by AICc"})
        EXPECT_EQ(result.out.find(title), std::string::npos) << title;
}

TEST_F(AnalysisCommand, PredictionsOfInfeasibleSettingsNameTheConstraint)
{
    study::Study study = quadric::test::boxBehnkenStudy(hill);
    study.constraints = {"a + b <= 6"};
    write(study, "hill.quadric");
    const std::string allowed = "a=1,b=4,c=" + study::toText(study.runs.front().settings.at("c"));
    const std::string forbidden = "a=3,b=4,c=" + study::toText(study.runs.front().settings.at("c"));
    EXPECT_EQ(ask({"predict", "hill.quadric", "--at", allowed})["infeasible"], Json());
    const CommandResult words = quadric({"predict", "hill.quadric", "--at", forbidden});
    EXPECT_NE(words.out.find("Infeasible: a + b = 7 > 6."), std::string::npos) << words.out;
}

TEST_F(AnalysisCommand, FindsTheTopOfAHill)
{
    write(quadric::test::boxBehnkenStudy(hill), "hill.quadric");
    // Limits beyond everything the model reaches, so that better is never as good as best.
    const std::string limits = "y=-200:20";
    const Json best = ask({"optimize", "hill.quadric", "--limits", limits});
    EXPECT_NEAR(best["settings"]["a"].get<double>(), 3.0, 1e-3);
    EXPECT_NEAR(best["settings"]["b"].get<double>(), 4.0, 1e-3);
    EXPECT_NEAR(best["responses"][0]["predicted"].get<double>(), 10.0, 1e-6);
    EXPECT_NEAR(best["responses"][0]["sacrifice"].get<double>(), 0.0, 1e-6);
    // With a held at 1 the best is 10 − 4 at b = 4.
    const Json held = ask({"optimize", "hill.quadric", "--limits", limits, "--fix", "a=1"});
    EXPECT_NEAR(held["responses"][0]["predicted"].get<double>(), 6.0, 1e-6);
    // The lowest point of the box is its farthest corner, (10, 10).
    const Json low = ask({"optimize", "hill.quadric", "--limits", limits, "--goal", "y=minimize"});
    EXPECT_NEAR(low["settings"]["a"].get<double>(), 10.0, 1e-6);
    EXPECT_NEAR(low["settings"]["b"].get<double>(), 10.0, 1e-6);
}

TEST_F(AnalysisCommand, SaysWhenTheOptimumIsAnExtrapolation)
{
    // The best corner of the cube has leverage 67/48 in a Box–Behnken design of 15 runs, whose own largest is
    // 3/4.
    const std::string path = example("resnet50-scaling.quadric");
    giveModel(path, "quadratic");
    const Json best = ask({"optimize", path});
    EXPECT_TRUE(best["responses"][0]["extrapolation"].get<bool>());
    EXPECT_NE(quadric({"optimize", path}).out.find("Extrapolation: "), std::string::npos);
    const Json inside =
        ask({"optimize", path, "--fix", "gradient_compression=45", "--fix", "batch_per_gpu=144"});
    EXPECT_FALSE(inside["responses"][0]["extrapolation"].get<bool>());
}

TEST_F(AnalysisCommand, SaysWhenThereIsNoOptimum)
{
    write(quadric::test::boxBehnkenStudy(hill), "hill.quadric");
    const CommandResult result = quadric({"optimize", "hill.quadric", "--limits", "y=1000:2000", "--json"});
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(result.err.find("no optimum"), std::string::npos) << result.err;
    const Json nearest = result.json(); // what the message calls "the settings shown"
    EXPECT_EQ(nearest["overall"], 0.0);
    EXPECT_TRUE(nearest["settings"].contains("a")) << nearest;
    const CommandResult table =
        quadric({"optimize", "hill.quadric", "--limits", "y=1000:2000", "--confirm", "2"});
    EXPECT_EQ(table.status, 1);
    EXPECT_EQ(table.out.find("Nearest settings: a="), 0U) << table.out;
    EXPECT_EQ(readJson("hill.quadric")["runs"].size(), 15U) << "nothing to confirm";
}

TEST_F(AnalysisCommand, FindsTheLikeliestPowerWhenNoneIsGiven)
{
    const std::string study = example("resnet50-scaling.quadric");
    giveModel(study, "quadratic");
    const auto fitWith = [&](const std::string& transform) {
        return ask(
            {"analyze", study, "--response", "images_per_sec", "--transform", transform})["responses"][0];
    };
    const Json likeliest = fitWith("boxcox");
    const Json profile = fitWith("none")["boxcox"];
    std::ostringstream power;
    power << std::setprecision(17) << profile["lambda"].get<double>();
    EXPECT_EQ(likeliest["coefficients"], fitWith("boxcox:" + power.str())["coefficients"]);
    study::Study flat = quadric::test::boxBehnkenStudy([](double a, double, double) { return a - 5.0; });
    write(flat, "negative.quadric");
    expectWrong({"analyze", "negative.quadric", "--transform", "boxcox"}, {"no power can be found for y"});
}

TEST_F(AnalysisCommand, TablesAndJsonComeFromEveryCommand)
{
    const std::string path = example("resnet50-scaling.quadric");
    const std::string at = "gpu_count=36,batch_per_gpu=144,gradient_compression=45";
    const std::vector<std::vector<std::string>> commands = {{"info", path},
                                                            {"status", path},
                                                            {"analyze", path},
                                                            {"predict", path, "--at", at},
                                                            {"optimize", path}};
    for (std::vector<std::string> command : commands) {
        const CommandResult table = quadric(command);
        EXPECT_EQ(table.status, 0) << table.err;
        EXPECT_NE(table.out.find('\n'), std::string::npos) << command[0];
        for (const char* word : {"nan", "inf ", "null"})
            EXPECT_EQ(table.out.find(word), std::string::npos) << command[0];
        command.emplace_back("--json");
        EXPECT_TRUE(Json::accept(quadric(command).out)) << command[0];
    }
}

TEST_F(AnalysisCommand, WritesNumbersInTheCLocale)
{
    ::setenv("LC_ALL", "de_DE.UTF-8", 1);
    const CommandResult result = quadric({"analyze", example("resnet50-scaling.quadric"), "--full"});
    ::unsetenv("LC_ALL");
    EXPECT_NE(result.out.find(" 0.99"), std::string::npos) << result.out;
}

TEST_F(AnalysisCommand, FailsWithoutResultsButSaysWhy)
{
    const CommandResult result = quadric({"analyze", example("cpu-ranks.quadric"), "--json"});
    EXPECT_EQ(result.status, 1);
    EXPECT_TRUE(result.json()["responses"].empty());
    EXPECT_NE(result.err.find("images_per_sec"), std::string::npos) << result.err;
}
