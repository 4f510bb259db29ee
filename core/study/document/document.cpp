// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/document/document.h"

#include "core/study/document/document_json.h"
#include "core/study/files/journal.h"
#include "core/study/run_records.h"

#include <algorithm>
#include <cerrno>
#include <limits>

namespace quadric::study {

namespace {

constexpr int kReadAttempts = 20;
constexpr int kEditAttempts = 5;

void checkVersion(ObjectReader& document)
{
    const auto version = document.find("quadric");
    if (!version)
        throw DocumentError(document.reader().context().name +
                            ": quadric: missing, expected \"quadric\": 1 as in every study file");
    const auto number = version->integer(1, std::numeric_limits<int>::max());
    if (number > kFormatVersion)
        throw DocumentError(document.reader().context().name + ": quadric: the file has format " +
                            std::to_string(number) + " of a newer Quadric, this one reads formats up to " +
                            std::to_string(kFormatVersion) + "; open it with a newer version");
}

LoadedStudy readText(std::string_view text, const std::string& name)
{
    const Json json = parseJson(text, name);
    ReadContext context{name, {}};
    ObjectReader document{JsonReader(json, {}, context)};
    checkVersion(document);
    LoadedStudy loaded;
    loaded.study = readStudy(document);
    loaded.warnings = std::move(context.warnings);
    return loaded;
}

std::string readDocument(const std::filesystem::path& path)
{
    std::optional<std::string> text = readDocumentIfThere(path);
    if (!text)
        failWithErrno(path, "cannot be read", ENOENT);
    return std::move(*text);
}

/// Turns the errors of validate() into an exception and the rest into warnings.
void judge(LoadedStudy& loaded, const std::string& name)
{
    for (const Problem& problem : validate(loaded.study)) {
        const std::string text = name + ": " + problem.where + ": " + problem.message;
        if (problem.isError)
            throw DocumentError(text);
        loaded.warnings.push_back(text);
    }
}

/// Why the study with these records could not be used; empty: it can, or could not be without them either.
std::string findHarm(const Study& with, const Study& without, const std::filesystem::path& journal)
{
    const auto firstError = [](const Study& study) {
        const std::vector<Problem> problems = validate(study);
        const auto error = std::ranges::find_if(problems, &Problem::isError);
        return error == problems.end() ? std::string() : error->where + ": " + error->message;
    };
    const std::string error = firstError(with);
    if (error.empty() || !firstError(without).empty())
        return {};
    return journal.string() + ": with these records the study cannot be used, and none of them is: " + error +
           ". Move this file away";
}

void takeJournal(const JournalContents& journal, const std::filesystem::path& document, LoadedStudy& loaded)
{
    const std::filesystem::path file = journalPath(document);
    loaded.refusedJournal = findForeign(journal, loaded.study, file);
    if (loaded.refusedJournal.empty() && !journal.runs.empty()) {
        Study with = loaded.study;
        applyJournal(journal, with);
        loaded.refusedJournal = findHarm(with, loaded.study, file);
        if (loaded.refusedJournal.empty())
            loaded.study = std::move(with);
    }
    const bool isTaken = loaded.refusedJournal.empty();
    loaded.journalRecords = isTaken ? static_cast<int>(journal.runs.size()) : 0;
    loaded.isJournalBroken = journal.brokenLines > 0;
    if (!isTaken)
        loaded.warnings.push_back(loaded.refusedJournal);
    if (loaded.isJournalBroken)
        loaded.warnings.push_back(brokenInWords(journal, file));
    if (journal.tornLine)
        loaded.warnings.push_back(file.string() + ": the last line is incomplete and was dropped");
    if (const auto recovered = recoveredPath(document); isThere(recovered))
        loaded.warnings.push_back(recovered.string() + ": a runner could not put all results into " +
                                  document.filename().string() +
                                  " and has left them here. Open this file, take what is missing, and move "
                                  "it away");
}

void requireSound(const Study& study, const std::filesystem::path& path)
{
    for (const Problem& problem : validate(study)) {
        if (problem.isError)
            throw DocumentError(path.string() + ": not saved: " + problem.where + ": " + problem.message);
    }
}

DocumentState saveText(const std::string& text, const std::filesystem::path& path,
                       const std::optional<DocumentState>& expected)
{
    if (text.size() > kLargestFile)
        throw DocumentError(path.string() + ": not saved: the study would take " +
                            std::to_string(text.size()) + " bytes, expected at most " +
                            std::to_string(kLargestFile));
    const SaveLock lock(path);
    const FileIdentity written = replaceFile(path, text, [&] {
        if (expected && !hasSameContent(readState(path), *expected))
            throw DocumentChanged(path.string() + ": not saved: another program has changed the file");
    });
    return makeState(written, text);
}

} // namespace

LoadedStudy parseStudy(std::string_view text, const std::string& name)
{
    LoadedStudy loaded = readText(text, name);
    judge(loaded, name);
    return loaded;
}

LoadedStudy loadWithoutJournal(const std::filesystem::path& path)
{
    const FileIdentity before = identityOf(path);
    const std::string text = readDocument(path);
    LoadedStudy loaded = parseStudy(text, path.string());
    loaded.state = makeState(before, text);
    return loaded;
}

LoadedStudy loadStudy(const std::filesystem::path& path)
{
    const std::string name = path.string();
    for (int attempt = 1;; ++attempt) {
        const FileIdentity before = identityOf(path);
        const std::string text = readDocument(path);
        const JournalContents journal = readJournal(path);
        // A runner that folds its journal between the two reads has replaced the document: read both again.
        if (identityOf(path) != before && attempt < kReadAttempts)
            continue;
        LoadedStudy loaded = readText(text, name);
        loaded.state = makeState(before, text);
        takeJournal(journal, path, loaded);
        judge(loaded, name);
        return loaded;
    }
}

DocumentState saveStudy(const Study& study, const std::filesystem::path& path,
                        const std::optional<DocumentState>& expected)
{
    requireSound(study, path);
    return saveText(writeStudy(study), path, expected);
}

void saveNewStudy(const Study& study, const std::filesystem::path& path)
{
    saveStudy(study, path, DocumentState{});
    for (const char* ending : {"-logs", "-events"}) {
        const std::filesystem::path left = path.string() + ending;
        if (isThere(left))
            setAside(left, ".former");
    }
}

Study editStudy(const std::filesystem::path& path, const std::function<Study(Study)>& edit)
{
    for (int attempt = 1;; ++attempt) {
        foldJournal(path);
        LoadedStudy loaded = loadStudy(path);
        if (!loaded.refusedJournal.empty())
            throw DocumentError(loaded.refusedJournal);
        if (!lockOwner(path))
            resetRunningRuns(loaded.study);
        Study study = edit(std::move(loaded.study));
        try {
            saveStudy(study, path, loaded.state);
            return study;
        } catch (const DocumentChanged&) {
            if (attempt == kEditAttempts)
                throw;
        }
    }
}

} // namespace quadric::study
