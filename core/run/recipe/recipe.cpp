// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/recipe.h"

#include "core/run/launch/launch.h"
#include "core/run/recipe/approval.h"
#include "core/run/recipe/baseline_needs.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/study/document/document.h"
#include "core/study/factor.h"
#include "core/study/files/file.h"

#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace quadric::run {

namespace {

bool isNameCharacter(char c)
{
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) || c == '_';
}

/// "{name}", or "{name?text}" and "{name?text:other}", which stand for a text that depends on a yes or no.
struct Placeholder {
    std::string name;
    std::string rest;       ///< from the question mark on; empty: the value itself
    std::size_t length = 0; ///< with the braces; 0: there is none
};

Placeholder placeholderAt(const std::string& text, std::size_t at)
{
    std::size_t end = at + 1;
    while (end < text.size() && isNameCharacter(text[end]))
        ++end;
    const bool isName =
        end > at + 1 && end < text.size() && !std::isdigit(static_cast<unsigned char>(text[at + 1]));
    const std::size_t close = isName && text[end] == '?' ? text.find_first_of("{}", end) : end;
    if (!isName || close == text.npos || text[close] != '}')
        return {};
    return {text.substr(at + 1, end - at - 1), text.substr(end, close - end), close - at + 1};
}

/// Whether a value says yes: anything but 0, no, off, false and none.
bool isYes(const study::Value& value)
{
    constexpr auto kNo = std::to_array<std::string_view>({"", "0", "no", "off", "false", "none"});
    std::string text = study::toText(value);
    std::ranges::transform(text, text.begin(), [](char c) {
        return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    });
    return std::ranges::find(kNo, text) == kNo.end();
}

/// What stands for the value: itself, or the text of a yes or of a no.
std::string textFor(const Placeholder& placeholder, const study::Value& value)
{
    if (placeholder.rest.empty())
        return study::toText(value);
    const std::string texts = placeholder.rest.substr(1);
    const std::size_t colon = texts.find(':');
    if (isYes(value))
        return texts.substr(0, colon);
    return colon == texts.npos ? std::string() : texts.substr(colon + 1);
}

bool isDoubled(const std::string& text, std::size_t at)
{
    return (text[at] == '{' || text[at] == '}') && at + 1 < text.size() && text[at + 1] == text[at];
}

template <typename OnText, typename OnName>
void walkTemplate(const std::string& text, OnText onText, OnName onName)
{
    for (std::size_t i = 0; i < text.size();) {
        if (isDoubled(text, i)) {
            onText(text[i]);
            i += 2;
            continue;
        }
        const Placeholder placeholder = text[i] == '{' ? placeholderAt(text, i) : Placeholder{};
        if (placeholder.length == 0) {
            onText(text[i++]);
            continue;
        }
        onName(placeholder);
        i += placeholder.length;
    }
}

QString installedTrainer()
{
    QString program = trainerProgram();
    if (program.isEmpty())
        throw RecipeError(
            "the benchmark program quadric-trainer is not installed: it is neither beside this program "
            "nor on the PATH");
    return program;
}

/// What a program has that stands in the trainer's place, only its result tells.
bool isOurTrainer(const QString& program)
{
    return QFileInfo(program).fileName() == QLatin1String("quadric-trainer");
}

void checkBuiltin(const study::Study& study)
{
    if (study.benchmark.baseline == study::BaselineMode::Off &&
        study::findResponse(study, kScalingEfficiency))
        throw RecipeError(
            "benchmark.baseline is \"off\", and the response scaling_efficiency is related to a "
            "baseline; expected \"shared\" or \"own\", or a study without this response");
    const QString program = installedTrainer();
    const std::string gaps = isOurTrainer(program) ? gapsInWords(study) : std::string();
    if (!gaps.empty())
        throw RecipeError(gaps);
}

/// With the run's number, which an argument may mention.
study::Settings commandSettings(const study::Study& study, const study::Run& run)
{
    study::Settings settings = workerSettings(study, run);
    settings["run_id"] = static_cast<double>(run.id);
    return settings;
}

void setCommand(Launch& launch, const study::Study& study, const study::Run& run,
                const std::filesystem::path& folder)
{
    const std::vector<std::string> command = fillCommand(study, run);
    launch.program = locateProgram(command.front(), folder);
    for (std::size_t i = 1; i < command.size(); ++i)
        launch.arguments << QString::fromStdString(command[i]);
    const study::Settings settings = commandSettings(study, run);
    for (const auto& [name, value] : study.benchmark.env)
        launch.environment.insert(QString::fromStdString(name),
                                  QString::fromStdString(fillTemplate(value, settings)));
}

} // namespace

std::vector<std::string> placeholdersOf(const std::string& text)
{
    std::vector<std::string> names;
    walkTemplate(
        text, [](char) {}, [&](const Placeholder& placeholder) { names.push_back(placeholder.name); });
    return names;
}

std::string fillTemplate(const std::string& text, const study::Settings& settings)
{
    std::string filled;
    walkTemplate(
        text, [&](char c) { filled += c; },
        [&](const Placeholder& placeholder) {
            const auto value = settings.find(placeholder.name);
            if (value == settings.end())
                throw RecipeError("{" + placeholder.name + "} in \"" + text + "\" has no value in this run");
            filled += textFor(placeholder, value->second);
        });
    return filled;
}

std::vector<std::string> fillCommand(const study::Study& study, const study::Run& run)
{
    const study::Settings settings = commandSettings(study, run);
    std::vector<std::string> command;
    for (const std::string& argument : study.benchmark.argv) {
        const std::string filled = fillTemplate(argument, settings);
        const bool isLeftOut = filled.empty() && argument.find('?') != argument.npos; // a flag that is off
        if (!isLeftOut)
            command.push_back(filled);
    }
    return command;
}

std::string withPlaceholdersRenamed(const std::string& text, const std::map<std::string, std::string>& names)
{
    std::string after;
    for (std::size_t i = 0; i < text.size();) {
        const Placeholder placeholder =
            text[i] == '{' && !isDoubled(text, i) ? placeholderAt(text, i) : Placeholder{};
        const std::size_t taken = placeholder.length > 0 ? placeholder.length : isDoubled(text, i) ? 2 : 1;
        const auto found = placeholder.length > 0 ? names.find(placeholder.name) : names.end();
        after += found != names.end() ? "{" + found->second + placeholder.rest + "}" : text.substr(i, taken);
        i += taken;
    }
    return after;
}

study::Settings workerSettings(const study::Study& study, const study::Run& run)
{
    if (run.kind == study::RunKind::Baseline && study.benchmark.workload == "builtin")
        return run.settings; // the trainer's own: nothing of the study is missing
    study::Settings settings = study.fixed;
    for (const auto& [name, value] : study.benchmark.options)
        settings[name] = value;
    for (const study::Factor& factor : study.factors) {
        if (const auto value = run.settings.find(factor.name); value != run.settings.end())
            settings[factor.name] = value->second;
    }
    if (study.benchmark.workload != "builtin")
        return settings;
    if (study.benchmark.engine != "auto" && !study.benchmark.engine.empty())
        settings.try_emplace("engine", study.benchmark.engine);
    if (study.benchmark.baseline == study::BaselineMode::Off)
        settings.try_emplace("baseline", "off");
    if (study::findResponse(study, "loss_after_50_steps") != nullptr)
        settings.try_emplace("loss_training", "on");
    for (const study::Factor& factor : study.factors) {
        if (factor.binds.empty() || factor.binds == factor.name || !settings.contains(factor.name))
            continue;
        settings[factor.binds] = settings[factor.name];
        settings.erase(factor.name);
    }
    return settings;
}

void refuseUnreadable(const study::Benchmark& benchmark, std::initializer_list<const char*> keys)
{
    for (const char* key : keys) {
        if (const std::string problem = study::findProblem(benchmark, key); !problem.empty())
            throw RecipeError(problem);
    }
}

void checkRecipe(const study::Study& study, std::optional<int> runsAtOnce)
{
    const std::string& workload = study.benchmark.workload;
    if (workload == "none")
        throw RecipeError(
            "benchmark.workload is \"none\": the results of this study are typed in or imported, there "
            "is nothing to execute");
    if (workload != "builtin" && workload != "command")
        throw RecipeError("benchmark.workload is \"" + workload +
                          "\", expected \"builtin\", \"command\" or \"none\"");
    if (!(study.benchmark.timeoutSeconds > 0.0))
        throw RecipeError("the time limit of the benchmark is " +
                          study::toText(study.benchmark.timeoutSeconds) + " s, expected more than 0");
    refuseUnreadable(study.benchmark, {"parse", "memory_mib", "output_mib", "retry", "baseline"});
    for (const RecipeProblem& problem : findRecipeProblems(study, runsAtOnce)) {
        if (problem.isError)
            throw RecipeError(problem.where + ": " + problem.message);
    }
    if (workload == "builtin")
        checkBuiltin(study);
}

void checkRunSettings(const study::Study& study, const study::Run& run)
{
    const std::string where = "run " + std::to_string(run.id) + ": ";
    if (run.kind == study::RunKind::Baseline && study.benchmark.workload == "builtin")
        return;
    try {
        study::Coding(study.factors).toCoded(run.settings);
    } catch (const std::invalid_argument& error) {
        throw RecipeError(where + error.what());
    }
    const auto unknown = std::ranges::find_if(
        run.settings, [&](const auto& setting) { return !study::findFactor(study, setting.first); });
    if (unknown != run.settings.end())
        throw RecipeError(where + "setting \"" + unknown->first + "\" is not a factor of the study");
}

QString locateProgram(const std::string& program, const std::filesystem::path& folder)
{
    if (program.find('/') != program.npos)
        return QString::fromStdString((folder / program).lexically_normal().string());
    const QString name = QString::fromStdString(program);
    const QString found = QStandardPaths::findExecutable(name);
    return found.isEmpty() ? name : found;
}

std::filesystem::path workingFolder(const study::Study& study, const std::filesystem::path& document)
{
    const std::filesystem::path file = std::filesystem::absolute(document);
    const std::filesystem::path folder =
        (file.lexically_normal().parent_path() / study.benchmark.cwd).lexically_normal();
    return folder.has_filename() ? folder : folder.parent_path();
}

Launch launchFor(const ApprovedStudy& approved, const study::Run& run, const QString& devices)
{
    const study::Study& study = approved.study();
    checkRunSettings(study, run);
    const std::filesystem::path folder = workingFolder(study, approved.document());
    Launch launch(approved);
    launch.environment = QProcessEnvironment::systemEnvironment();
    launch.folder = QString::fromStdString(folder.string());
    if (study.benchmark.workload == "command") {
        setCommand(launch, study, run, folder);
    } else {
        launch.program = installedTrainer();
        launch.arguments = {QStringLiteral("--format"), QStringLiteral("json")};
    }
    launch.environment.insert(QStringLiteral("QUADRIC_RUN_ID"), QString::number(run.id));
    launch.environment.insert(QStringLiteral("QUADRIC_SETTINGS"),
                              QString::fromStdString(study::writeSettings(workerSettings(study, run))));
    if (!devices.isEmpty())
        launch.environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), devices);
    return launch;
}

} // namespace quadric::run
