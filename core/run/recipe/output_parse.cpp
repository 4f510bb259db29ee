// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/output_parse.h"

#include "core/machine/json_text.h"
#include "core/run/launch/launch.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/result_pattern.h"
#include "core/study/document/document.h"
#include "core/study/run_records.h"

#include <QString>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

constexpr int kMostObjectStarts = 2000;
/// Of processor time for reading an output of kMostOutputBytes.
constexpr double kMostSeconds = 0.8;

study::Failure nonFinite(const std::string& name)
{
    return {"non-finite", "result \"" + name + "\" is not a finite number"};
}

study::Failure unread(const std::string& problem)
{
    return {"bad-output", "the program's output cannot be read: " + problem};
}

/// What a pattern has found, as JSON: null where it has given up, an empty object without a match.
Json foundBy(const std::string& pattern, const QString& output)
{
    bool gaveUp = false;
    const PatternFinding finding = findLastNumber(pattern, output, &gaveUp);
    if (gaveUp)
        return {};
    if (!finding.isFound)
        return Json::object();
    if (!finding.problem.empty())
        return {{"problem", finding.problem}};
    if (!std::isfinite(finding.value))
        return {{"nonFinite", finding.text.toStdString()}};
    return {{"value", finding.value}};
}

/// A line of JSON for each pattern.
BoundedAnswer search(const study::ParseSpec& spec, std::string_view output)
{
    return doBounded(kMostSeconds, [&](const Say& say) {
        const QString text = QString::fromUtf8(output.data(), static_cast<qsizetype>(output.size()));
        for (const auto& [name, pattern] : spec.patterns)
            say(foundBy(pattern, text).dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
    });
}

/// Takes the number that a pattern has found; what is wrong with it otherwise.
std::optional<study::Failure> takeFound(const std::string& name, const Json& found, Result& result)
{
    if (!found.is_object())
        return study::Failure{"bad-output",
                              "the pattern \"" + name + "\" gave up after too many steps; make it simpler"};
    if (found.contains("problem"))
        return study::Failure{"bad-output",
                              "no number for " + name + ": " + found["problem"].get<std::string>()};
    if (found.contains("nonFinite"))
        return study::Failure{"non-finite", name + " is " + found["nonFinite"].get<std::string>() +
                                                ", not a finite number"};
    if (found.contains("value"))
        result.responses[name] = found["value"].get<double>();
    return std::nullopt;
}

std::variant<Result, study::Failure> parsePatterns(const study::ParseSpec& spec, std::string_view output)
{
    const BoundedAnswer answer = search(spec, output);
    if (!answer.problem.empty())
        return unread(answer.problem);
    std::istringstream lines(answer.text);
    Result result;
    for (const auto& [name, pattern] : spec.patterns) {
        std::string line;
        if (!std::getline(lines, line) || lines.eof())
            return study::Failure{"bad-output", "the pattern \"" + name + "\" gave up after " +
                                                    study::toText(kMostSeconds) + " s; make it simpler"};
        if (const auto failure = takeFound(name, Json::parse(line, nullptr, false), result))
            return *failure;
    }
    return result;
}

/// The numbers of an object, or of the object "responses" in it, as a line of the worker protocol would give
/// them.
std::variant<Result, study::Failure> readResponses(const Json& object)
{
    const auto responses = object.find("responses");
    const Json& numbers = responses != object.end() && responses->is_object() ? *responses : object;
    Result result;
    for (const auto& [name, value] : numbers.items()) {
        if (value.is_number() && !std::isfinite(value.get<double>()))
            return nonFinite(name);
        if (value.is_number())
            result.responses[name] = value.get<double>();
    }
    return result;
}

/// Whether it holds a number that could be a result.
bool hasNumber(const Json& object)
{
    const auto responses = object.find("responses");
    const Json& numbers = responses != object.end() && responses->is_object() ? *responses : object;
    return std::ranges::any_of(numbers, [](const Json& value) { return value.is_number(); });
}

Json objectIn(std::string_view text)
{
    Json json = Json::parse(text, nullptr, false);
    return json.is_object() ? json : Json();
}

/// The last line that is a JSON object with a number: what loggers and other ranks say behind it does no
/// harm.
std::string_view findLastObjectLine(std::string_view output)
{
    while (!output.empty()) {
        const std::size_t start = output.rfind('\n', output.size() - 1);
        const std::string_view line = output.substr(start == output.npos ? 0 : start + 1);
        if (line.starts_with('{') && hasNumber(objectIn(line)))
            return line;
        output = output.substr(0, start == output.npos ? 0 : start);
    }
    return {};
}

/// The last JSON object that begins a line, over several lines; empty: there is none.
std::string_view findLastObject(std::string_view output)
{
    const std::size_t close = output.rfind('}');
    std::size_t start = close;
    for (int i = 0; i < kMostObjectStarts && start != output.npos; ++i) {
        start = start == 0 ? output.npos : output.rfind('{', start - 1);
        if (start == output.npos)
            break;
        if (start != 0 && output[start - 1] != '\n')
            continue;
        const std::string_view text = output.substr(start, close - start + 1);
        if (const Json found = objectIn(text); found.is_object())
            return hasNumber(found) ? text : std::string_view();
    }
    return {};
}

std::string_view findResultObject(std::string_view output)
{
    const std::string_view last = findLastObject(output);
    return last.empty() ? findLastObjectLine(output) : last;
}

std::variant<Result, study::Failure> parseLastObject(std::string_view output)
{
    const BoundedAnswer answer = doBounded(kMostSeconds, [output](const Say& say) {
        const std::string_view text = findResultObject(output);
        say(std::to_string(text.empty() ? 0 : text.data() - output.data()) + ' ' +
            std::to_string(text.size()) + '\n');
    });
    if (!answer.problem.empty())
        return unread(answer.problem);
    std::istringstream place(answer.text);
    std::size_t start = 0, size = 0;
    if (!(place >> start >> size))
        return study::Failure{"bad-output",
                              "no JSON object was found at the end of the program's output within " +
                                  study::toText(kMostSeconds) + " s; print it last, on a line of its own"};
    if (size == 0)
        return study::Failure{"missing-result",
                              "no line of the program's output is a JSON object with a number"};
    return readResponses(Json::parse(output.substr(start, size), nullptr, false));
}

/// Empty where there is none, or no ordinary file that can be read.
std::optional<std::string> readResultFile(const std::filesystem::path& path)
{
    try {
        return study::readTextFileIfThere(path);
    } catch (const study::DocumentError&) {
        return std::nullopt;
    }
}

/// Decimal digits that a worker keeps of a number at least.
constexpr double kTolerance = 1e-5;

bool contradicts(const study::Value& given, const Json& claimed)
{
    if (const auto* number = std::get_if<double>(&given))
        return claimed.is_number() &&
               std::abs(claimed.get<double>() - *number) > kTolerance * std::max(1e-9, std::abs(*number));
    return claimed.is_string() && claimed.get<std::string>() != std::get<std::string>(given);
}

} // namespace

std::variant<Result, study::Failure> parseOutput(const study::ParseSpec& spec, std::string_view output,
                                                 std::string_view errors)
{
    if (spec.kind != study::ParseSpec::Kind::Regex)
        return parseLastObject(output);
    auto outcome = parsePatterns(spec, output);
    auto* result = std::get_if<Result>(&outcome);
    if (!result || errors.empty() || result->responses.size() == spec.patterns.size())
        return outcome;
    study::ParseSpec missing = spec;
    std::erase_if(missing.patterns,
                  [result](const auto& pattern) { return result->responses.contains(pattern.first); });
    auto logged = parsePatterns(missing, errors);
    if (auto* more = std::get_if<Result>(&logged))
        more->responses.insert(result->responses.begin(), result->responses.end());
    return logged;
}

study::ParseSpec forRun(study::ParseSpec spec, const study::Study& study, const study::Run& run)
{
    study::Settings settings = workerSettings(study, run);
    settings["run_id"] = static_cast<double>(run.id);
    spec.file = fillTemplate(spec.file, settings);
    std::erase_if(spec.patterns, [](const auto& pattern) { return pattern.second.empty(); }); // computed
    return spec;
}

std::variant<Result, study::Failure> parseResultFile(const study::ParseSpec& spec,
                                                     const std::filesystem::path& folder,
                                                     const study::FileIdentity& before)
{
    const std::filesystem::path path = folder / spec.file;
    const study::FileIdentity now = study::identityOf(path);
    if (now == before && now != study::FileIdentity{})
        return study::Failure{"missing-result", path.string() + " is older than this run"};
    if (now.size > static_cast<std::int64_t>(kMostOutputBytes))
        return study::Failure{"bad-output", path.string() + " is larger than 1 MiB"};
    const std::optional<std::string> text = readResultFile(path);
    if (!text)
        return study::Failure{"missing-result", "the program did not write " + path.string()};
    const Json json = Json::parse(*text, nullptr, false);
    if (!json.is_object())
        return study::Failure{"bad-output", path.string() + " does not hold a JSON object"};
    return readResponses(json);
}

std::optional<study::Failure> contradiction(const study::Study& study, const study::Run& run,
                                            const std::string& claimed)
{
    const Json json = Json::parse(claimed, nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    const study::Settings given = workerSettings(study, run);
    const bool isBuiltin = study.benchmark.workload == "builtin";
    for (const study::Factor& factor : study.factors) {
        const bool isRenamed = isBuiltin && !factor.binds.empty();
        const std::string& name = isRenamed ? factor.binds : factor.name;
        const auto setting = given.find(name);
        const auto found = json.find(name);
        if (isBuiltin && found == json.end() && !json.contains(study::trainerSettingOf(factor)))
            return study::Failure{"bad-settings",
                                  "the built-in workload has no setting " + name +
                                      ", so the factor would change nothing that is measured",
                                  {}};
        if (setting != given.end() && found != json.end() && contradicts(setting->second, *found))
            return study::Failure{"bad-output",
                                  "The program says that it measured " + name + " = " +
                                      cleanText(machine::textOf(*found), 100) + ", it was given " +
                                      study::toText(setting->second),
                                  {}};
    }
    return std::nullopt;
}

} // namespace quadric::run
