// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/derived.h"
#include "core/study/document/document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace quadric::study {
namespace {

/// Two ranks that make 1000 ± 20 tokens in a second and use 50 ± 2 J for them.
Run measuredRun()
{
    Run run;
    run.status = RunStatus::Done;
    run.settings = {{"gpus", 2.0}, {"precision", std::string("bf16")}};
    run.results = {{"tokens_per_sec", 1000.0}, {"joules", 50.0}};
    run.spread = {{"tokens_per_sec", 20.0}, {"joules", 2.0}};
    return run;
}

Study studyWith(const std::string& name, const std::string& expression)
{
    Study study;
    study.fixed = {{"price_per_gpu_hour", 3.6}};
    setDerived(study, name, expression);
    return study;
}

TEST(Derived, AreComputedFromResultsSettingsAndFixedSettings)
{
    const study::Run run = withComputedResults(
        studyWith("price", "price_per_gpu_hour * gpus / (3600 * tokens_per_sec) * 1e6"), measuredRun());
    EXPECT_DOUBLE_EQ(run.results.at("price"), 2.0);
    EXPECT_NEAR(run.spread.at("price"), 2.0 * 0.02, 1e-4)
        << "a quotient's relative error is its denominator's";
}

TEST(Derived, IndependentSpreadsAddBySquares)
{
    const study::Run run = withComputedResults(studyWith("x", "joules / tokens_per_sec"), measuredRun());
    EXPECT_NEAR(run.spread.at("x") / run.results.at("x"), std::hypot(0.02, 0.04), 1e-4);
    const study::Run twice = withComputedResults(studyWith("x", "joules + joules"), measuredRun());
    EXPECT_DOUBLE_EQ(twice.spread.at("x"), 4.0) << "the same number is not independent of itself";
    const study::Run known = withComputedResults(studyWith("x", "gpus * 3"), measuredRun());
    EXPECT_FALSE(known.spread.contains("x"));
}

TEST(Derived, MayBeMadeOfOthersWhateverTheirOrder)
{
    Study study = studyWith("a_last", "b_first * 2");
    setDerived(study, "b_first", "tokens_per_sec / gpus");
    EXPECT_DOUBLE_EQ(withComputedResults(study, measuredRun()).results.at("a_last"), 1000.0);
    setDerived(study, "b_first", "a_last");
    EXPECT_TRUE(derivedResults(study).empty()) << "each is made of the other";
}

TEST(Derived, WhatIsUndefinedIsLeftOut)
{
    for (const char* expression :
         {"tokens_per_sec / (gpus - 2)", "tokens_per_sec / other", "precision * 2"}) {
        const study::Run run = withComputedResults(studyWith("x", expression), measuredRun());
        EXPECT_FALSE(run.results.contains("x")) << expression;
    }
    EXPECT_EQ(withComputedResults(studyWith("x", "gpus"), study::Run{}), study::Run{})
        << "there are no results yet";
}

/// A misspelled name would leave a column without numbers and without a word.
TEST(Derived, NamesThatNothingHasAreTold)
{
    Study study = studyWith("cost", "price_per_gpu_hour * gpus / tokens_per_sec");
    study.factors = {{.name = "gpus", .low = 1, .high = 8}};
    study.responses = {{.name = "tokens_per_sec"}, {.name = "cost"}};
    EXPECT_EQ(describeUnknownNames(study, "cost"), "");
    EXPECT_EQ(describeUnknownNames(study, "tokens_per_sec"), "") << "is measured";
    study.fixed.clear();
    EXPECT_EQ(describeUnknownNames(study, "cost"),
              "price_per_gpu_hour is no factor, fixed setting or response; add "
              "a fixed setting, unless the program reports it");
    setDerived(study, "cost", "tokens_per_secs / joules");
    study.runs = {measuredRun()};
    EXPECT_EQ(describeUnknownNames(study, "cost"),
              "tokens_per_secs is no factor, fixed setting or response, and no "
              "run reports it. Did you mean tokens_per_sec?")
        << "joules is no response, but a run has it";
}

TEST(Derived, CanBeRenamedAndRemoved)
{
    Study study = studyWith("x", "tokens_per_sec / gpus");
    renameDerived(study, {{"x", "per_gpu"}}, [](std::string& text) { text += " * 2"; });
    EXPECT_EQ(expressionOf(study, "per_gpu"), "tokens_per_sec / gpus * 2");
    EXPECT_EQ(expressionOf(study, "x"), "");
    removeDerived(study, "per_gpu");
    EXPECT_TRUE(study.derived.empty());
}

TEST(Derived, AreReadAsConstraintsAre)
{
    EXPECT_THROW(studyWith("x", "tokens_per_sec /"), std::invalid_argument);
    EXPECT_THROW(studyWith("x", "gpus < 3"), std::invalid_argument);
    EXPECT_THROW(studyWith("x", "log(gpus)"), std::invalid_argument);
    EXPECT_THROW(studyWith("x", "x * 2"), std::invalid_argument);
}

TEST(Derived, StayInTheDocument)
{
    Study study = studyWith("x", "tokens_per_sec / gpus");
    study.name = "s";
    const LoadedStudy loaded = parseStudy(writeStudy(study), "s");
    EXPECT_TRUE(loaded.warnings.empty());
    EXPECT_EQ(loaded.study, study);
    EXPECT_THAT(writeStudy(study), ::testing::HasSubstr(R"("derived": {"x": "tokens_per_sec / gpus"})"));
    ASSERT_EQ(derivedResults(loaded.study).size(), 1U);
    EXPECT_EQ(derivedResults(loaded.study).front().expression, "tokens_per_sec / gpus");
    EXPECT_THROW(parseStudy(R"({"quadric": 1, "derived": {"x": "1 +"}})", "s"), DocumentError);
}

/// As the runner writes what it has seen of two GPUs.
TEST(Derived, TelemetryIsAResultWhereItIsAskedFor)
{
    study::Run run = measuredRun();
    run.provenance.seconds = 12.5;
    setProvenanceFact(run.provenance, "telemetry",
                      R"({"devices": [{"energy_joules": 300, "power_w": {"min": 1, "mean": 400, "max": 500},
                 "memory_mib": {"min": 1, "mean": 2, "max": 7000}},
                {"energy_joules": 200, "power_w": {"min": 1, "mean": 300, "max": 500},
                 "memory_mib": {"min": 1, "mean": 2, "max": 8000}}]})");
    Study study = studyWith("joules_per_token", "energy_joules / tokens_per_sec");
    study.responses = {{.name = "power_w"}, {.name = "gpu_memory_peak_mib"}};
    const study::Run told = withComputedResults(study, run);
    EXPECT_EQ(told.results.at("energy_joules"), 500.0);
    EXPECT_EQ(told.results.at("power_w"), 700.0);
    EXPECT_EQ(told.results.at("gpu_memory_peak_mib"), 8000.0);
    EXPECT_EQ(told.results.at("joules_per_token"), 0.5);
    EXPECT_FALSE(told.results.contains("run_seconds")) << "nobody asks for it";
    run.results["energy_joules"] = 77.0;
    EXPECT_EQ(withComputedResults(study, run).results.at("energy_joules"), 77.0)
        << "the program's own goes before";
}

TEST(Derived, NoEnergyIsKnownWhereOneGpuDoesNotTellIt)
{
    study::Run run = measuredRun();
    setProvenanceFact(run.provenance, "telemetry", R"({"devices": [{"energy_joules": 300}, {"index": 1}]})");
    Study study;
    study.responses = {{.name = "energy_joules"}};
    EXPECT_FALSE(withComputedResults(study, run).results.contains("energy_joules"));
}

} // namespace
} // namespace quadric::study
