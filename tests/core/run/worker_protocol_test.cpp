// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/script_settings.h"
#include "core/run/words/worker_protocol.h"

#include <gtest/gtest.h>

using namespace quadric::run;

namespace {

template <typename Message> Message parse(const std::string& line)
{
    const WorkerMessage message = WorkerProtocol::parseLine(line);
    EXPECT_TRUE(std::holds_alternative<Message>(message)) << line << " → alternative " << message.index();
    return std::holds_alternative<Message>(message) ? std::get<Message>(message) : Message();
}

} // namespace

// The lines are those of the protocol's description.
TEST(WorkerProtocol, ReadsTheEventsOfItsDescription)
{
    const auto hello =
        parse<Hello>(R"({"event": "hello", "protocol": 1, "device": {"name": "x"}, "versions": {}})");
    EXPECT_EQ(hello.protocol, 1);
    EXPECT_EQ(hello.details.at("device"), R"({"name":"x"})");
    const auto progress =
        parse<Progress>(R"({"event": "progress", "done": 0.42, "phase": "measure", "samples": 120})");
    EXPECT_EQ(progress.done, 0.42);
    EXPECT_EQ(progress.phase, "measure");
    EXPECT_EQ(progress.samples, 120);
    EXPECT_EQ(parse<Sample>(R"({"event": "sample", "step_ms": 41.8})"), Sample{.stepMs = 41.8});
    const Sample whole{.stepMs = 41.8, .items = 2048.0, .unit = "img", .seconds = 12.5};
    EXPECT_EQ(
        parse<Sample>(
            R"({"event": "sample", "step_ms": 41.8, "items": 2048, "unit": "img", "seconds": 12.5, "x": 1})"),
        whole);
    EXPECT_EQ(parse<Sample>(R"({"event": "sample", "step_ms": 2, "items": -1, "unit": 3, "seconds": null})"),
              Sample{.stepMs = 2.0});
    EXPECT_EQ(parse<Sample>(R"({"event": "sample", "step_ms": 2, "seconds": 0})"),
              (Sample{.stepMs = 2.0, .seconds = 0.0}))
        << "the time of the first sample";
    EXPECT_EQ(parse<Sample>(R"({"event": "sample", "step_ms": 2, "seconds": -1})"), Sample{.stepMs = 2.0});
    EXPECT_EQ(writeSample(whole), R"({"step_ms":41.8,"items":2048.0,"unit":"img","seconds":12.5})");
    EXPECT_EQ(writeSample({.stepMs = 2.5}), R"({"step_ms":2.5})");
    const auto result = parse<Result>(R"({"event": "result", "responses": {"images_per_sec": 1234.5},
        "spread": {"images_per_sec": 3.1}, "provenance": {"source": "simulated", "driver": "1"}})");
    EXPECT_EQ(result.responses.at("images_per_sec"), 1234.5);
    EXPECT_EQ(result.spread.at("images_per_sec"), 3.1);
    EXPECT_EQ(result.provenance.at("source"), "\"simulated\"");
    const auto failure =
        parse<WorkerFailure>(R"({"event": "failure", "kind": "out-of-memory", "message": "9 GiB"})");
    EXPECT_EQ(failure.failure.kind, "out-of-memory");
    EXPECT_EQ(failure.failure.message, "9 GiB");
}

TEST(WorkerProtocol, TakesEverythingElseAsLogText)
{
    for (const std::string line :
         {"training epoch 1", "[1, 2]", "{not json", "{}", R"({"loss": 0.5})", R"({"event": 3})"})
        EXPECT_EQ(parse<LogText>(line).text, line);
    EXPECT_EQ(parse<UnknownEvent>(R"({"event": "weather", "x": 1})").name, "weather");
}

TEST(WorkerProtocol, NamesResultsThatAreNotFinite)
{
    for (const std::string value :
         {"NaN", "Infinity", "-Infinity", "nan", "inf", "1e999", "-1e999", "null"}) {
        const auto bad = parse<BadMessage>(R"({"event": "result", "responses": {"speed": )" + value + "}}");
        EXPECT_EQ(bad.failure.kind, "non-finite") << value;
        EXPECT_NE(bad.failure.message.find("\"speed\""), std::string::npos) << value;
    }
    // The same letters inside a text mean nothing.
    const auto result = parse<Result>(
        R"({"event": "result", "responses": {"a": 1}, "provenance": {"note": "NaN \" 1e999"}})");
    EXPECT_EQ(result.provenance.at("note"), R"("NaN \" 1e999")");
}

TEST(WorkerProtocol, NamesResultsOfTheWrongType)
{
    EXPECT_EQ(parse<BadMessage>(R"({"event": "result"})").failure.kind, "bad-output");
    EXPECT_EQ(parse<BadMessage>(R"({"event": "result", "responses": [1]})").failure.kind, "bad-output");
    EXPECT_EQ(parse<BadMessage>(R"({"event": "result", "responses": {"a": "12"}})").failure.kind,
              "bad-output");
    EXPECT_EQ(parse<BadMessage>(R"({"event": "result", "responses": {"a": 1}, "spread": 3})").failure.kind,
              "bad-output");
}

TEST(WorkerProtocol, BringsValuesIntoTheirRange)
{
    EXPECT_EQ(parse<Progress>(R"({"event": "progress", "done": 7})").done, 1.0);
    EXPECT_EQ(parse<Progress>(R"({"event": "progress", "done": -7, "samples": -3})").samples, 0);
    parse<LogText>(R"({"event": "progress", "done": NaN})");
    parse<LogText>(R"({"event": "sample", "step_ms": "fast"})");
    EXPECT_EQ(parse<WorkerFailure>(R"({"event": "failure", "kind": "Rm -rf /"})").failure.kind, "failed");
    EXPECT_FALSE(parse<WorkerFailure>(R"({"event": "failure"})").failure.message.empty());
}

TEST(WorkerProtocol, ReadsLinesInPiecesOfAnySize)
{
    const std::string text = "first\r\n\n{\"event\": \"sample\", \"step_ms\": 2}\nlast";
    for (std::size_t size = 1; size <= text.size(); ++size) {
        WorkerProtocol protocol;
        std::vector<WorkerMessage> messages;
        for (std::size_t at = 0; at < text.size(); at += size) {
            for (const WorkerMessage& message : protocol.feed(std::string_view(text).substr(at, size)))
                messages.push_back(message);
        }
        for (const WorkerMessage& message : protocol.finish())
            messages.push_back(message);
        ASSERT_EQ(messages.size(), 3U) << size;
        EXPECT_EQ(std::get<LogText>(messages[0]).text, "first");
        EXPECT_EQ(std::get<Sample>(messages[1]).stepMs, 2.0);
        EXPECT_EQ(std::get<LogText>(messages[2]).text, "last");
    }
}

TEST(WorkerProtocol, CutsLongLinesAndGoesOn)
{
    WorkerProtocol protocol;
    // An event that is too long is not an event, even if its beginning would be one.
    const std::string event = R"({"event": "sample", "step_ms": 1})" + std::string(200000, ' ') + "}\nnext\n";
    const auto messages = protocol.feed(event);
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_LT(std::get<LogText>(messages[0]).text.size(), kMostLineBytes + 100);
    EXPECT_EQ(std::get<LogText>(messages[1]).text, "next");
}

TEST(WorkerProtocol, SurvivesHostileLines)
{
    parse<LogText>("{\"event\": " + std::string(50000, '[') + std::string(50000, ']') + "}");
    parse<LogText>("{\"event\": " + std::string(60000, '{'));
    parse<LogText>(std::string("{\"event\": \"\0\"}", 14));
    parse<LogText>("{\"event\": \"sample\xff\xfe\", \"step_ms\": 1}");
}

TEST(CleanText, ReplacesWhatATerminalOrAFileCannotTake)
{
    EXPECT_EQ(cleanText("a\x1b[31mb\nc", 100), "a [31mb c");
    EXPECT_EQ(cleanText("\xff", 100), "\xEF\xBF\xBD");
    EXPECT_EQ(cleanText("abcdef", 3), "abc…");
}

namespace quadric::run {
namespace {

TEST(TorchReport, IsReadBesideWhatLibrariesPrint)
{
    const auto report =
        readTorchReport("a warning of NumPy\n{\"python\": \"3.11.2\", \"torch\": \"2.1.0+cu121\", "
                        "\"cuda\": \"12.1\", \"gpus\": 8}\nbye\n");
    ASSERT_TRUE(report);
    EXPECT_EQ(describeTorch(report),
              "python3 here is Python 3.11.2 with PyTorch 2.1.0+cu121 for CUDA 12.1; it sees 8 GPUs.");
}

TEST(TorchReport, OfAProcessorAlone)
{
    const auto report =
        readTorchReport("{\"python\": \"3.13.0\", \"torch\": \"2.6.0\", \"cuda\": \"\", \"gpus\": 0}\n");
    EXPECT_EQ(describeTorch(report), "python3 here is Python 3.13.0 with PyTorch 2.6.0 without CUDA; it sees "
                                     "no GPU and trains on the processor.");
}

TEST(TorchReport, OfSomethingElseIsNone)
{
    for (const char* output :
         {"", "Traceback", "{\"python\"", "{\"python\": 3}", "{\"python\": \"3\", \"torch\": 2}"})
        EXPECT_FALSE(readTorchReport(output)) << output;
    EXPECT_EQ(describeTorch({}).substr(0, 28), "python3 here has no PyTorch:");
}

} // namespace
} // namespace quadric::run
