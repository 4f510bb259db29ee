// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/ready_recipes.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace quadric::run {

namespace {

using Arguments = std::vector<std::string>;

bool hasWord(const std::string& name, std::string_view word)
{
    const auto isSame = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
    return std::search(name.begin(), name.end(), word.begin(), word.end(), isSame) != name.end();
}

template <std::size_t n> bool hasAny(const std::string& name, const std::array<std::string_view, n>& words)
{
    return std::ranges::any_of(words, [&](std::string_view word) { return hasWord(name, word); });
}

/// The factor that sets how many processes run; null where none does.
const study::Factor* rankFactor(const study::Study& study)
{
    constexpr std::array<std::string_view, 4> words = {"gpu", "rank", "worker", "proc"};
    const auto bound = std::ranges::find(study.factors, "ranks", &study::Factor::binds);
    if (bound != study.factors.end())
        return &*bound;
    const auto named = std::ranges::find_if(study.factors, [&](const study::Factor& factor) {
        return factor.isNumeric() && hasAny(factor.name, words) && !hasWord(factor.name, "per");
    });
    return named == study.factors.end() ? nullptr : &*named;
}

std::string placeholder(const std::string& name)
{
    return "{" + name + "}";
}

std::string placeholderOf(const study::Factor* factor, const char* otherwise)
{
    return factor ? placeholder(factor->name) : otherwise;
}

/// `--name value` for every factor but one.
void addFactors(const study::Study& study, const study::Factor* without, Arguments& argv)
{
    for (const study::Factor& factor : study.factors) {
        if (&factor != without)
            argv.insert(argv.end(), {"--" + factor.name, placeholder(factor.name)});
    }
}

ReadyRecipe recipe(const study::Study& study, const char* name, const char* what, Arguments argv,
                   study::ParseSpec parse)
{
    ReadyRecipe made{name, what, study.benchmark};
    made.made.workload = "command";
    made.made.argv = std::move(argv);
    made.made.parse = std::move(parse);
    return made;
}

ReadyRecipe torchrun(const study::Study& study)
{
    const study::Factor* ranks = rankFactor(study);
    Arguments argv = {"torchrun", "--standalone", "--nproc_per_node=" + placeholderOf(ranks, "1"),
                      "train.py"};
    addFactors(study, ranks, argv);
    return recipe(
        study, "torchrun",
        "Starts train.py on the GPUs of this machine; results are the last JSON object that it prints.",
        std::move(argv), {.kind = study::ParseSpec::Kind::LastJson});
}

ReadyRecipe slurmScript(const study::Study& study)
{
    const study::Factor* ranks = rankFactor(study);
    Arguments argv = {"srun", "--ntasks=" + placeholderOf(ranks, "1"), "--gpus-per-task=1", "./job.sh"};
    addFactors(study, ranks, argv);
    return recipe(
        study, "Slurm script",
        "Runs job.sh in an allocation of Slurm and waits for it; results are the last JSON object that "
        "it prints.",
        std::move(argv), {.kind = study::ParseSpec::Kind::LastJson});
}

ReadyRecipe doehelperScript(const study::Study& study)
{
    Arguments argv = {"./run.sh"};
    addFactors(study, nullptr, argv);
    argv.insert(argv.end(), {"--out", "result_{run_id}.json"});
    return recipe(
        study, "doehelper-style script",
        "Starts run.sh with every factor and the file that it writes; results are in that JSON file.",
        std::move(argv), {.kind = study::ParseSpec::Kind::File, .file = "result_{run_id}.json"});
}

/// nccl-tests prints a line for each size (bytes, count, type, operation, root, time in µs, algorithm and bus
/// bandwidth in GB/s, …) and the average bus bandwidth at the end.
std::string ncclPattern(const std::string& response)
{
    constexpr const char* line = R"(^\s*\d+\s+\d+\s+\w+\s+\w+\s+-?\d+\s+)";
    constexpr std::array<std::string_view, 3> times = {"time", "latency", "_us"};
    if (hasAny(response, times))
        return std::string(line) + "([0-9.]+)";
    if (hasWord(response, "alg"))
        return std::string(line) + R"([0-9.]+\s+([0-9.]+))";
    return R"(# Avg bus bandwidth\s*:\s*([0-9.]+))";
}

ReadyRecipe ncclTests(const study::Study& study)
{
    constexpr std::array<std::string_view, 3> words = {"size", "byte", "mib"};
    const auto size = std::ranges::find_if(study.factors, [&](const study::Factor& factor) {
        return factor.isNumeric() && hasAny(factor.name, words);
    });
    const study::Factor* sized = size == study.factors.end() ? nullptr : &*size;
    std::string bytes = placeholderOf(sized, "64M");
    if (sized && (hasWord(sized->name, "mib") || hasWord(sized->unit, "mib")))
        bytes += "M";
    ReadyRecipe made = recipe(
        study, "nccl-tests",
        "Measures all_reduce_perf at one message size; results are the bandwidths and times that it prints.",
        {"all_reduce_perf", "-g", placeholderOf(rankFactor(study), "2"), "-b", bytes, "-e", bytes},
        {.kind = study::ParseSpec::Kind::Regex});
    for (const study::Response& response : study.responses)
        made.made.parse.patterns[response.name] = ncclPattern(response.name);
    return made;
}

} // namespace

std::vector<ReadyRecipe> readyRecipes(const study::Study& study)
{
    return {torchrun(study), slurmScript(study), doehelperScript(study), ncclTests(study)};
}

} // namespace quadric::run
