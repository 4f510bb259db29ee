// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/slurm/slurm_options.h"

#include "core/run/recipe.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <set>

namespace quadric::run {

namespace {

using Json = nlohmann::json;

constexpr const char* kLauncherKey = "launcher";
constexpr const char* kSlurmKey = "slurm";
constexpr int kMostOfAnything = 100'000;
constexpr double kShortestPoll = 0.1;
constexpr double kLongestPoll = 3600.0;

[[noreturn]] void refuse(const std::string& key, const Json& found, const std::string& expected)
{
    throw RecipeError("benchmark.slurm." + key + ": found " + found.dump() + ", expected " + expected);
}

/// Words of a cluster: partitions and accounts. Nothing that a line of the batch script would take apart.
bool isClusterWord(const std::string& text)
{
    return std::all_of(text.begin(), text.end(), [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == ',' || c == '+';
    });
}

std::string readWord(const Json& object, const char* key)
{
    const Json value = object.value(key, Json(""));
    if (!value.is_string() || !isClusterWord(value.get<std::string>()))
        refuse(key, value, "a name of letters, digits and _ - . , +");
    return value.get<std::string>();
}

int readCount(const Json& object, const char* key, int otherwise, int least)
{
    const Json value = object.value(key, Json(otherwise));
    if (!value.is_number_integer() || value.get<double>() < least || value.get<double>() > kMostOfAnything)
        refuse(key, value, "a whole number from " + std::to_string(least));
    return value.get<int>();
}

double readPoll(const Json& object, double otherwise)
{
    const Json value = object.value("poll_seconds", Json(otherwise));
    if (!value.is_number() || value.get<double>() < kShortestPoll || value.get<double>() > kLongestPoll)
        refuse("poll_seconds", value, "seconds from 0.1 to 3600");
    return value.get<double>();
}

bool isOneLine(const std::string& text)
{
    return std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < ' ' && c != '\t'; });
}

std::vector<std::string> readLines(const Json& object, const char* key, const std::string& start)
{
    const Json list = object.value(key, Json::array());
    const std::string expected =
        "a list of lines" + (start.empty() ? std::string() : ", each of which starts with " + start);
    if (!list.is_array())
        refuse(key, list, expected);
    std::vector<std::string> lines;
    for (const Json& line : list) {
        if (!line.is_string() || !isOneLine(line.get<std::string>()) ||
            !line.get<std::string>().starts_with(start))
            refuse(key, line, expected);
        lines.push_back(line.get<std::string>());
    }
    return lines;
}

SlurmOptions::Start readStart(const Json& object)
{
    const Json value = object.value("start", Json("ranks"));
    if (value != "ranks" && value != "once")
        refuse("start", value, "\"ranks\" or \"once\"");
    return value == "ranks" ? SlurmOptions::Start::Ranks : SlurmOptions::Start::Once;
}

void refuseUnknown(const Json& object)
{
    static const std::set<std::string> known = {
        "partition", "account", "ranks_per_node", "gpus_per_rank", "cpus_per_rank",
        "start",     "options", "setup",          "most_jobs",     "poll_seconds"};
    for (const auto& [key, value] : object.items()) {
        if (!known.contains(key))
            throw RecipeError("benchmark.slurm." + key +
                              ": no such option; docs/slurm.md lists what there is");
    }
}

template <typename Value> void put(Json& object, const char* key, const Value& value, const Value& otherwise)
{
    if (value != otherwise)
        object[key] = value;
}

} // namespace

bool usesSlurm(const study::Study& study)
{
    const auto found = study.benchmark.unknown.find(kLauncherKey);
    if (found == study.benchmark.unknown.end())
        return false;
    const Json launcher = Json::parse(found->second, nullptr, false);
    if (launcher != "local" && launcher != "slurm")
        throw RecipeError("benchmark.launcher: found " + found->second + ", expected \"local\" or \"slurm\"");
    return launcher == "slurm";
}

study::Study withLauncher(study::Study study, const std::string& launcher)
{
    if (launcher == "local")
        study.benchmark.unknown.erase(kLauncherKey);
    else
        study.benchmark.unknown[kLauncherKey] = Json(launcher).dump();
    return study;
}

SlurmOptions readSlurmOptions(const study::Study& study)
{
    const auto found = study.benchmark.unknown.find(kSlurmKey);
    const Json object =
        found == study.benchmark.unknown.end() ? Json::object() : Json::parse(found->second, nullptr, false);
    if (!object.is_object())
        throw RecipeError("benchmark.slurm: found " + found->second + ", expected an object of options");
    refuseUnknown(object);
    SlurmOptions options;
    options.partition = readWord(object, "partition");
    options.account = readWord(object, "account");
    options.ranksPerNode = readCount(object, "ranks_per_node", options.ranksPerNode, 1);
    if (object.contains("gpus_per_rank"))
        options.gpusPerRank = readCount(object, "gpus_per_rank", 0, 0);
    options.cpusPerRank = readCount(object, "cpus_per_rank", options.cpusPerRank, 1);
    options.start = readStart(object);
    options.options = readLines(object, "options", "--");
    options.setup = readLines(object, "setup", "");
    options.mostJobs = readCount(object, "most_jobs", options.mostJobs, 1);
    options.pollSeconds = readPoll(object, options.pollSeconds);
    return options;
}

study::Study withSlurmOptions(study::Study study, const SlurmOptions& options)
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
    put(object, "poll_seconds", options.pollSeconds, standard.pollSeconds);
    if (object.empty())
        study.benchmark.unknown.erase(kSlurmKey);
    else
        study.benchmark.unknown[kSlurmKey] = object.dump();
    return study;
}

bool holdsCommands(const SlurmOptions& options)
{
    return !options.options.empty() || !options.setup.empty();
}

} // namespace quadric::run
