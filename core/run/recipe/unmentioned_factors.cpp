// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/unmentioned_factors.h"

#include "core/run/recipe/recipe.h"

#include <algorithm>
#include <set>

namespace quadric::run {

bool readsSettings(const study::Study& study)
{
    return std::ranges::any_of(study.benchmark.argv, [](const std::string& argument) {
        return argument.ends_with("quadric_worker.py") || argument.ends_with("quadric_torch.py");
    });
}

std::vector<std::string> unmentionedFactors(const study::Study& study)
{
    if (study.benchmark.workload != "command" || readsSettings(study))
        return {};
    std::set<std::string> mentioned;
    const auto note = [&mentioned](const std::string& text) {
        for (const std::string& name : placeholdersOf(text))
            mentioned.insert(name);
    };
    for (const std::string& argument : study.benchmark.argv)
        note(argument);
    for (const auto& [name, value] : study.benchmark.env)
        note(value);
    std::vector<std::string> unmentioned;
    for (const study::Factor& factor : study.factors) {
        if (!mentioned.contains(factor.name))
            unmentioned.push_back(factor.name);
    }
    return unmentioned;
}

std::vector<std::string> argumentsForUnmentioned(const study::Study& study)
{
    std::vector<std::string> arguments;
    for (const std::string& name : unmentionedFactors(study))
        arguments.insert(arguments.end(), {"--" + name, "{" + name + "}"});
    return arguments;
}

} // namespace quadric::run
