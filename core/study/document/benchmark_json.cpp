// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document_json.h"

#include "core/study/document/member_json.h"

#include <algorithm>
#include <cctype>

namespace quadric::study {

namespace {

constexpr int kMostRetries = 100;
constexpr int kMostOfAnything = 100'000;
constexpr double kShortestPoll = 0.1;
constexpr double kLongestPoll = 3600.0;

template <int least, int most> int readFromTo(const JsonReader& reader)
{
    return static_cast<int>(reader.integer(
        least, most, "a whole number from " + std::to_string(least) + " to " + std::to_string(most)));
}

template <int least> int readCount(const JsonReader& reader)
{
    return static_cast<int>(
        reader.integer(least, kMostOfAnything, "a whole number from " + std::to_string(least)));
}

template <NamedEnum Enum> Enum readQuoted(const JsonReader& reader)
{
    return readName<Enum>(reader, listNames<Enum>("\""));
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

OrderedJson parseSpecJson(const ParseSpec& spec)
{
    if (spec.kind == ParseSpec::Kind::Regex)
        return {{"regex", OrderedJson(spec.patterns)}};
    if (spec.kind == ParseSpec::Kind::File)
        return {{"file", spec.file}};
    return {{"json", "last"}};
}

} // namespace

constexpr auto membersOf(const RetryPolicy*)
{
    constexpr auto read = &readFromTo<0, kMostRetries>;
    return std::tuple{Member{"crash", &RetryPolicy::crash, Need::Optional, read},
                      Member{"cluster", &RetryPolicy::cluster, Need::Optional, read},
                      Member{"disturbed", &RetryPolicy::disturbed, Need::Optional, read}};
}

namespace {

RetryPolicy readRetry(const JsonReader& reader)
{
    if (!reader.value().is_object())
        reader.fail("an object with \"crash\", \"cluster\" and \"disturbed\"");
    ObjectReader object(reader);
    RetryPolicy policy;
    readMembers(membersOf(&policy), object, policy);
    policy.unknown = object.rest();
    return policy;
}

/// Words of a cluster: partitions and accounts. Nothing that a line of the batch script would take apart.
std::string readClusterWord(const JsonReader& reader)
{
    const auto isPart = [](unsigned char c) {
        return std::isalnum(c) || std::string_view("_-.,+").find(static_cast<char>(c)) != std::string::npos;
    };
    if (!reader.value().is_string() || !std::ranges::all_of(reader.text(), isPart))
        reader.fail("a name of letters, digits and _ - . , +");
    return reader.text();
}

std::optional<int> readGpus(const JsonReader& reader)
{
    return readCount<0>(reader);
}

double readPoll(const JsonReader& reader)
{
    if (!reader.value().is_number() || !(reader.number() >= kShortestPoll && reader.number() <= kLongestPoll))
        reader.fail("seconds from 0.1 to 3600");
    return reader.number();
}

std::vector<std::string> readLines(const JsonReader& reader, const std::string& start)
{
    const std::string expected =
        "a list of lines" + (start.empty() ? std::string() : ", each of which starts with " + start);
    const auto isControl = [](unsigned char c) { return c < ' ' && c != '\t'; };
    if (!reader.value().is_array())
        reader.fail(expected);
    std::vector<std::string> lines;
    for (const JsonReader& line : reader.elements()) {
        if (!line.value().is_string() || std::ranges::any_of(line.text(), isControl) ||
            !line.text().starts_with(start))
            line.fail(expected);
        lines.push_back(line.text());
    }
    return lines;
}

constexpr auto optionsOf(const SlurmOptions*)
{
    using Options = SlurmOptions;
    return std::tuple{Member{"partition", &Options::partition, Need::Optional, &readClusterWord},
                      Member{"account", &Options::account, Need::Optional, &readClusterWord},
                      Member{"ranks_per_node", &Options::ranksPerNode, Need::Optional, &readCount<1>},
                      Member{"gpus_per_rank", &Options::gpusPerRank, Need::Optional, &readGpus},
                      Member{"cpus_per_rank", &Options::cpusPerRank, Need::Optional, &readCount<1>},
                      Member{"start", &Options::start, Need::Optional, &readQuoted<Options::Start>},
                      Member{"options", &Options::options, Need::Optional,
                             [](const JsonReader& reader) { return readLines(reader, "--"); }},
                      Member{"setup", &Options::setup, Need::Optional,
                             [](const JsonReader& reader) { return readLines(reader, ""); }},
                      Member{"most_jobs", &Options::mostJobs, Need::Optional, &readCount<1>},
                      Member{"poll_seconds", &Options::pollSeconds, Need::Optional, &readPoll}};
}

/// Throws also for an option that there is not.
SlurmOptions readSlurm(const JsonReader& reader)
{
    if (!reader.value().is_object())
        reader.fail("an object of options");
    ObjectReader object(reader);
    SlurmOptions options;
    readMembers(optionsOf(&options), object, options);
    if (const UnknownKeys others = object.rest(); !others.empty())
        throw DocumentError(reader.path() + "." + others.begin()->first +
                            ": no such option; docs/slurm.md lists what there is");
    return options;
}

OrderedJson slurmJson(const SlurmOptions& options)
{
    return writeMembers(optionsOf(&options), options);
}

constexpr auto measurementOf(const Benchmark*)
{
    return std::tuple{Member{"workload", &Benchmark::workload, Need::Written},
                      Member{"engine", &Benchmark::engine, Need::Written},
                      Member{"options", &Benchmark::options, Need::Written},
                      Member{"argv", &Benchmark::argv},
                      Member{"env", &Benchmark::env},
                      Member{"cwd", &Benchmark::cwd},
                      Member{"writes", &Benchmark::writes},
                      Part<Benchmark>{[](ObjectReader&, Benchmark&) {}, // among how runs are executed
                                      [](OrderedJson& object, const Benchmark& benchmark) {
                                          if (benchmark.parse.kind != ParseSpec::Kind::Protocol)
                                              object["parse"] = parseSpecJson(benchmark.parse);
                                      }},
                      Member{"timeout_seconds", &Benchmark::timeoutSeconds}};
}

/// How runs are executed, in alphabetical order.
constexpr auto executionOf(const Benchmark*)
{
    return std::tuple{
        Member{"baseline", &Benchmark::baseline, Need::Optional, &readQuoted<BaselineMode>},
        Member{"launcher", &Benchmark::launcher, Need::Optional, &readQuoted<LauncherKind>},
        Member{"memory_mib", &Benchmark::memoryMib, Need::Optional, &readMib},
        Member{"output_mib", &Benchmark::outputMib, Need::Optional, &readMib},
        Member{"parallel", &Benchmark::parallel, Need::Optional, &readFromTo<1, kMostParallelRuns>},
        Member{"parse", &Benchmark::parse, Need::Optional, &readParse, &parseSpecJson},
        Member{"retry", &Benchmark::retry, Need::Optional, &readRetry},
        Member{"slurm", &Benchmark::slurm, Need::Optional, &readSlurm, &slurmJson}};
}

/// Takes the setting in; the sentence that says what is wrong with it otherwise. `null` says nothing.
template <class Value>
std::string readBenchmarkMember(const Member<Benchmark, Value>& setting, const Json& value,
                                const std::string& path, Benchmark& benchmark)
{
    ReadContext context;
    try {
        if (!value.is_null())
            benchmark.*setting.place = setting.read(JsonReader(value, path, context));
        return {};
    } catch (const DocumentError& error) {
        return error.what();
    }
}

} // namespace

Benchmark readBenchmark(const JsonReader& reader)
{
    ObjectReader object(reader);
    Benchmark benchmark;
    readMembers(measurementOf(&benchmark), object, benchmark);
    forEach(executionOf(&benchmark), [&](const auto& setting) {
        const auto found = object.find(setting.key);
        if (!found)
            return;
        const std::string problem = readBenchmarkMember(setting, found->value(), found->path(), benchmark);
        if (!problem.empty())
            found->context().warnings.push_back(found->context().name + ": " + problem);
        if (!problem.empty() || found->value().is_null())
            benchmark.unknown.emplace(setting.key, toLine(OrderedJson(found->value())));
    });
    benchmark.unknown.merge(object.unknown());
    return benchmark;
}

OrderedJson benchmarkJson(const Benchmark& benchmark)
{
    OrderedJson object = writeMembers(measurementOf(&benchmark), benchmark);
    OrderedJson settings = writeMembers(executionOf(&benchmark), benchmark);
    settings.erase("parse"); // stands before the limit of time
    addUnknown(settings, benchmark.unknown);
    const Json sorted = settings; // with the unknown keys among them
    for (const auto& [key, value] : sorted.items()) {
        if (!object.contains(key))
            object[key] = value;
    }
    return object;
}

std::string findProblem(const Benchmark& benchmark, const std::string& key)
{
    std::string problem;
    const auto kept = benchmark.unknown.find(key);
    forEach(executionOf(&benchmark), [&](const auto& setting) {
        Benchmark read;
        if (setting.key == key && kept != benchmark.unknown.end())
            problem = readBenchmarkMember(setting, Json(rawJson(kept->second)), "benchmark." + key, read);
    });
    return problem;
}

std::string writeParse(const ParseSpec& spec)
{
    return spec.kind == ParseSpec::Kind::Protocol ? std::string() : toLine(parseSpecJson(spec));
}

std::string writeSlurm(const SlurmOptions& options)
{
    return toLine(Json(slurmJson(options)));
}

} // namespace quadric::study
