// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/recipe/approval.h"

#include "core/machine/json_text.h"
#include "core/run/launch/quoted_words.h"
#include "core/run/recipe/recipe.h"
#include "core/study/document/document.h"
#include "core/study/files/file.h"
#include "core/study/run_records.h"
#include "core/text/visible_text.h"

#include <QStandardPaths>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

namespace quadric::run {

namespace {

using Json = nlohmann::json; // keys are sorted: the text is canonical
using Words = std::vector<std::string>;
using Lines = std::vector<RecipeLine>;

std::filesystem::path storePath()
{
    const QString settings = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    return std::filesystem::path(settings.toStdString()) / "quadric" / "approvals.json";
}

[[noreturn]] void failToStore(const std::string& reason)
{
    throw ApprovalError("the approval cannot be saved: " + reason);
}

/// Makes it for this user alone, and takes from others the right to write there.
void makePrivateFolder(const std::filesystem::path& folder)
{
    std::error_code ignored; // what cannot be made cannot be written into either
    std::filesystem::create_directories(folder.parent_path(), ignored);
    if (::mkdir(folder.c_str(), S_IRWXU) == 0)
        return;
    using std::filesystem::perms;
    std::filesystem::permissions(folder, perms::group_write | perms::others_write,
                                 std::filesystem::perm_options::remove, ignored);
}

/// The right to change the store, waited for.
study::FileHandle lockStore()
{
    const std::string path = storePath().string() + ".lock";
    makePrivateFolder(storePath().parent_path());
    study::FileHandle file(
        ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, S_IRUSR | S_IWUSR));
    int status = file.isOpen() ? 0 : -1;
    while (file.isOpen() && (status = ::flock(file.get(), LOCK_EX)) != 0 && errno == EINTR)
        ;
    if (status != 0)
        failToStore(path + ": " + std::strerror(errno));
    return file;
}

/// {document: {"recipe": [[label, word …] …], "files": {name: digest}}}. Nothing where the file is something
/// else; empty where there is none. Throws DocumentError.
std::optional<Json> readStore()
{
    const auto text = study::readTextFileIfThere(storePath());
    if (!text)
        return Json::object();
    Json store = Json::parse(*text, nullptr, false);
    if (!store.is_object())
        return std::nullopt;
    Json approved = store.value("approved", Json::object());
    return approved.is_object() ? std::optional(std::move(approved)) : std::nullopt;
}

Json readableStore()
{
    try {
        return readStore().value_or(Json::object());
    } catch (const study::DocumentError&) {
        return Json::object();
    }
}

Json jsonOf(const Lines& lines)
{
    Json json = Json::array();
    for (const RecipeLine& line : lines) {
        Words words = {line.label};
        words.insert(words.end(), line.words.begin(), line.words.end());
        json.push_back(words);
    }
    return json;
}

Json jsonOf(const FileDigests& files)
{
    Json json = Json::object();
    for (const auto& [name, digest] : files)
        json[name] = {digest.size, digest.looked, digest.sha256};
    return json;
}

/// The lines that jsonOf() has written; those that are something else are left out.
Lines linesOf(const Json& approval)
{
    Lines lines;
    if (!approval.is_object())
        return lines;
    for (const Json& line : approval.value("recipe", Json::array())) {
        bool isLine = line.is_array() && !line.empty();
        for (const Json& word : line)
            isLine = isLine && word.is_string();
        if (!isLine)
            continue;
        Words words = line.get<Words>();
        const std::string label = words.front();
        words.erase(words.begin());
        lines.push_back({label, words});
    }
    return lines;
}

void addText(const study::Settings& settings, const std::string& name, const char* label,
             std::map<std::string, RecipeLine>& texts)
{
    if (const auto found = settings.find(name); found != settings.end())
        texts[name + label] = {label, {quoteWord(name + "=" + study::toText(found->second))}};
}

/// Every text that the command is given, behind a placeholder or in QUADRIC_SETTINGS, and the numbers of
/// fixed settings and options behind placeholders.
void addTexts(const study::Study& study, Lines& lines)
{
    std::map<std::string, RecipeLine> texts;
    for (const study::Factor& factor : study.factors) {
        if (factor.isNumeric())
            continue;
        RecipeLine& line = texts[factor.name] = {"Levels", {quoteWord(factor.name) + ":"}};
        for (const std::string& level : factor.categories)
            line.words.push_back(quoteWord(level) + ",");
        line.words.back().pop_back();
    }
    const auto addSetting = [&](const std::string& name) {
        addText(study.fixed, name, "Fixed setting", texts);
        addText(study.benchmark.options, name, "Option", texts);
    };
    for (const study::Settings* settings : {&study.fixed, &study.benchmark.options}) {
        for (const auto& [name, value] : *settings) {
            if (std::holds_alternative<std::string>(value))
                addText(*settings, name, settings == &study.fixed ? "Fixed setting" : "Option", texts);
        }
    }
    const auto addPlaceholders = [&](const std::string& text) {
        std::ranges::for_each(placeholdersOf(text), addSetting);
    };
    std::ranges::for_each(study.benchmark.argv, addPlaceholders);
    for (const auto& [name, value] : study.benchmark.env)
        addPlaceholders(value);
    addPlaceholders(study.benchmark.parse.file);
    for (auto& [name, line] : texts)
        lines.push_back(std::move(line));
}

void addSlurm(const study::SlurmOptions& slurm, Lines& lines)
{
    const auto add = [&lines](const char* label, const std::string& value) {
        if (!value.empty())
            lines.push_back({std::string("Slurm ") + label, {quoteWord(value)}});
    };
    if (!slurm.holdsCommands() && slurm.partition.empty() && slurm.account.empty())
        return;
    add("account", slurm.account);
    for (const std::string& option : slurm.options)
        add("options", option);
    add("partition", slurm.partition);
    for (const std::string& line : slurm.setup)
        add("setup", line);
    add("start", slurm.start == study::SlurmOptions::Start::Once ? "once" : "ranks");
}

/// The folder without links: one that is led elsewhere is another one.
std::string folderOf(const study::Study& study, const std::filesystem::path& document)
{
    const std::filesystem::path folder = workingFolder(study, document);
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(folder, error);
    return (error ? folder : target).string();
}

Lines makeRecipeLines(const study::Study& study, const std::filesystem::path& document,
                      const FileNames& names)
{
    const study::Benchmark& benchmark = study.benchmark;
    const bool isCommand = benchmark.workload == "command";
    Lines lines;
    if (isCommand) {
        lines.push_back({"Command", {}});
        std::ranges::transform(benchmark.argv, std::back_inserter(lines.back().words), quoteWord);
    }
    lines.push_back({"Folder", {quoteWord(folderOf(study, document))}});
    if (isCommand) {
        for (const auto& [name, value] : benchmark.env)
            lines.push_back({"Variable", {quoteWord(std::string(name).append("=").append(value))}});
        addTexts(study, lines);
        if (benchmark.parse.kind == study::ParseSpec::Kind::File)
            lines.push_back({"Result file", {quoteWord(benchmark.parse.file)}});
    }
    addSlurm(benchmark.slurm, lines);
    for (const std::string& note : names.unwatched)
        lines.push_back({"Not watched", {quoteWord(note)}});
    return lines;
}

/// The command as the first run fills it in, quoted; empty where it cannot.
Words commandOfFirstRun(const study::Study& study)
{
    Words words;
    if (study.benchmark.workload != "command" || study.runs.empty())
        return words;
    try {
        std::ranges::transform(fillCommand(study, study.runs.front()), std::back_inserter(words), quoteWord);
    } catch (const RecipeError&) {
        words.clear(); // the run is refused when it is to start
    }
    return words;
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

std::string describe(const std::string& name, const FileDigest& digest)
{
    const std::string size = quoteWord(name) + ", " + std::to_string(digest.size) + " bytes";
    if (digest.sha256.empty())
        return size + ", unreadable: only its size is watched";
    return digest.looked == digest.size ? size
                                        : size + " (first " + std::to_string(digest.looked) + " watched)";
}

/// What stands behind an option of the command belongs to it.
Words withOption(const Words& argv, std::size_t first, std::size_t end)
{
    const bool hasOption = first > 0 && first < end && argv[first - 1].starts_with('-') &&
                           argv[first - 1].find('=') == std::string::npos && !argv[first].starts_with('-');
    return {argv.begin() + static_cast<std::ptrdiff_t>(hasOption ? first - 1 : first),
            argv.begin() + static_cast<std::ptrdiff_t>(end)};
}

/// "before → now", or that something came or went.
std::string changeLine(const std::string& label, Words before, const Words& now)
{
    if (before.empty() || now.empty()) {
        Words words = before.empty() ? now : before;
        words.insert(words.begin(), before.empty() ? "added" : "removed");
        return makeLabeledLine(label, words);
    }
    before.push_back("→");
    before.insert(before.end(), now.begin(), now.end());
    return makeLabeledLine(label, before);
}

/// What lies between the arguments at the beginning and at the end that are the same.
std::string changeOfCommand(const Words& before, const Words& now)
{
    const std::size_t most = std::min(before.size(), now.size());
    const auto first = static_cast<std::size_t>(std::ranges::mismatch(before, now).in1 - before.begin());
    std::size_t same = 0;
    while (same < most - first && before[before.size() - 1 - same] == now[now.size() - 1 - same])
        ++same;
    return changeLine("Command", withOption(before, first, before.size() - same),
                      withOption(now, first, now.size() - same));
}

/// The lines with this label that `others` lack.
Lines missingIn(const Lines& others, const Lines& lines, const std::string& label)
{
    Lines missing;
    std::ranges::copy_if(lines, std::back_inserter(missing), [&](const RecipeLine& line) {
        return line.label == label && std::ranges::find(others, line) == others.end();
    });
    return missing;
}

/// Lines that are gone and those that came are paired in their order where they are as many.
std::string changesOfLines(const Lines& before, const Lines& now)
{
    std::string text;
    std::set<std::string> labels;
    for (const Lines* lines : {&before, &now})
        for (const RecipeLine& line : *lines)
            labels.insert(line.label);
    for (const std::string& label : labels) {
        const Lines gone = missingIn(now, before, label), come = missingIn(before, now, label);
        const bool isPaired = gone.size() == come.size();
        if (isPaired && label == "Command" && !gone.empty()) {
            text += changeOfCommand(gone.front().words, come.front().words);
            continue;
        }
        for (std::size_t i = 0; i < gone.size(); ++i)
            text += changeLine(label, gone[i].words, isPaired ? come[i].words : Words());
        for (std::size_t i = isPaired ? come.size() : 0; i < come.size(); ++i)
            text += changeLine(label, {}, come[i].words);
    }
    return text;
}

std::string changesOfFiles(const Json& before, const Json& now)
{
    std::string text;
    std::set<std::string> names;
    for (const Json* files : {&before, &now})
        for (const auto& file : files->items())
            names.insert(file.key());
    for (const std::string& name : names) {
        if (before.contains(name) && now.contains(name) && before[name] == now[name])
            continue;
        const char* what = !now.contains(name)     ? "is missing"
                           : before.contains(name) ? "has another content"
                                                   : "is new";
        text += makeLabeledLine("File", {quoteWord(name), what});
    }
    return text.empty()
               ? text
               : text + "List a file that the command writes itself in benchmark.writes of the study.\n";
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
    const FileNames names = findFileNames(study, document);
    m_lines = makeRecipeLines(study, document, names);
    m_files = digestFiles(names);
    m_program = locateBareProgram(study, document);
    m_firstRun = commandOfFirstRun(study);
}

std::string ApprovalRequest::recipe() const
{
    return machine::textOf(jsonOf(m_lines));
}

std::string ApprovalRequest::text() const
{
    return machine::textOf(Json{{"recipe", jsonOf(m_lines)}, {"files", jsonOf(m_files)}});
}

bool ApprovalRequest::isApproved() const
{
    bool isApproved = !m_isNeeded;
    const std::string own = text();
    for (const Json& approval : readableStore())
        isApproved = isApproved || machine::textOf(approval) == own;
    return isApproved;
}

QString ApprovalRequest::question() const
{
    if (!m_isNeeded)
        return {};
    std::string changes;
    const Json store = readableStore();
    if (const auto last = store.find(m_document); last != store.end() && last->is_object())
        changes = changesOfLines(linesOf(*last), m_lines) +
                  changesOfFiles(last->value("files", Json::object()), jsonOf(m_files));
    std::string executed, watched;
    for (const RecipeLine& line : m_lines) {
        (line.label == "Not watched" ? watched : executed) += makeLabeledLine(line.label, line.words);
        if (line.label != "Command")
            continue;
        if (!m_firstRun.empty() && m_firstRun != line.words)
            executed += makeLabeledLine("First run", m_firstRun);
        if (!m_program.empty())
            executed += makeLabeledLine("Program", {quoteWord(m_program)});
    }
    std::string files;
    for (const auto& [name, digest] : m_files)
        files += makeLabeledLine("Watched file", {describe(name, digest)});
    watched = files + watched;
    return QString::fromStdString(
        (changes.empty() ? changes : "Changed since it was approved:\n" + changes) +
        "This study wants to run:\n" + executed +
        (watched.empty() ? "The command names no file beside the study.\n"
                         : "Quadric asks again when the content of a watched file changes:\n") +
        watched + "What a command reads or imports, data, and programs elsewhere are not watched.\n");
}

void ApprovalRequest::approve() const
{
    if (!m_isNeeded)
        return;
    const study::FileHandle lock = lockStore();
    try {
        std::optional<Json> approved = readStore();
        if (!approved)
            study::setAside(storePath(), ".unreadable");
        Json store = {{"approved", approved.value_or(Json::object())}};
        store["approved"][m_document] = {{"recipe", jsonOf(m_lines)}, {"files", jsonOf(m_files)}};
        study::replaceFile(storePath(), store.dump(1, ' ', false, Json::error_handler_t::replace));
        std::error_code ignored;
        std::filesystem::permissions(storePath(), std::filesystem::perms(S_IRUSR | S_IWUSR), ignored);
    } catch (const study::DocumentError& error) {
        failToStore(error.what());
    }
}

ApprovedStudy::ApprovedStudy(const study::Study& study, std::filesystem::path document)
    : m_study(study::withoutRuns(study))
    , m_document(std::move(document))
{
}

ApprovedStudy requireApproval(const study::Study& study, const std::filesystem::path& document,
                              const std::string& approvedNow)
{
    const ApprovalRequest request(study, document);
    if (!request.isApproved() && request.text() != approvedNow)
        throw ApprovalError(text::makeVisible(document.string()) + ": benchmark.argv is not approved. " +
                            request.question().toStdString() +
                            "Nothing was executed. To approve exactly this, run again with --approve");
    return {study, document};
}

} // namespace quadric::run
