// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_samples.h"

#include "core/run/words/run_log.h"

#include <nlohmann/json.hpp>

#include <optional>

namespace quadric::run {

namespace {

struct Step {
    StepSample sample;
    std::string unit;
};

std::optional<Step> parseStep(std::string_view line)
{
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    const auto isNumber = [&json](const char* key) { return json.contains(key) && json[key].is_number(); };
    if (!json.is_object() || !isNumber("seconds") || !isNumber("step_ms"))
        return std::nullopt;
    Step step{{json["seconds"].get<double>(), json["step_ms"].get<double>()}, {}};
    if (isNumber("items"))
        step.sample.items = json["items"].get<double>();
    if (json.contains("unit") && json["unit"].is_string())
        step.unit = json["unit"].get<std::string>();
    return step;
}

std::optional<ResponseSample> parseResponseSample(std::string_view line)
{
    const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("response") || !json["response"].is_string())
        return std::nullopt;
    for (const char* key : {"seconds", "value"}) {
        if (!json.contains(key) || !json[key].is_number())
            return std::nullopt;
    }
    return ResponseSample{json["seconds"].get<double>(), json["response"].get<std::string>(),
                          json["value"].get<double>()};
}

} // namespace

std::string writeResponseSample(const ResponseSample& sample)
{
    const nlohmann::ordered_json json = {
        {"seconds", sample.seconds}, {"response", sample.response}, {"value", sample.value}};
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::filesystem::path samplesPath(const std::filesystem::path& document, int runId)
{
    return logPath(document, runId).replace_extension(".samples");
}

void addSample(RunSamples& samples, std::string_view line)
{
    if (const auto step = parseStep(line)) {
        samples.steps.push_back(step->sample);
        if (!step->unit.empty())
            samples.unit = step->unit;
    } else if (const auto value = parseResponseSample(line)) {
        samples.responses.push_back(*value);
    } else if (const auto reading = machine::parseReading(line)) {
        samples.machine.push_back(*reading);
    }
}

} // namespace quadric::run
