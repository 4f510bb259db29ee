// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/benchmark_json.h"
#include "core/study/document.h"
#include "core/study/json_writer.h"

#include <algorithm>
#include <cctype>

namespace quadric::study {
namespace {

constexpr int kMostOfAnything = 100'000;
constexpr double kShortestPoll = 0.1;
constexpr double kLongestPoll = 3600.0;
constexpr const char* kNoSuchOption = ": no such option; docs/slurm.md lists what there is";

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

/// Reads the options of `benchmark.slurm`, each of them where it is there.
class SlurmReader {
public:
    explicit SlurmReader(const JsonReader& reader)
        : m_object(reader)
    {
    }

    void word(const char* key, std::string& word)
    {
        const auto found = m_object.find(key);
        if (found && !(found->value().is_string() && isClusterWord(found->text())))
            found->fail("a name of letters, digits and _ - . , +");
        word = found ? found->text() : word;
    }

    template <class Count> void count(const char* key, Count& count, int least)
    {
        if (const auto found = m_object.find(key))
            count = static_cast<int>(
                found->integer(least, kMostOfAnything, "a whole number from " + std::to_string(least)));
    }

    void lines(const char* key, std::vector<std::string>& lines, const std::string& start)
    {
        const auto found = m_object.find(key);
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

    void poll(double& seconds)
    {
        const auto found = m_object.find("poll_seconds");
        if (found && !(found->value().is_number() && found->number() >= kShortestPoll &&
                       found->number() <= kLongestPoll))
            found->fail("seconds from 0.1 to 3600");
        seconds = found ? found->number() : seconds;
    }

    void start(SlurmOptions::Start& start)
    {
        const auto found = m_object.find("start");
        if (found && found->value() != "ranks" && found->value() != "once")
            found->fail("\"ranks\" or \"once\"");
        start = found && found->value() == "once" ? SlurmOptions::Start::Once : SlurmOptions::Start::Ranks;
    }

    void refuseOthers() const
    {
        if (const UnknownKeys others = m_object.rest(); !others.empty())
            throw DocumentError(m_object.reader().path() + "." + others.begin()->first + kNoSuchOption);
    }

private:
    ObjectReader m_object;
};

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
    SlurmReader read(reader);
    SlurmOptions options;
    read.word("partition", options.partition);
    read.word("account", options.account);
    read.count("ranks_per_node", options.ranksPerNode, 1);
    read.count("gpus_per_rank", options.gpusPerRank, 0);
    read.count("cpus_per_rank", options.cpusPerRank, 1);
    read.start(options.start);
    read.lines("options", options.options, "--");
    read.lines("setup", options.setup, "");
    read.count("most_jobs", options.mostJobs, 1);
    read.poll(options.pollSeconds);
    read.refuseOthers();
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
