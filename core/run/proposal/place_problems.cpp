// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/launch/shell_words.h"
#include "core/run/proposal/command_line.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/text/find_nearest.h"

#include <QDir>
#include <QFileInfo>

namespace quadric::run {

namespace {

QStringList namesIn(const QString& folder, QDir::Filters filters)
{
    return QDir(folder).entryList(filters);
}

std::vector<std::string> asTexts(const QStringList& names)
{
    std::vector<std::string> texts;
    for (const QString& name : names)
        texts.push_back(name.toStdString());
    return texts;
}

/// " Did you mean train.py?", from what is in the folder of this path.
std::string suggestBeside(const QFileInfo& path, QDir::Filters filters)
{
    return text::suggestNearest(path.fileName().toStdString(), asTexts(namesIn(path.path(), filters)));
}

/// From the programs on the PATH.
std::string suggestProgram(const std::string& name)
{
    std::vector<std::string> programs;
    for (const QString& folder : qEnvironmentVariable("PATH").split(QLatin1Char(':'), Qt::SkipEmptyParts)) {
        const std::vector<std::string> names = asTexts(namesIn(folder, QDir::Files | QDir::Executable));
        programs.insert(programs.end(), names.begin(), names.end());
    }
    return text::suggestNearest(name, programs);
}

std::string quotedName(const std::string& name)
{
    return "\"" + name + "\"";
}

std::string sentenceEnd(const std::string& suggestion)
{
    return suggestion.empty() ? suggestion : "." + suggestion;
}

/// Empty where the program can be started.
std::string findProgramProblem(const std::string& program, const std::filesystem::path& folder)
{
    if (!placeholdersOf(program).empty())
        return {};
    const QFileInfo file(locateProgram(program, folder));
    if (program.find('/') == program.npos)
        return file.isAbsolute() ? std::string()
                                 : quotedName(program) + " is not a program on the PATH" +
                                       sentenceEnd(suggestProgram(program));
    if (!file.isFile())
        return quotedName(program) + " is not in " + file.path().toStdString() +
               sentenceEnd(suggestBeside(file, QDir::Files));
    return file.isExecutable() ? std::string()
                               : quotedName(program) + " is not executable; run chmod +x on it";
}

std::string findFolderProblem(const std::filesystem::path& folder)
{
    const QFileInfo place(QString::fromStdString(folder.string()));
    if (place.isDir())
        return {};
    return "the folder " + folder.string() + " does not exist" +
           sentenceEnd(suggestBeside(place, QDir::Dirs | QDir::NoDotAndDotDot));
}

/// A file that Quadric brings, which is copied beside the user's script.
bool isBrought(const std::string& word)
{
    const std::string name = std::filesystem::path(word).filename().string();
    return name == "quadric_worker.py" || name == "quadric_torch.py";
}

std::string findScriptProblem(const std::string& script, const std::filesystem::path& folder)
{
    const QFileInfo file(QString::fromStdString((folder / script).string()));
    if (!placeholdersOf(script).empty() || file.isFile())
        return {};
    if (isBrought(script))
        return quotedName(script) + " is not in " + file.path().toStdString() + "; quadric workload init " +
               quoteWord(file.path().toStdString()) + " copies it there";
    return quotedName(script) + " is not in " + file.path().toStdString() +
           sentenceEnd(suggestBeside(file, QDir::Files));
}

} // namespace

std::vector<RecipeProblem> findPlaceProblems(const study::Study& study, const std::filesystem::path& document)
{
    const study::Benchmark& benchmark = study.benchmark;
    std::vector<RecipeProblem> problems;
    if (benchmark.workload != "command" || benchmark.argv.empty() || benchmark.argv.front().empty())
        return problems;
    const bool isHere = benchmark.launcher == study::LauncherKind::Local;
    const std::filesystem::path folder = workingFolder(study, document);
    const auto add = [&problems](const std::string& where, std::string message, bool isError) {
        if (!message.empty())
            problems.push_back({where, std::move(message), isError});
    };
    if (!benchmark.cwd.empty())
        add("benchmark.cwd", findFolderProblem(folder), isHere);
    if (!problems.empty())
        return problems; // what is in it cannot be said
    add("benchmark.argv[0]", findProgramProblem(benchmark.argv.front(), folder), isHere);
    const std::size_t script = findScript(benchmark.argv);
    for (std::size_t i = 1; i < benchmark.argv.size(); ++i)
        if (i == script || isBrought(benchmark.argv[i]))
            add("benchmark.argv[" + std::to_string(i) + "]", findScriptProblem(benchmark.argv[i], folder),
                isHere && isInterpreter(benchmark.argv.front()));
    return problems;
}

} // namespace quadric::run
