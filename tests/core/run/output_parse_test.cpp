// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/follow/live_series.h"
#include "core/run/follow/runner_news.h"
#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/recipe.h"
#include "core/run/words/events.h"
#include "core/run/worker/run_telemetry.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

using namespace quadric;
using run::LiveValues;
using run::Result;
using study::ParseSpec;

namespace {

study::Study studyWithSpeed(const std::string& pattern)
{
    study::Study study;
    study.benchmark.workload = "command";
    study.benchmark.argv = {"true"};
    study.benchmark.parse = {.kind = ParseSpec::Kind::Regex, .patterns = {{"speed", pattern}}};
    study::Response response;
    response.name = "speed";
    study.responses = {response};
    return study;
}

std::string failureKind(const std::variant<Result, study::Failure>& outcome)
{
    const auto* failure = std::get_if<study::Failure>(&outcome);
    return failure ? failure->kind : "none";
}

class ResultFile : public ::testing::Test {
protected:
    void SetUp() override
    {
        std::string pattern = (std::filesystem::temp_directory_path() / "quadric-XXXXXX").string();
        m_folder = ::mkdtemp(pattern.data());
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    void write(const std::string& text) const { std::ofstream(m_folder / "result.json") << text; }

    std::filesystem::path m_folder;
    ParseSpec m_spec{ParseSpec::Kind::File, {}, "result.json"};
    study::FileIdentity m_nothing = {}; ///< there was no file before
};

} // namespace

TEST(OutputParse, TakesTheLastMatchOfAPattern)
{
    const ParseSpec spec = studyWithSpeed("speed: *([0-9.eE+-]+)").benchmark.parse;
    const auto outcome = run::parseOutput(spec, "speed: 1\nspeed:  2.5e1 img/s\nend\n");
    EXPECT_EQ(std::get<Result>(outcome).responses.at("speed"), 25.0);
    EXPECT_TRUE(std::get<Result>(run::parseOutput(spec, "nothing")).responses.empty());
    EXPECT_EQ(failureKind(run::parseOutput(spec, "speed: 1-2")), "bad-output");
    EXPECT_EQ(failureKind(run::parseOutput(spec, "speed: 1e999")), "bad-output");
}

TEST(OutputParse, LooksIntoTheErrorsForWhatTheOutputLacks)
{
    ParseSpec spec = studyWithSpeed("speed: {number}").benchmark.parse;
    EXPECT_EQ(std::get<Result>(run::parseOutput(spec, "speed: 1\n", "speed: 2\n")).responses.at("speed"),
              1.0);
    spec.patterns["loss"] = "loss: {number}";
    const auto both = run::parseOutput(spec, "speed: 1\n", "INFO:root:loss: 3\nINFO:root:speed: 2\n");
    EXPECT_EQ(std::get<Result>(both).responses.at("speed"), 1.0);
    EXPECT_EQ(std::get<Result>(both).responses.at("loss"), 3.0);
    EXPECT_EQ(std::get<Result>(run::parseOutput(spec, "", "")).responses.size(), 0U);
}

TEST(OutputParse, WholeMatchWithoutAGroup)
{
    const ParseSpec spec = studyWithSpeed("^[0-9]+$").benchmark.parse;
    EXPECT_EQ(std::get<Result>(run::parseOutput(spec, "a 1\n22\nb")).responses.at("speed"), 22.0);
}

TEST(OutputParse, TakesTheLastObject)
{
    const ParseSpec spec{.kind = ParseSpec::Kind::LastJson};
    const auto outcome =
        run::parseOutput(spec, "{\"speed\": 1}\n{\n  \"speed\": 2,\n  \"note\": \"{\"\n}\nbye\n");
    EXPECT_EQ(std::get<Result>(outcome).responses.at("speed"), 2.0);
    EXPECT_EQ(
        std::get<Result>(run::parseOutput(spec, R"({"responses": {"speed": 3}, "x": 1})")).responses.size(),
        1U);
    EXPECT_EQ(failureKind(run::parseOutput(spec, "no object }")), "missing-result");
    EXPECT_EQ(failureKind(run::parseOutput(spec, "")), "missing-result");
}

TEST(OutputParse, WhatIsSaidBehindTheResultDoesNoHarm)
{
    const ParseSpec spec{.kind = ParseSpec::Kind::LastJson};
    for (const char* behind : {"{'loss': 0.3, 'epoch': 1.0}\n", "{\"level\": \"info\"}\n", "rank 1 }\n",
                               "{\n", "[rank0]: closing {store}\n"}) {
        const auto outcome = run::parseOutput(spec, std::string("{\"speed\": 2}\n") + behind);
        ASSERT_TRUE(std::holds_alternative<Result>(outcome)) << behind;
        EXPECT_EQ(std::get<Result>(outcome).responses.at("speed"), 2.0) << behind;
    }
    const auto last = run::parseOutput(spec, "{\"speed\": 1}\n{\"speed\": 2}\n");
    EXPECT_EQ(std::get<Result>(last).responses.at("speed"), 2.0);
}

/// For hours in the first case; by a limit of the library in the second, which must not look like no match.
TEST(OutputParse, NamesThePatternThatGivesUp)
{
    ParseSpec spec = studyWithSpeed("(?=(a+))a*b\\1").benchmark.parse;
    const std::string endless(std::size_t{1} << 20, 'a');
    auto outcome = run::parseOutput(spec, endless);
    ASSERT_EQ(failureKind(outcome), "bad-output");
    EXPECT_EQ(std::get<study::Failure>(outcome).message,
              "the pattern \"speed\" gave up after 0.8 s; make it simpler");
    spec.patterns = {{"loss", "loss (.*)"}, {"speed", "(a|aa)+$"}};
    outcome = run::parseOutput(spec, "loss 2\n" + std::string(60, 'a') + "!");
    ASSERT_EQ(failureKind(outcome), "bad-output");
    EXPECT_TRUE(std::get<study::Failure>(outcome).message.starts_with("the pattern \"speed\" gave up after"));
}

TEST(OutputParse, GivesUpLookingForTheLastObject)
{
    std::string open;
    for (int i = 0; i < 2000; ++i)
        open += "{\"a\": [" + std::string(100, '1') + ",\n";
    const ParseSpec spec{.kind = ParseSpec::Kind::LastJson};
    const std::string kind = failureKind(run::parseOutput(spec, open + "}"));
    EXPECT_TRUE(kind == "missing-result" || kind == "bad-output") << kind;
}

TEST(OutputParse, RefusesPatternsThatCannotTellTheResponses)
{
    EXPECT_NO_THROW(run::checkRecipe(studyWithSpeed("x")));
    EXPECT_THROW(run::checkRecipe(studyWithSpeed("(")), run::RecipeError);
    study::Study other = studyWithSpeed("x");
    other.benchmark.parse.patterns = {{"loss", "x"}};
    EXPECT_THROW(run::checkRecipe(other), run::RecipeError);
    other.benchmark.parse.patterns = {};
    EXPECT_THROW(run::checkRecipe(other), run::RecipeError);
}

TEST_F(ResultFile, ReadsWhatThisRunWrote)
{
    EXPECT_EQ(failureKind(run::parseResultFile(m_spec, m_folder, m_nothing)), "missing-result");
    write(R"({"speed": 4.5, "note": "text is not a result"})");
    const auto outcome = run::parseResultFile(m_spec, m_folder, m_nothing);
    EXPECT_EQ(std::get<Result>(outcome).responses, (decltype(Result::responses){{"speed", 4.5}}));
    const auto earlier = study::identityOf(m_folder / m_spec.file);
    EXPECT_EQ(failureKind(run::parseResultFile(m_spec, m_folder, earlier)), "missing-result");
    // Written anew by a program whose clock is a year behind.
    write(R"({"speed": 4.25, "note": "text is not a result"})");
    std::filesystem::last_write_time(m_folder / m_spec.file, std::filesystem::file_time_type::clock::now() -
                                                                 std::chrono::hours(8760));
    EXPECT_TRUE(std::holds_alternative<Result>(run::parseResultFile(m_spec, m_folder, earlier)));
    write("[4.5]");
    EXPECT_EQ(failureKind(run::parseResultFile(m_spec, m_folder, m_nothing)), "bad-output");
}

namespace {

using Kind = study::ParseSpec::Kind;
using Found = std::vector<std::pair<std::string, double>>;

} // namespace

TEST(LiveValues, FindsWhatThePatternsFindInALine)
{
    LiveValues values(
        {.kind = Kind::Regex, .patterns = {{"speed", "speed: ([-+.0-9e]+)"}, {"loss", "loss=([-+.0-9e]+)"}}});
    EXPECT_EQ(values.read("warming up"), Found());
    EXPECT_EQ(values.read("step 3, loss=-1.5e-3"), (Found{{"loss", -1.5e-3}}));
    EXPECT_EQ(values.read("speed: 12 img/s"), (Found{{"speed", 12.0}}));
    EXPECT_EQ(values.read("speed: nan"), Found());
    EXPECT_EQ(values.read("speed: 13"), Found()) << "no more than 20 a second";
    EXPECT_EQ(values.read(std::string(100'000, 'x') + " loss=1"), Found()) << "a long line costs too much";
}

TEST(LiveValues, FindsTheNumbersOfAJsonLine)
{
    EXPECT_EQ(LiveValues({.kind = Kind::LastJson}).read(R"({"epoch": 2, "loss": 0.25, "host": "a"})"),
              (Found{{"epoch", 2.0}, {"loss", 0.25}}));
    EXPECT_EQ(LiveValues({.kind = Kind::LastJson}).read(R"({"responses": {"loss": 1}, "seconds": 3})"),
              (Found{{"loss", 1.0}}));
    for (const char* line : {"loss: 1", "{", "{\"loss\": ", "[1, 2]", "{\"loss\": \"1\"}"})
        EXPECT_EQ(LiveValues({.kind = Kind::LastJson}).read(line), Found()) << line;
    EXPECT_EQ(LiveValues({}).read(R"({"loss": 1})"), Found()) << "a worker sends samples";
}

/// A pattern that needs too many steps is not tried on every line.
TEST(LiveValues, GivesUpAPatternThatGivesUp)
{
    LiveValues values({.kind = Kind::Regex, .patterns = {{"y", "(a+)+(b+)+(a+)+$"}, {"z", "z=([0-9]+)"}}});
    std::string hard;
    for (int i = 0; i < 40; ++i)
        hard += "aaaaaaaaaabbbbbbbbbb";
    for (int i = 0; i < 3; ++i)
        values.read(hard + "c");
    SUCCEED() << "it came back";
}

TEST(LiveValues, AreDrawnOverTime)
{
    run::RunSamples samples;
    addSample(samples, run::writeResponseSample({1.5, "loss", 0.25}));
    addSample(samples, run::writeResponseSample({2.5, "lo\"ss", 7.0}));
    addSample(samples, run::writeResponseSample({3.0, "loss", 0.125}));
    addSample(samples, R"({"seconds": 4, "response": 3, "value": 1})");
    addSample(samples, R"({"seconds": 4, "response": "loss"})");
    ASSERT_EQ(samples.responses.size(), 3U);
    EXPECT_EQ(run::makeResponseSeries(samples, "loss"),
              (std::vector<run::TimePoint>{{1.5, 0.25}, {3.0, 0.125}}));
    EXPECT_EQ(run::makeResponseSeries(samples, "loss", 1), (std::vector<run::TimePoint>{{2.25, 0.1875}}));
    EXPECT_TRUE(run::makeResponseSeries(samples, "speed").empty());
}

/// A program that never speaks is running as soon as it has been started.
TEST(LiveValues, AProgramThatWasStartedIsExecuting)
{
    run::RunnerNews news;
    const study::Run run{.id = 3};
    const auto take = [&news](const QByteArray& event) { news.take(event.toStdString()); };
    take(run::runEvent("run-started", run));
    EXPECT_FALSE(news.active.at(3).isExecuting);
    take(run::stateEvent(3, "waits in the queue"));
    EXPECT_FALSE(news.active.at(3).isExecuting);
    take(run::stateEvent(3, ""));
    EXPECT_TRUE(news.active.at(3).isExecuting);
    EXPECT_TRUE(news.active.at(3).phase.empty());
}
