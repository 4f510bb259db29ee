// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/proposal/command_line.h"

#include "core/run/launch/quoted_words.h"
#include "core/run/proposal/script_settings.h"
#include "core/run/recipe/recipe.h"
#include "core/run/recipe/recipe_problems.h"
#include "core/study/factor.h"
#include "core/text/numbers.h"
#include "core/text/typed_text.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <array>
#include <string_view>

namespace quadric::run {

namespace {

constexpr int kCenterDigits = 6;
constexpr const char* kWorkerScript = "quadric_worker.py";

bool isBlankCharacter(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/// Takes a line apart, character by character.
class Splitter {
public:
    std::vector<std::string> split(const std::string& line)
    {
        for (m_at = 0; m_at < line.size(); ++m_at)
            take(line);
        finishWord();
        return std::move(m_words);
    }

private:
    void take(const std::string& line)
    {
        const char c = line[m_at];
        const bool isLast = m_at + 1 == line.size();
        if (c == '\\' && m_quote != '\'' && !isLast && escapes(line[m_at + 1]))
            takeEscaped(line[++m_at]);
        else if (m_quote != 0 && c == m_quote)
            m_quote = 0;
        else if (m_quote == 0 && (c == '\'' || c == '"'))
            beginQuote(c);
        else if (m_quote == 0 && isBlankCharacter(c))
            finishWord();
        else
            m_word += c;
    }

    /// Within "…" a backslash quotes only what would be special there.
    bool escapes(char next) const { return m_quote == 0 || next == '"' || next == '\\'; }

    void takeEscaped(char c)
    {
        if (c != '\n')
            m_word += c;
    }

    void beginQuote(char c)
    {
        m_quote = c;
        m_isWord = true;
    }

    void finishWord()
    {
        if (m_isWord || !m_word.empty())
            m_words.push_back(std::move(m_word));
        m_word.clear();
        m_isWord = false;
    }

    std::size_t m_at = 0;
    char m_quote = 0;
    bool m_isWord = false; ///< even where it is empty: ""
    std::string m_word;
    std::vector<std::string> m_words;
};

std::string joined(const std::string& word)
{
    if (!word.empty() && word.find_first_of(" \t\n\r\"'\\") == word.npos)
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// The middle of every factor.
study::Settings centerOf(const study::Study& study)
{
    study::Settings settings;
    for (const study::Factor& factor : study.factors) {
        if (!factor.isNumeric()) {
            settings[factor.name] = factor.categories.empty() ? std::string() : factor.categories.front();
            continue;
        }
        try {
            const double middle = study::snapToLegal(factor, study::Coding({factor}).toActual(0, 0.0));
            settings[factor.name] = std::stod(text::formatBriefly(middle, kCenterDigits));
        } catch (const std::exception&) {
            continue; // its range is not sound yet: the name stays
        }
    }
    return settings;
}

std::string fillKnown(const std::string& text, study::Settings settings)
{
    for (const std::string& name : placeholdersOf(text))
        settings.try_emplace(name, "{" + name + "}");
    return fillTemplate(text, settings);
}

std::string baseName(const std::string& program)
{
    return std::filesystem::path(program).filename().string();
}

/// The program that starts a file with this ending; empty for one that starts itself.
std::string findStarter(const std::string& script, bool isExecutable)
{
    struct Starter {
        std::string_view ending, program;
    };
    constexpr auto starters = std::to_array<Starter>({{".py", "python3"},
                                                      {".R", "Rscript"},
                                                      {".jl", "julia"},
                                                      {".pl", "perl"},
                                                      {".rb", "ruby"},
                                                      {".js", "node"},
                                                      {".sh", "bash"}});
    for (const Starter& starter : starters)
        if (script.ends_with(starter.ending) && !(isExecutable && starter.ending == ".sh"))
            return std::string(starter.program);
    return {};
}

std::string startedFromHere(const std::string& script)
{
    return script.find('/') == script.npos ? "./" + script : script;
}

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

std::vector<std::string> splitCommand(const std::string& line)
{
    return Splitter().split(line);
}

std::string joinCommand(const std::vector<std::string>& words)
{
    std::string line;
    for (const std::string& word : words)
        line += (line.empty() ? "" : " ") + joined(word);
    return line;
}

std::string makeCommandPreview(const study::Study& study)
{
    const study::Benchmark& benchmark = study.benchmark;
    if (benchmark.argv.empty())
        return {};
    study::Run run = study.runs.empty() ? study::Run{.id = 1} : study.runs.front();
    if (study.runs.empty())
        run.settings = centerOf(study);
    study::Settings settings = workerSettings(study, run);
    settings["run_id"] = static_cast<double>(run.id);
    std::string preview;
    for (const auto& [name, value] : benchmark.env)
        preview += name + "=" + quoteWord(fillKnown(value, settings)) + " ";
    std::vector<std::string> words;
    for (const std::string& word : benchmark.argv)
        words.push_back(fillKnown(word, settings));
    return preview + quoteCommand(words);
}

bool isInterpreter(const std::string& program)
{
    constexpr auto names =
        std::to_array<std::string_view>({"python", "pypy", "bash", "sh", "zsh", "dash", "Rscript", "julia",
                                         "node", "perl", "ruby", "torchrun", "deepspeed"});
    const std::string name = baseName(program);
    return std::ranges::any_of(names, [&name](std::string_view known) {
        return name.starts_with(known) &&
               name.find_first_not_of("0123456789.", known.size()) == std::string::npos;
    });
}

bool hasScriptEnding(const std::string& word)
{
    return !findStarter(word, false).empty() && word.find('=') == word.npos && !word.starts_with('-');
}

std::vector<std::string> startedByWorker(const std::string& script)
{
    return {"python3", (std::filesystem::path(script).parent_path() / kWorkerScript).string(), script};
}

std::size_t findScript(const std::vector<std::string>& argv)
{
    for (std::size_t i = 0; i < argv.size(); ++i)
        if (hasScriptEnding(argv[i]) && baseName(argv[i]) != kWorkerScript)
            return i;
    if (!argv.empty() && !isInterpreter(argv.front()))
        return 0;
    for (std::size_t i = 1; i < argv.size(); ++i) {
        if (argv[i] == "-m" || argv[i] == "-c" || argv[i] == "-e")
            break;
        if (!argv[i].starts_with('-'))
            return i;
    }
    return argv.size();
}

std::vector<std::string> withScript(const std::vector<std::string>& argv, const std::string& script,
                                    bool isExecutable, const study::Study& study)
{
    const std::string starter = findStarter(script, isExecutable);
    std::vector<std::string> made = argv;
    const std::size_t at = findScript(argv);
    if (argv.empty()) {
        made = starter.empty() ? std::vector<std::string>() : std::vector{starter};
        made.push_back(starter.empty() ? startedFromHere(script) : script);
        for (const study::Factor& factor : study.factors)
            made.insert(made.end(), {"--" + factor.name, "{" + factor.name + "}"});
        return made;
    }
    const auto script_ = made.begin() + static_cast<std::ptrdiff_t>(std::min(at, made.size()));
    const bool startsItself = starter.empty() || (at > 0 && at < argv.size() && isInterpreter(argv.front()) &&
                                                  findStarter(argv[at], false) == starter);
    if (startsItself && !starter.empty()) {
        *script_ = script;
        return made;
    }
    made.erase(made.begin(), at < made.size() ? script_ + 1 : made.begin() + 1);
    made.insert(made.begin(), starter.empty() ? startedFromHere(script) : script);
    if (!starter.empty())
        made.insert(made.begin(), starter);
    return made;
}

study::Benchmark withScriptFile(const study::Study& study, const std::filesystem::path& document,
                                const std::filesystem::path& file, bool isExecutable)
{
    study::Benchmark benchmark = study.benchmark;
    std::string script = file.filename().string();
    const std::filesystem::path relative =
        document.empty() ? std::filesystem::path() : file.lexically_relative(workingFolder(study, document));
    if (relative.empty() || *relative.begin() == "..")
        benchmark.cwd = file.parent_path().string();
    else
        script = relative.string();
    const bool isMeasured = benchmark.argv.empty() && !readWorkerScript(file).empty();
    benchmark.argv =
        isMeasured ? startedByWorker(script) : withScript(benchmark.argv, script, isExecutable, study);
    if (isMeasured)
        benchmark.parse = {};
    return benchmark;
}

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
