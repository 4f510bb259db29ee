// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/benchmark_json.h"

#include "core/study/document/document_read.h"
#include "core/study/document/json_writer.h"

#include <algorithm>
#include <array>

namespace quadric::study {
namespace {

constexpr int kMostRetries = 100;

int readWhole(const JsonReader& reader, int least, int most)
{
    return static_cast<int>(reader.integer(
        least, most, "a whole number from " + std::to_string(least) + " to " + std::to_string(most)));
}

double readMib(const JsonReader& reader)
{
    if (!reader.value().is_number() || !(reader.number() > 0.0))
        reader.fail("a number of MiB above 0");
    return reader.number();
}

std::map<std::string, std::string> readPatterns(const JsonReader& reader)
{
    if (!reader.value().is_object())
        reader.fail("an object of response names and patterns");
    std::map<std::string, std::string> patterns;
    for (const auto& [name, pattern] : ObjectReader(reader).entries()) {
        if (!pattern.value().is_string())
            pattern.fail("a regular expression");
        patterns.emplace(name, pattern.text());
    }
    return patterns;
}

ParseSpec readParse(const JsonReader& reader)
{
    using Kind = ParseSpec::Kind;
    const char* expected = "one of {\"regex\": …}, {\"json\": \"last\"}, {\"file\": …}";
    if (reader.value().is_object() && reader.value().empty())
        return {};
    if (!reader.value().is_object() || reader.value().size() != 1)
        reader.fail(expected);
    ObjectReader object(reader);
    if (const auto regex = object.find("regex"))
        return {.kind = Kind::Regex, .patterns = readPatterns(*regex)};
    if (const auto json = object.find("json"); json && json->value() == "last")
        return {.kind = Kind::LastJson};
    if (const auto file = object.find("file"); file && file->value().is_string())
        return {.kind = Kind::File, .file = file->text()};
    reader.fail(expected);
}

RetryPolicy readRetry(const JsonReader& reader)
{
    if (!reader.value().is_object())
        reader.fail("an object with \"crash\", \"cluster\" and \"disturbed\"");
    ObjectReader object(reader);
    const auto count = [&object](const char* key, int otherwise) {
        const auto found = object.find(key);
        return found ? readWhole(*found, 0, kMostRetries) : otherwise;
    };
    RetryPolicy policy;
    policy.crash = count("crash", policy.crash);
    policy.cluster = count("cluster", policy.cluster);
    policy.disturbed = count("disturbed", policy.disturbed);
    policy.unknown = object.rest();
    return policy;
}

template <class Enum>
Enum readName(const JsonReader& reader, std::optional<Enum> (*from)(std::string_view), const char* expected)
{
    const auto named = reader.value().is_string() ? from(reader.text()) : std::nullopt;
    if (!named)
        reader.fail(expected);
    return *named;
}

/// How runs are executed, a reader for each key.
using ReadSetting = void (*)(const JsonReader&, Benchmark&);
constexpr auto kSettings = std::to_array<std::pair<std::string_view, ReadSetting>>({
    {"baseline",
     [](const JsonReader& value, Benchmark& benchmark) {
         benchmark.baseline = readName(value, &baselineModeFrom, "\"shared\", \"own\" or \"off\"");
     }},
    {"launcher",
     [](const JsonReader& value, Benchmark& benchmark) {
         benchmark.launcher = readName(value, &launcherFrom, "\"local\" or \"slurm\"");
     }},
    {"memory_mib",
     [](const JsonReader& value, Benchmark& benchmark) { benchmark.memoryMib = readMib(value); }},
    {"output_mib",
     [](const JsonReader& value, Benchmark& benchmark) { benchmark.outputMib = readMib(value); }},
    {"parallel", [](const JsonReader& value,
                    Benchmark& benchmark) { benchmark.parallel = readWhole(value, 1, kMostParallelRuns); }},
    {"parse", [](const JsonReader& value, Benchmark& benchmark) { benchmark.parse = readParse(value); }},
    {"retry", [](const JsonReader& value, Benchmark& benchmark) { benchmark.retry = readRetry(value); }},
    {"slurm", [](const JsonReader& value, Benchmark& benchmark) { benchmark.slurm = readSlurm(value); }},
});

/// Takes the setting in; the sentence that says what is wrong with it otherwise. `null` says nothing.
std::string takeSetting(ReadSetting read, const Json& value, const std::string& path, Benchmark& benchmark)
{
    ReadContext context;
    try {
        if (!value.is_null())
            read(JsonReader(value, path, context), benchmark);
        return {};
    } catch (const DocumentError& error) {
        return error.what();
    }
}

void readSettingsOfRuns(ObjectReader& object, Benchmark& benchmark)
{
    for (const auto& [key, read] : kSettings) {
        const auto found = object.find(std::string(key));
        if (!found)
            continue;
        const std::string problem = takeSetting(read, found->value(), found->path(), benchmark);
        if (!problem.empty())
            found->context().warnings.push_back(found->context().name + ": " + problem);
        if (!problem.empty() || found->value().is_null())
            benchmark.unknown.emplace(key, toLine(OrderedJson(found->value())));
    }
}

Json retryJson(const RetryPolicy& policy)
{
    const RetryPolicy standard;
    Json object = Json::object();
    if (policy.crash != standard.crash)
        object["crash"] = policy.crash;
    if (policy.cluster != standard.cluster)
        object["cluster"] = policy.cluster;
    if (policy.disturbed != standard.disturbed)
        object["disturbed"] = policy.disturbed;
    for (const auto& [key, text] : policy.unknown)
        object[key] = rawJson(text);
    return object;
}

OrderedJson parseSpecJson(const ParseSpec& spec)
{
    if (spec.kind == ParseSpec::Kind::Regex)
        return {{"regex", OrderedJson(spec.patterns)}};
    if (spec.kind == ParseSpec::Kind::File)
        return {{"file", spec.file}};
    return {{"json", "last"}};
}

/// How runs are executed, and the unknown keys among it in alphabetical order.
void addSettingsOfRuns(OrderedJson& object, const Benchmark& benchmark)
{
    const Benchmark standard;
    std::map<std::string, OrderedJson> settings;
    if (benchmark.baseline != standard.baseline)
        settings["baseline"] = nameOf(benchmark.baseline);
    if (benchmark.launcher != standard.launcher)
        settings["launcher"] = nameOf(benchmark.launcher);
    if (benchmark.memoryMib != standard.memoryMib)
        settings["memory_mib"] = numberJson(benchmark.memoryMib);
    if (benchmark.outputMib != standard.outputMib)
        settings["output_mib"] = numberJson(benchmark.outputMib);
    if (benchmark.parallel != standard.parallel)
        settings["parallel"] = benchmark.parallel;
    if (benchmark.retry != standard.retry)
        settings["retry"] = retryJson(benchmark.retry);
    if (benchmark.slurm != standard.slurm)
        settings["slurm"] = slurmJson(benchmark.slurm);
    for (const auto& [key, text] : benchmark.unknown)
        settings.try_emplace(key, rawJson(text));
    for (const auto& [key, value] : settings)
        if (!object.contains(key))
            object[key] = value;
}

} // namespace

Benchmark readBenchmark(const JsonReader& reader)
{
    ObjectReader object(reader);
    Benchmark benchmark;
    benchmark.workload = object.text("workload", benchmark.workload);
    benchmark.engine = object.text("engine", benchmark.engine);
    if (const auto options = object.find("options"))
        benchmark.options = readSettings(*options);
    if (const auto argv = object.find("argv"))
        benchmark.argv = argv->texts();
    if (const auto env = object.find("env")) {
        for (const auto& [key, value] : ObjectReader(*env).entries())
            benchmark.env.emplace(key, value.text());
    }
    benchmark.cwd = object.text("cwd");
    benchmark.timeoutSeconds = object.number("timeout_seconds", benchmark.timeoutSeconds);
    readSettingsOfRuns(object, benchmark);
    benchmark.unknown.merge(object.unknown());
    return benchmark;
}

OrderedJson benchmarkJson(const Benchmark& benchmark)
{
    OrderedJson object = OrderedJson::object();
    object["workload"] = benchmark.workload;
    object["engine"] = benchmark.engine;
    object["options"] = mapJson(benchmark.options, valueJson);
    if (!benchmark.argv.empty())
        object["argv"] = benchmark.argv;
    if (!benchmark.env.empty())
        object["env"] = OrderedJson(benchmark.env);
    addText(object, "cwd", benchmark.cwd);
    if (benchmark.parse.kind != ParseSpec::Kind::Protocol)
        object["parse"] = parseSpecJson(benchmark.parse);
    if (benchmark.timeoutSeconds != Benchmark{}.timeoutSeconds)
        object["timeout_seconds"] = numberJson(benchmark.timeoutSeconds);
    addSettingsOfRuns(object, benchmark);
    return object;
}

std::string findProblem(const Benchmark& benchmark, const std::string& key)
{
    const auto kept = benchmark.unknown.find(key);
    const auto setting =
        std::ranges::find(kSettings, std::string_view(key), &std::pair<std::string_view, ReadSetting>::first);
    if (kept == benchmark.unknown.end() || setting == kSettings.end())
        return {};
    Benchmark read;
    return takeSetting(setting->second, Json(rawJson(kept->second)), "benchmark." + key, read);
}

std::string writeParse(const ParseSpec& spec)
{
    return spec.kind == ParseSpec::Kind::Protocol ? std::string() : toLine(parseSpecJson(spec));
}

} // namespace quadric::study
