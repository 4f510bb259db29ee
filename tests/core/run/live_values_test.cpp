// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/worker/live_values.h"

#include "core/run/follow/live_series.h"
#include "core/run/follow/runner_news.h"
#include "core/run/words/events.h"

#include <gtest/gtest.h>

using namespace quadric;
using run::LiveValues;

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
    EXPECT_EQ(run::seriesOfResponse(samples, "loss"),
              (std::vector<run::TimePoint>{{1.5, 0.25}, {3.0, 0.125}}));
    EXPECT_EQ(run::seriesOfResponse(samples, "loss", 1), (std::vector<run::TimePoint>{{2.25, 0.1875}}));
    EXPECT_TRUE(run::seriesOfResponse(samples, "speed").empty());
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
