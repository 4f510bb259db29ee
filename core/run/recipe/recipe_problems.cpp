// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/recipe_problems.h"

#include "core/run/recipe/command_baselines.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/result_pattern.h"
#include "core/run/recipe/unmentioned_factors.h"
#include "core/study/derived.h"
#include "core/text/find_nearest.h"
#include "core/text/numbers.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace quadric::run {

namespace {

using Problems = std::vector<RecipeProblem>;

std::string argumentAt(std::size_t index)
{
    return "benchmark.argv[" + std::to_string(index) + "]";
}

std::vector<std::string> knownSettings(const study::Study& study)
{
    std::vector<std::string> names;
    for (const study::Factor& factor : study.factors)
        names.push_back(factor.name);
    for (const auto& [name, value] : study.fixed)
        names.push_back(name);
    for (const auto& [name, value] : study.benchmark.options)
        names.push_back(name);
    names.emplace_back("run_id");
    return names;
}

void checkPlaceholders(const std::vector<std::string>& known, const std::string& where,
                       const std::string& text, Problems& problems)
{
    for (const std::string& name : placeholdersOf(text)) {
        if (std::ranges::find(known, name) != known.end())
            continue;
        const std::string meant = text::suggestNearest(name, known, "{", "}");
        problems.push_back({where, "{" + name + "} is not a factor" +
                                       (meant.empty() ? " or fixed setting; write {{" + name + "}} for braces"
                                                      : "." + meant)});
    }
    for (const std::string& name : known) {
        const std::string place = "{" + name + "}";
        if (text.find(place) != text.npos && placeholdersOf(place).empty())
            problems.push_back({where, place + " cannot be filled in; name it with letters, digits and _"});
    }
    if (text.find('\0') != text.npos)
        problems.push_back({where, "the text contains a zero byte"});
}

/// Words that only a shell obeys.
bool isShellSign(std::string_view word)
{
    constexpr auto signs =
        std::to_array<std::string_view>({"|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>&1", "&>"});
    return std::ranges::find(signs, word) != signs.end() || word.starts_with("~/") ||
           word.starts_with("$(") || word.starts_with("${");
}

void checkWords(const study::Study& study, const std::vector<std::string>& known, Problems& problems)
{
    const std::vector<std::string>& argv = study.benchmark.argv;
    if (argv.empty() || argv.front().empty()) {
        problems.push_back({"benchmark.argv", "there is no command; write a program and its arguments"});
        return;
    }
    for (std::size_t i = 0; i < argv.size(); ++i) {
        checkPlaceholders(known, argumentAt(i), argv[i], problems);
        if (isShellSign(argv[i]))
            problems.push_back({argumentAt(i),
                                "no shell reads the command: " + argv[i] + " reaches the program as it is",
                                false});
    }
    const std::vector<std::string> unmentioned = unmentionedFactors(study);
    if (!unmentioned.empty())
        problems.push_back(
            {"benchmark.argv", "the command does not mention " + text::formatList(unmentioned), false});
}

void checkReading(const study::Study& study, const std::vector<std::string>& known, Problems& problems)
{
    const study::ParseSpec& spec = study.benchmark.parse;
    if (spec.kind == study::ParseSpec::Kind::File) {
        if (spec.file.empty())
            problems.push_back(
                {"benchmark.parse.file", "there is no file; write for example result_{run_id}.json"});
        checkPlaceholders(known, "benchmark.parse.file", spec.file, problems);
    }
    if (spec.kind != study::ParseSpec::Kind::Regex)
        return;
    const std::string where = "benchmark.parse.regex.";
    const auto isTold = [&study](const std::string& name) { // by the program, not by the runner
        return !study::isComputed(study, name) && !isRelated(study, name);
    };
    for (const study::Response& response : study.responses)
        if (!spec.patterns.contains(response.name) && isTold(response.name))
            problems.push_back({where + response.name, findPatternProblem({})});
    for (const auto& [name, pattern] : spec.patterns) {
        const std::string problem = findPatternProblem(pattern);
        if (!problem.empty() && (!pattern.empty() || isTold(name)))
            problems.push_back({where + name, problem});
    }
}

} // namespace

std::vector<RecipeProblem> findRecipeProblems(const study::Study& study)
{
    Problems problems;
    const std::vector<std::string> known = knownSettings(study);
    if (study.benchmark.workload == "command") {
        checkWords(study, known, problems);
        for (const auto& [name, value] : study.benchmark.env)
            checkPlaceholders(known, "benchmark.env." + name, value, problems);
    }
    checkReading(study, known, problems);
    return problems;
}

} // namespace quadric::run
