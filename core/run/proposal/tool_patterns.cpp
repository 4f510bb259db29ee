// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/tool_patterns.h"

#include "core/run/recipe/command_baselines.h"
#include "core/study/derived.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

namespace quadric::run {

namespace {

/// A pattern for responses whose names contain these words; the first that fits counts.
struct Reading {
    std::array<std::string_view, 2> words; ///< an empty one fits any name
    std::string_view pattern;
};

constexpr auto kMegatronLm =
    std::to_array<Reading>({{{"flop", ""}, "throughput per GPU (TFLOP/s/GPU): {number}"},
                            {{"loss", ""}, "lm loss: {number}"},
                            {{"norm", ""}, "grad norm: {number}"},
                            {{"", ""}, "elapsed time per iteration (ms): {number}"}});

constexpr auto kDeepSpeed = std::to_array<Reading>(
    {{{"mem", ""}, "MaxMemAllocated={number}GB"}, {{"", ""}, "RunningAvgSamplesPerSec={number}"}});

constexpr auto kHuggingFaceTrainer =
    std::to_array<Reading>({{{"step", "sec"}, "'train_steps_per_second': {number}"},
                            {{"token", ""}, "'train_tokens_per_second': {number}"},
                            {{"loss", ""}, "'train_loss': {number}"},
                            {{"runtime", ""}, "'train_runtime': {number}"},
                            {{"", ""}, "'train_samples_per_second': {number}"}});

constexpr auto kLightning =
    std::to_array<Reading>({{{"loss", ""}, "train_loss={number}"}, {{"", ""}, R"(([0-9.]+)it/s)"}});

constexpr auto kVllmThroughput = std::to_array<Reading>({{{"req", ""}, "Throughput: {number} requests/s"},
                                                         {{"out", ""}, R"(([0-9.]+) output tokens/s)"},
                                                         {{"", ""}, R"(([0-9.]+) total tokens/s)"}});

constexpr auto kVllmServe =
    std::to_array<Reading>({{{"ttft", "99"}, "P99 TTFT (ms): {number}"},
                            {{"ttft", "mean"}, "Mean TTFT (ms): {number}"},
                            {{"ttft", ""}, "Median TTFT (ms): {number}"},
                            {{"tpot", "99"}, "P99 TPOT (ms): {number}"},
                            {{"tpot", "mean"}, "Mean TPOT (ms): {number}"},
                            {{"tpot", ""}, "Median TPOT (ms): {number}"},
                            {{"itl", "99"}, "P99 ITL (ms): {number}"},
                            {{"itl", "mean"}, "Mean ITL (ms): {number}"},
                            {{"itl", ""}, "Median ITL (ms): {number}"},
                            {{"req", ""}, "Request throughput (req/s): {number}"},
                            {{"total", ""}, R"(Total [Tt]oken throughput \(tok/s\):\s*([0-9.]+))"},
                            {{"", ""}, R"((?:^|\n)Output token throughput \(tok/s\):\s*([0-9.]+))"}});

std::span<const Reading> readingsOf(Tool tool)
{
    switch (tool) {
    case Tool::MegatronLm:
        return kMegatronLm;
    case Tool::DeepSpeed:
        return kDeepSpeed;
    case Tool::HuggingFaceTrainer:
        return kHuggingFaceTrainer;
    case Tool::Lightning:
        return kLightning;
    case Tool::VllmThroughput:
        return kVllmThroughput;
    case Tool::VllmServe:
        break;
    }
    return kVllmServe;
}

std::string inSmallLetters(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

} // namespace

std::string toolPattern(Tool tool, const std::string& response)
{
    const std::string name = inSmallLetters(response);
    const std::span<const Reading> readings = readingsOf(tool);
    const auto found = std::ranges::find_if(readings, [&name](const Reading& reading) {
        return std::ranges::all_of(reading.words,
                                   [&name](std::string_view word) { return name.find(word) != name.npos; });
    });
    return std::string(found->pattern);
}

study::ParseSpec toolPatterns(Tool tool, const study::Study& study)
{
    study::ParseSpec spec{.kind = study::ParseSpec::Kind::Regex};
    for (const study::Response& response : study.responses) {
        if (!study::isComputed(study, response.name) && !isRelated(study, response.name))
            spec.patterns[response.name] = toolPattern(tool, response.name);
    }
    return spec;
}

} // namespace quadric::run
