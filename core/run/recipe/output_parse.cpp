// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/output_parse.h"

#include "core/run/recipe/recipe.h"
#include "core/study/document.h"

#include <QRegularExpression>

#include <nlohmann/json.hpp>

#include <cmath>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

constexpr int kMostObjectStarts = 2000;

QRegularExpression expressionOf(const std::string& pattern)
{
    return QRegularExpression(QString::fromStdString(pattern), QRegularExpression::MultilineOption);
}

study::Failure nonFinite(const std::string& name)
{
    return {"non-finite", "result \"" + name + "\" is not a finite number"};
}

std::variant<Result, study::Failure> parsePatterns(const study::ParseSpec& spec, const QString& output)
{
    Result result;
    for (const auto& [name, pattern] : spec.patterns) {
        QString found;
        for (auto matches = expressionOf(pattern).globalMatch(output); matches.hasNext();) {
            const QRegularExpressionMatch match = matches.next();
            found = match.captured(match.lastCapturedIndex() >= 1 ? 1 : 0);
        }
        if (found.isEmpty())
            continue;
        bool isNumber = false;
        const double value = found.trimmed().toDouble(&isNumber);
        if (!isNumber)
            return study::Failure{"bad-output", "\"" + found.toStdString() + "\", found for the response \"" +
                                                    name + "\", is not a number"};
        if (!std::isfinite(value))
            return nonFinite(name);
        result.responses[name] = value;
    }
    return result;
}

/// The numbers of an object, or of the object "responses" in it, as a line of the worker protocol would give
/// them.
std::variant<Result, study::Failure> resultOf(const Json& object)
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

std::variant<Result, study::Failure> parseLastObject(std::string_view output)
{
    const std::size_t close = output.rfind('}');
    std::size_t start = close;
    for (int i = 0; i < kMostObjectStarts && start != output.npos; ++i) {
        start = start == 0 ? output.npos : output.rfind('{', start - 1);
        if (start == output.npos)
            break;
        if (start != 0 && output[start - 1] != '\n')
            continue;
        const Json json = Json::parse(output.substr(start, close - start + 1), nullptr, false);
        if (json.is_object())
            return resultOf(json);
    }
    return study::Failure{"missing-result", "no JSON object begins a line of the program's output"};
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

[[noreturn]] void refusePattern(const std::string& response, const std::string& pattern,
                                const QRegularExpression& expression)
{
    throw RecipeError("benchmark.parse.regex." + response + ": \"" + pattern +
                      "\" is not a regular expression: " + expression.errorString().toStdString());
}

} // namespace

void checkParse(const study::Study& study)
{
    const study::ParseSpec& spec = study.benchmark.parse;
    if (spec.kind != study::ParseSpec::Kind::Regex)
        return;
    if (spec.patterns.empty())
        throw RecipeError("benchmark.parse.regex: expected an object of response names and patterns");
    for (const auto& [name, pattern] : spec.patterns) {
        const QRegularExpression expression = expressionOf(pattern);
        if (!expression.isValid())
            refusePattern(name, pattern, expression);
    }
    for (const study::Response& response : study.responses) {
        if (!spec.patterns.contains(response.name))
            throw RecipeError("benchmark.parse.regex has no pattern for the response \"" + response.name +
                              "\"");
    }
}

std::variant<Result, study::Failure> parseOutput(const study::ParseSpec& spec, std::string_view output)
{
    if (spec.kind == study::ParseSpec::Kind::Regex)
        return parsePatterns(spec, QString::fromUtf8(output.data(), static_cast<qsizetype>(output.size())));
    return parseLastObject(output);
}

study::ParseSpec forRun(study::ParseSpec spec, const study::Study& study, const study::Run& run)
{
    study::Settings settings = workerSettings(study, run);
    settings["run_id"] = static_cast<double>(run.id);
    spec.file = fillTemplate(spec.file, settings);
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
    return resultOf(json);
}

} // namespace quadric::run
