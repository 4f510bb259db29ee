// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/benchmark_json.h"
#include "core/study/document/member_json.h"

#include <algorithm>
#include <cctype>

namespace quadric::study {
namespace {

constexpr int kMostOfAnything = 100'000;
constexpr double kShortestPoll = 0.1;
constexpr double kLongestPoll = 3600.0;

/// Words of a cluster: partitions and accounts. Nothing that a line of the batch script would take apart.
bool isClusterWord(const std::string& text)
{
    return std::ranges::all_of(text, [](unsigned char c) {
        return std::isalnum(c) || std::string_view("_-.,+").find(static_cast<char>(c)) != std::string::npos;
    });
}

bool isOneLine(const std::string& text)
{
    return std::ranges::none_of(text, [](unsigned char c) { return c < ' ' && c != '\t'; });
}

/// An option where it is there: of the type of `value`, and good.
template <class Value, class IsGood>
void readOption(ObjectReader& object, const char* key, Value& value, IsGood isGood,
                const std::string& expected)
{
    const auto found = object.find(key);
    if (!found)
        return;
    Value read = {};
    try {
        MemberReader::read(*found, read);
    } catch (const DocumentError&) {
        found->fail(expected);
    }
    if (!isGood(read))
        found->fail(expected);
    value = read;
}

template <class Count> void readCount(ObjectReader& object, const char* key, Count& count, int least)
{
    readOption(
        object, key, count, [least](const Count& read) { return read >= least && read <= kMostOfAnything; },
        "a whole number from " + std::to_string(least));
}

void readLines(ObjectReader& object, const char* key, std::vector<std::string>& lines,
               const std::string& start)
{
    const auto found = object.find(key);
    const std::string expected =
        "a list of lines" + (start.empty() ? std::string() : ", each of which starts with " + start);
    if (found && !found->value().is_array())
        found->fail(expected);
    for (const JsonReader& line : found ? found->elements() : std::vector<JsonReader>()) {
        if (!line.value().is_string() || !isOneLine(line.text()) || !line.text().starts_with(start))
            line.fail(expected);
        lines.push_back(line.text());
    }
}

template <class Value> void put(Json& object, const char* key, const Value& value, const Value& otherwise)
{
    if (value != otherwise)
        object[key] = value;
}

} // namespace

SlurmOptions readSlurm(const JsonReader& reader)
{
    if (!reader.value().is_object())
        reader.fail("an object of options");
    ObjectReader object(reader);
    SlurmOptions options;
    std::string start = "ranks";
    for (auto [key, word] : {std::pair("partition", &options.partition), {"account", &options.account}})
        readOption(object, key, *word, isClusterWord, "a name of letters, digits and _ - . , +");
    readCount(object, "ranks_per_node", options.ranksPerNode, 1);
    readCount(object, "gpus_per_rank", options.gpusPerRank, 0);
    readCount(object, "cpus_per_rank", options.cpusPerRank, 1);
    readOption(
        object, "start", start, [](const auto& word) { return word == "ranks" || word == "once"; },
        "\"ranks\" or \"once\"");
    options.start = start == "once" ? SlurmOptions::Start::Once : SlurmOptions::Start::Ranks;
    readLines(object, "options", options.options, "--");
    readLines(object, "setup", options.setup, "");
    readCount(object, "most_jobs", options.mostJobs, 1);
    readOption(
        object, "poll_seconds", options.pollSeconds,
        [](double seconds) { return seconds >= kShortestPoll && seconds <= kLongestPoll; },
        "seconds from 0.1 to 3600");
    if (const UnknownKeys others = object.rest(); !others.empty())
        throw DocumentError(reader.path() + "." + others.begin()->first +
                            ": no such option; docs/slurm.md lists what there is");
    return options;
}

Json slurmJson(const SlurmOptions& options)
{
    const SlurmOptions standard;
    Json object = Json::object();
    put(object, "partition", options.partition, standard.partition);
    put(object, "account", options.account, standard.account);
    put(object, "ranks_per_node", options.ranksPerNode, standard.ranksPerNode);
    if (options.gpusPerRank)
        object["gpus_per_rank"] = *options.gpusPerRank;
    put(object, "cpus_per_rank", options.cpusPerRank, standard.cpusPerRank);
    if (options.start == SlurmOptions::Start::Once)
        object["start"] = "once";
    put(object, "options", options.options, standard.options);
    put(object, "setup", options.setup, standard.setup);
    put(object, "most_jobs", options.mostJobs, standard.mostJobs);
    if (options.pollSeconds != standard.pollSeconds)
        object["poll_seconds"] = numberJson(options.pollSeconds);
    return object;
}

std::string writeSlurm(const SlurmOptions& options)
{
    return toLine(slurmJson(options));
}

} // namespace quadric::study
