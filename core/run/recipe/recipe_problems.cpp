// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/recipe_problems.h"

#include "core/run/recipe/baseline_needs.h"
#include "core/run/recipe/output_parse.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/result_pattern.h"
#include "core/run/recipe/watched_files.h"
#include "core/study/derived.h"
#include "core/study/run_records.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"
#include "core/workload/knob_table.h"
#include "core/workload/response_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace quadric::run {

namespace {

constexpr const char* kPrice = "price_per_rank_hour";

std::string describeBuiltinMismatch(const study::Factor& factor)
{
    const std::string setting = study::trainerSettingOf(factor);
    if (workload::findKnob(setting))
        return {};
    return "the built-in workload has no setting \"" + setting + "\": all its values would measure the same";
}

bool isVaried(const study::Study& study, const char* setting)
{
    return std::ranges::any_of(study.factors, [&](const study::Factor& factor) {
        return study::trainerSettingOf(factor) == setting;
    });
}

/// What all runs have of a setting in common; empty: nothing.
std::string commonValue(const study::Study& study, const char* setting)
{
    const study::Settings settings = workerSettings(study, {});
    const auto found = settings.find(setting);
    return found == settings.end() || isVaried(study, setting) ? std::string() : study::toText(found->second);
}

bool hasPrice(const study::Study& study)
{
    const std::string price = commonValue(study, kPrice);
    return isVaried(study, kPrice) || (!price.empty() && price != "0");
}

/// What the settings that all runs share have against it; empty: nothing.
std::string whyNeedIsNotMet(const study::Study& study, workload::Needs needs)
{
    const std::string engine = commonValue(study, "engine");
    switch (needs) {
    case workload::Needs::Nothing:
        return {};
    case workload::Needs::Baseline:
        return commonValue(study, "baseline") == "off" ? ", and that is switched off" : "";
    case workload::Needs::Price:
        return hasPrice(study) ? "" : "; expected a setting " + std::string(kPrice) + " above 0";
    case workload::Needs::Training:
        return engine == "simulated" ? ", and the engine is \"simulated\"" : "";
    case workload::Needs::Learning:
        if (commonValue(study, "loss_training") == "off")
            return ", and that is switched off";
        return engine == "simulated" ? ", and the engine is \"simulated\"" : "";
    case workload::Needs::Gpus:
        return engine == "cpu" || engine == "simulated" ? ", and the engine is \"" + engine + '"' : "";
    }
    return {};
}

std::string describeBuiltinMismatch(const study::Study& study, const study::Response& response)
{
    const workload::Response* known = workload::findResponse(response.name);
    if (!known && study::isComputed(study, response.name))
        return {};
    if (!known)
        return "the built-in workload does not report \"" + response.name + "\"";
    const std::string why = whyNeedIsNotMet(study, known->needs);
    if (why.empty())
        return {};
    return "the built-in workload reports \"" + response.name + "\" only " +
           std::string(workload::needsWords(known->needs)) + why;
}

void note(std::vector<BuiltinGap>& gaps, const char* list, std::size_t index, const std::string& why)
{
    if (!why.empty())
        gaps.push_back({std::string(list) + "[" + std::to_string(index) + "]", why});
}

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
        return !study::isComputed(study, name) && !isScalingResult(study, name);
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

/// The first two runs that would write the same result file; {0, 0}: there are none.
std::pair<int, int> findSharersOfFile(const study::Study& study)
{
    std::map<std::string, int> writers;
    for (const study::Run& run : study.runs) {
        if (run.status == study::RunStatus::Excluded)
            continue;
        try {
            const auto [other, isNew] =
                writers.emplace(forRun(study.benchmark.parse, study, run).file, run.id);
            if (!isNew)
                return {other->second, run.id};
        } catch (const RecipeError&) {
            continue; // a run without this setting is refused when it is to start
        }
    }
    return {};
}

/// Each of two runs at once would read what the other has written.
void checkSharedFile(const study::Study& study, int runsAtOnce, Problems& problems)
{
    const study::ParseSpec& spec = study.benchmark.parse;
    if (runsAtOnce < 2 || spec.kind != study::ParseSpec::Kind::File || spec.file.empty())
        return;
    const auto [one, other] = findSharersOfFile(study);
    if (other == 0)
        return;
    const std::filesystem::path file(spec.file);
    const std::filesystem::path better =
        file.parent_path() / (file.stem().string() + "_{run_id}" + file.extension().string());
    problems.push_back({"benchmark.parse.file", spec.file + " is the same file for runs " +
                                                    std::to_string(one) + " and " + std::to_string(other) +
                                                    ", and up to " + std::to_string(runsAtOnce) +
                                                    " runs are executed at once; write " + better.string() +
                                                    ", or execute one run at a time"});
}

int countRunsAtOnce(const study::Benchmark& benchmark)
{
    return benchmark.launcher == study::LauncherKind::Slurm ? benchmark.slurm.mostJobs : benchmark.parallel;
}

} // namespace

std::vector<BuiltinGap> findBuiltinGaps(const study::Study& study)
{
    std::vector<BuiltinGap> gaps;
    if (study.benchmark.workload != "builtin")
        return gaps;
    for (std::size_t i = 0; i < study.factors.size(); ++i)
        note(gaps, "factors", i, describeBuiltinMismatch(study.factors[i]));
    for (std::size_t i = 0; i < study.responses.size(); ++i)
        note(gaps, "responses", i, describeBuiltinMismatch(study, study.responses[i]));
    return gaps;
}

std::string gapsInWords(const study::Study& study)
{
    std::string text;
    for (const BuiltinGap& gap : findBuiltinGaps(study))
        text += (text.empty() ? "" : "; ") + gap.where + ": " + gap.why;
    const auto names = [&text](const char* list) { return text.find(list) != text.npos; };
    if (names("factors["))
        text += ". Its settings are " + workload::knobNames();
    if (names("responses["))
        text += ". It reports " + workload::responseNames();
    return text;
}

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

std::vector<RecipeProblem> findRecipeProblems(const study::Study& study, std::optional<int> runsAtOnce)
{
    Problems problems;
    const std::vector<std::string> known = knownSettings(study);
    if (study.benchmark.workload == "command") {
        checkWords(study, known, problems);
        for (const auto& [name, value] : study.benchmark.env)
            checkPlaceholders(known, "benchmark.env." + name, value, problems);
        for (const std::string& file : study.benchmark.writes)
            checkPlaceholders(known, "benchmark.writes", file, problems);
    }
    checkReading(study, known, problems);
    checkSharedFile(study, runsAtOnce.value_or(countRunsAtOnce(study.benchmark)), problems);
    return problems;
}

} // namespace quadric::run
