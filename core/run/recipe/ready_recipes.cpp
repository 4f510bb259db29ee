// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/ready_recipes.h"

#include "core/run/recipe/command_line.h"
#include "core/run/recipe/recipe.h"

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

bool isMentioned(const Arguments& argv, const std::string& name)
{
    return std::ranges::any_of(argv, [&name](const std::string& argument) {
        const std::vector<std::string> names = placeholdersOf(argument);
        return std::ranges::find(names, name) != names.end();
    });
}

/// `--name value` for every factor that the command does not mention, but one.
void addFactors(const study::Study& study, const study::Factor* without, Arguments& argv)
{
    for (const study::Factor& factor : study.factors) {
        if (&factor != without && !isMentioned(argv, factor.name))
            argv.insert(argv.end(), {"--" + factor.name, placeholder(factor.name)});
    }
}

/// What the user has typed, without the program that starts it: the script and its arguments. Empty where
/// nothing was typed, or where no script is named.
Arguments typedScript(const study::Study& study)
{
    const Arguments& argv = study.benchmark.argv;
    const std::size_t script = study.benchmark.workload == "command" ? findScript(argv) : argv.size();
    return {argv.begin() + static_cast<std::ptrdiff_t>(script), argv.end()};
}

/// Patterns and files that were typed stay.
study::ParseSpec typedOr(const study::ParseSpec& typed, study::ParseSpec otherwise)
{
    const bool hasPatterns =
        std::ranges::any_of(typed.patterns, [](const auto& pattern) { return !pattern.second.empty(); });
    return hasPatterns || !typed.file.empty() ? typed : std::move(otherwise);
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

/// The launcher before what was typed, or before a script with the usual name.
ReadyRecipe launched(const study::Study& study, const char* name, const char* what, Arguments launcher,
                     const char* usualScript)
{
    Arguments typed = typedScript(study);
    const bool isOther =
        typed.empty() && !study.benchmark.argv.empty() && study.benchmark.workload == "command";
    if (isOther) // "python3 -m module"
        typed = study.benchmark.argv;
    if (typed.empty())
        typed.emplace_back(usualScript);
    launcher.insert(launcher.end(), typed.begin(), typed.end());
    addFactors(study, rankFactor(study), launcher);
    return recipe(study, name, what, std::move(launcher),
                  typedOr(study.benchmark.parse, {.kind = study::ParseSpec::Kind::LastJson}));
}

ReadyRecipe torchrun(const study::Study& study)
{
    return launched(
        study, "torchrun",
        "Starts train.py, or the script that is named, on the GPUs of this machine; results are the "
        "last JSON object that it prints, unless patterns are given.",
        {"torchrun", "--standalone", "--nproc_per_node=" + placeholderOf(rankFactor(study), "1")},
        "train.py");
}

ReadyRecipe slurmScript(const study::Study& study)
{
    Arguments launcher = {"srun", "--ntasks=" + placeholderOf(rankFactor(study), "1"), "--gpus-per-task=1"};
    const Arguments& argv = study.benchmark.argv;
    if (!typedScript(study).empty() && isInterpreter(argv.front()) && !argv.front().ends_with("torchrun"))
        launcher.push_back(argv.front());
    return launched(
        study, "Slurm script",
        "Runs job.sh, or the script that is named, in an allocation of Slurm and waits for it; results "
        "are the last JSON object that it prints, unless patterns are given.",
        std::move(launcher), "./job.sh");
}

ReadyRecipe doehelperScript(const study::Study& study)
{
    const std::string file = "result_{run_id}.json";
    Arguments argv = study.benchmark.workload == "command" ? study.benchmark.argv : Arguments();
    if (argv.empty())
        argv.emplace_back("./run.sh");
    addFactors(study, nullptr, argv);
    if (std::ranges::find(argv, file) == argv.end())
        argv.insert(argv.end(), {"--out", file});
    return recipe(
        study, "doehelper-style script",
        "Starts run.sh, or the program that is named, with every factor and the file that it writes; "
        "results are in that JSON file.",
        std::move(argv), {.kind = study::ParseSpec::Kind::File, .file = file});
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
