// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval.h"

#include "core/machine/json_text.h"
#include "core/run/launch/recipe_lines.h"
#include "core/run/recipe/recipe.h"
#include "core/study/document/document.h"
#include "core/study/run_records.h"
#include "core/text/visible_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace quadric::run {

namespace {

/// What the question is about.
struct QuestionFacts {
    std::string recipe;                ///< canonical JSON
    std::vector<std::string> firstRun; ///< the command with the values of the first run; empty: not known
    std::string program;               ///< where a bare name in argv[0] is found; empty where it is a path
    FileDigests files = {};            ///< that are watched
    LastApproval last = {};
};

using Recipe = nlohmann::json;

std::string describe(const std::string& name, const FileDigest& digest)
{
    const std::string size = quoteWord(name) + ", " + std::to_string(digest.size) + " bytes";
    if (digest.sha256.empty())
        return size + ", unreadable: only its size is watched";
    return digest.looked == digest.size ? size
                                        : size + " (first " + std::to_string(digest.looked) + " watched)";
}

/// As it is written, and as the first run fills it in.
std::string commandLines(const QuestionFacts& facts, const Recipe& recipe)
{
    const std::vector<std::string> written = findArguments(recipe);
    if (written.empty())
        return {};
    std::string lines = makeLabeledLine("Command", written);
    std::vector<std::string> filled;
    std::ranges::transform(facts.firstRun, std::back_inserter(filled), quoteWord);
    if (!filled.empty() && filled != written)
        lines += makeLabeledLine("First run", filled);
    if (!facts.program.empty())
        lines += makeLabeledLine("Program", {quoteWord(facts.program)});
    return lines;
}

std::string otherLines(const std::vector<RecipeLine>& recipe, bool isWatching)
{
    std::string lines;
    for (const RecipeLine& line : recipe) {
        if ((line.label == "Not watched") == isWatching)
            lines += makeLabeledLine(line.label, line.words);
    }
    return lines;
}

std::string watchedLines(const QuestionFacts& facts, const std::vector<RecipeLine>& recipe)
{
    std::string lines;
    std::set<std::string> written;
    if (facts.last.approval)
        written = facts.last.approval->written;
    for (const auto& [name, digest] : facts.files) {
        if (!written.contains(name))
            lines += makeLabeledLine("Watched file", {describe(name, digest)});
    }
    lines += otherLines(recipe, true);
    for (const std::string& name : written)
        lines += makeLabeledLine("Not watched", {quoteWord(name) + ", which the command writes"});
    const std::string first = lines.empty()
                                  ? "The command names no file beside the study.\n"
                                  : "Quadric asks again when the content of a watched file changes:\n";
    return first + lines + "What a command reads or imports, data, and programs elsewhere are not watched.\n";
}

std::string changedFileLine(const std::string& name, const StoredApproval& approval, const FileDigests& now)
{
    if (approval.rewritten.contains(name))
        return makeLabeledLine("File", {quoteWord(name), "changed in run after run: the command writes it.",
                                        "It is not watched once this is approved."});
    const char* what = !now.contains(name)             ? "is missing"
                       : approval.files.contains(name) ? "has another content"
                                                       : "is new";
    return makeLabeledLine("File", {quoteWord(name), what});
}

std::string changes(const QuestionFacts& facts, const Recipe& recipe)
{
    if (facts.last.isOfEarlierVersion)
        return "An earlier version of Quadric approved this study without its files. It asks again once.\n";
    if (!facts.last.approval)
        return {};
    const StoredApproval& approval = *facts.last.approval;
    std::string lines = describeChanges(Recipe::parse(approval.recipe), recipe);
    for (const std::string& name : findChangedFiles(approval, facts.files))
        lines += changedFileLine(name, approval, facts.files);
    return lines.empty() ? lines : "Changed since it was approved:\n" + lines;
}

/// What is different from what was approved last, and what would run: the command as a shell takes it, as it
/// is written and as the first run fills it in, a line for everything else. See makeLabeledLine() for how
/// lines are broken and quoteWord() for how values are shown.
std::string makeApprovalQuestion(const QuestionFacts& facts)
{
    const Recipe recipe = Recipe::parse(facts.recipe);
    const std::vector<RecipeLine> lines = makeRecipeLines(recipe);
    return changes(facts, recipe) + "This study wants to run:\n" + commandLines(facts, recipe) +
           otherLines(lines, false) + watchedLines(facts, lines);
}

using Recipe = nlohmann::json; // keys are sorted: the text is canonical

void addText(const study::Settings& settings, const std::string& name, const char* kind, Recipe& texts)
{
    if (const auto found = settings.find(name); found != settings.end())
        texts[name + kind] = study::toText(found->second);
}

/// Every text that the command is given, behind a placeholder or in QUADRIC_SETTINGS, and the numbers of
/// fixed settings and options behind placeholders.
Recipe collectCommandTexts(const study::Study& study)
{
    Recipe texts = Recipe::object();
    for (const study::Factor& factor : study.factors) {
        if (!factor.isNumeric())
            texts[factor.name] = factor.categories;
    }
    const auto addSettings = [&](const study::Settings& settings, const char* kind) {
        for (const auto& [name, value] : settings) {
            if (std::holds_alternative<std::string>(value))
                addText(settings, name, kind, texts);
        }
    };
    addSettings(study.fixed, " (fixed)");
    addSettings(study.benchmark.options, " (option)");
    const auto addPlaceholders = [&](const std::string& text) {
        for (const std::string& name : placeholdersOf(text)) {
            addText(study.fixed, name, " (fixed)", texts);
            addText(study.benchmark.options, name, " (option)", texts);
        }
    };
    std::ranges::for_each(study.benchmark.argv, addPlaceholders);
    for (const auto& [name, value] : study.benchmark.env)
        addPlaceholders(value);
    addPlaceholders(study.benchmark.parse.file);
    return texts;
}

Recipe makeSlurmRecipe(const study::SlurmOptions& slurm)
{
    return {{"account", slurm.account},
            {"options", slurm.options},
            {"partition", slurm.partition},
            {"setup", slurm.setup},
            {"start", slurm.start == study::SlurmOptions::Start::Once ? "once" : "ranks"}};
}

/// The folder without links: one that is led elsewhere is another one.
std::string folderOf(const study::Study& study, const std::filesystem::path& document)
{
    const std::filesystem::path folder = workingFolder(study, document);
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(folder, error);
    return (error ? folder : target).string();
}

Recipe makeApprovalRecipe(const study::Study& study, const std::filesystem::path& document,
                          const FileNames& names)
{
    const study::Benchmark& benchmark = study.benchmark;
    Recipe recipe = {{"workload", benchmark.workload}, {"folder", folderOf(study, document)}};
    if (benchmark.workload == "command") {
        recipe["argv"] = benchmark.argv;
        recipe["env"] = benchmark.env;
        recipe["texts"] = collectCommandTexts(study);
        if (benchmark.parse.kind == study::ParseSpec::Kind::File)
            recipe["parse"] = {{"file", benchmark.parse.file}};
    }
    if (!names.unwatched.empty())
        recipe["unwatched"] = names.unwatched;
    if (benchmark.slurm.holdsCommands() || !benchmark.slurm.partition.empty() ||
        !benchmark.slurm.account.empty())
        recipe["slurm"] = makeSlurmRecipe(benchmark.slurm);
    return recipe;
}

/// Earlier versions approved also how the output is read, which executes nothing.
std::optional<StoredApproval> findWithReading(const Recipe& recipe, const study::ParseSpec& parse)
{
    if (parse.kind != study::ParseSpec::Kind::Regex && parse.kind != study::ParseSpec::Kind::LastJson)
        return std::nullopt;
    Recipe earlier = recipe;
    earlier["parse"] = Recipe::parse(study::writeParse(parse));
    return findApproval(hashSha256(machine::textOf(earlier)));
}

/// The command as the first run fills it in; empty where it cannot.
std::vector<std::string> commandOfFirstRun(const study::Study& study)
{
    if (study.benchmark.workload != "command" || study.runs.empty())
        return {};
    try {
        return fillCommand(study, study.runs.front());
    } catch (const RecipeError&) {
        return {}; // the run is refused when it is to start
    }
}

std::string documentKey(const std::filesystem::path& document)
{
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(document, error);
    return (error ? std::filesystem::absolute(document) : target).string();
}

/// Where a bare name is found now; it is shown, and no part of the recipe: a virtual environment may change
/// it.
std::string locateBareProgram(const study::Study& study, const std::filesystem::path& document)
{
    const std::vector<std::string>& argv = study.benchmark.argv;
    const bool isBareName = study.benchmark.workload == "command" && !argv.empty() &&
                            argv.front().find('/') == std::string::npos &&
                            placeholdersOf(argv.front()).empty();
    return isBareName ? locateProgram(argv.front(), workingFolder(study, document)).toStdString() : "";
}

/// All zero where there is no regular file.
study::FileIdentity identityOfFile(const std::filesystem::path& path)
{
    std::error_code error;
    return std::filesystem::is_regular_file(path, error) ? study::identityOf(path) : study::FileIdentity();
}

} // namespace

bool needsApproval(const study::Study& study)
{
    return study.benchmark.workload == "command" || study.benchmark.slurm.holdsCommands();
}

ApprovalRequest::ApprovalRequest(const study::Study& study, const std::filesystem::path& document)
    : m_isNeeded(needsApproval(study))
    , m_document(documentKey(document))
{
    if (!m_isNeeded)
        return;
    m_names = findFileNames(study, document);
    const Recipe recipe = makeApprovalRecipe(study, document, m_names);
    m_recipe = machine::textOf(recipe);
    m_files = digestFiles(m_names);
    m_program = locateBareProgram(study, document);
    m_firstRun = commandOfFirstRun(study);
    m_stored = findApproval(hashSha256(m_recipe));
    if (!m_stored)
        m_stored = findWithReading(recipe, study.benchmark.parse);
}

QString ApprovalRequest::question() const
{
    if (!m_isNeeded)
        return {};
    LastApproval last = findLastApproval(m_document);
    if (m_stored)
        last.approval = m_stored;
    return QString::fromStdString(makeApprovalQuestion({.recipe = m_recipe,
                                                        .firstRun = m_firstRun,
                                                        .program = m_program,
                                                        .files = m_files,
                                                        .last = std::move(last)}));
}

void ApprovalRequest::approve() const
{
    if (!m_isNeeded)
        return;
    storeApproval(hashSha256(m_recipe), m_document, [this](StoredApproval& approval) {
        approval.recipe = m_recipe;
        approval.files = m_files;
        if (m_stored)
            approval.written.insert(m_stored->rewritten.begin(), m_stored->rewritten.end());
        approval.rewritten.clear();
        for (const std::string& program : m_names.programs)
            approval.written.erase(program);
    });
}

ApprovedStudy::ApprovedStudy(const study::Study& study, const std::filesystem::path& document,
                             const ApprovalRequest& request)
    : m_study(study::withoutRuns(study))
    , m_document(document)
    , m_hash(needsApproval(study) ? hashSha256(request.recipe()) : std::string())
    , m_names(request.names())
{
    for (const std::string& program : m_names.programs)
        m_names.paths.erase(program);
    for (const auto& [name, path] : m_names.paths)
        m_identities[name] = identityOfFile(path);
}

void ApprovedStudy::noteWrittenFiles()
{
    FileNames touched;
    for (auto& [name, identity] : m_identities) {
        const study::FileIdentity before = std::exchange(identity, identityOfFile(m_names.paths.at(name)));
        int& changes = m_runsOfChange[name];
        changes = identity != before ? changes + 1 : 0;
        if (changes > 0)
            touched.paths[name] = m_names.paths.at(name);
    }
    if (m_hash.empty() || touched.paths.empty())
        return;
    const FileDigests now = digestFiles(touched);
    try {
        updateApproval(m_hash, [&](StoredApproval& approval) {
            for (const auto& [name, digest] : now) {
                const auto known = approval.files.find(name);
                if (known == approval.files.end())
                    approval.written.insert(name);
                else if (known->second != digest && m_runsOfChange.at(name) > 1 &&
                         !approval.written.contains(name))
                    approval.rewritten.insert(name);
            }
            std::erase_if(m_identities, [&approval](const auto& each) { // known for good
                return approval.written.contains(each.first) || approval.rewritten.contains(each.first);
            });
        });
    } catch (const ApprovalError&) {
        return; // the user is asked once more
    }
}

ApprovedStudy requireApproval(const study::Study& study, const std::filesystem::path& document)
{
    const ApprovalRequest request(study, document);
    if (!request.isApproved())
        throw ApprovalError(text::makeVisible(document.string()) + ": benchmark.argv is not approved. " +
                            request.question().toStdString() +
                            "Nothing was executed. To approve exactly this, run again with --approve");
    return {study, document, request};
}

} // namespace quadric::run
