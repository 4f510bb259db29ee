// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal_read.h"

#include "core/study/document/document_read.h"
#include "core/study/files/companion_file.h"
#include "core/study/files/line_source.h"
#include "core/study/files/study_identity.h"

#include <algorithm>

namespace quadric::study {
namespace {

constexpr std::size_t kMostBrokenNamed = 3;
constexpr std::size_t kLongestReason = 200;

/// A run, or the line that says to which study the records belong.
void takeLine(std::string_view line, const std::string& name, JournalContents& contents)
{
    const Json json = parseJson(line, name);
    ReadContext context{name, {}};
    const JsonReader reader(json, {}, context);
    ObjectReader object(reader);
    if (!json.contains("journal_of")) {
        contents.runs.push_back(readRun(reader));
        return;
    }
    JournalOwner owner{object.text("journal_of"), object.text("name")};
    if (std::ranges::find(contents.owners, owner) == contents.owners.end())
        contents.owners.push_back(std::move(owner));
}

std::string whyBroken(const LineSource::Line& line, const std::string& name, JournalContents& contents)
{
    if (line.isTooLong)
        return "longer than " + std::to_string(kLongestLine) + " bytes";
    try {
        takeLine(line.text, name, contents);
        return {};
    } catch (const DocumentError& error) {
        const std::string why = error.what();
        return why.starts_with(name + ": ") ? why.substr(name.size() + 2, kLongestReason) : why;
    }
}

void noteBroken(std::uint64_t number, const std::string& why, JournalContents& contents)
{
    if (contents.broken.size() < kMostBrokenNamed)
        contents.broken.push_back({number, why});
    ++contents.brokenLines;
}

/// What the study has under the number of the record is something else.
std::string describeMismatch(const Run& record, const Run* run, const Run* baseline)
{
    const std::string name = "run " + std::to_string(record.id);
    if (record.kind == RunKind::Baseline)
        return run ? "its " + name + " is a baseline, and the study's is none" : std::string();
    if (baseline)
        return "its " + name + " is no baseline, and the study's is one";
    if (run && run->settings != record.settings)
        return "its " + name + " has other settings than the study's";
    if (run && run->kind != record.kind)
        return "its " + name + " is of kind " + std::string(nameOf(record.kind)) + ", the study's of kind " +
               std::string(nameOf(run->kind));
    return {};
}

/// Without a word about its study, a record must have a value for each of the factors.
std::string describeUnknown(const Run& record, const Study& study)
{
    for (const Factor& factor : study.factors) {
        if (!record.settings.contains(factor.name))
            return "its run " + std::to_string(record.id) + " has no value for " + factor.name;
    }
    return {};
}

std::string describeForeignRecord(const JournalContents& journal, const Study& study)
{
    std::map<int, const Run*> runs, baselines;
    for (const Run& run : study.runs)
        runs.emplace(run.id, &run);
    for (const Run& run : study.baselines)
        baselines.emplace(run.id, &run);
    const auto find = [](const auto& known, int id) {
        const auto found = known.find(id);
        return found == known.end() ? nullptr : found->second;
    };
    for (const Run& record : journal.runs) {
        const Run* run = find(runs, record.id);
        std::string why = describeMismatch(record, run, find(baselines, record.id));
        if (why.empty() && !run && record.kind != RunKind::Baseline && journal.owners.empty())
            why = describeUnknown(record, study);
        if (!why.empty())
            return why;
    }
    return {};
}

} // namespace

/// A last line without its line break, or one that cannot be read, is what a killed writer leaves behind.
ParsedJournal parseJournal(const FileHandle& file, const std::filesystem::path& path)
{
    ParsedJournal parsed;
    LineSource lines(file, path);
    std::string torn; ///< why the line before this one cannot be read
    std::uint64_t number = 0;
    for (auto line = lines.next(); line; line = lines.next()) {
        if (!torn.empty())
            noteBroken(number, torn, parsed.contents);
        ++number;
        torn = line->isWhole
                   ? whyBroken(*line, path.string() + ": line " + std::to_string(number), parsed.contents)
                   : "incomplete";
        if (torn.empty())
            parsed.validBytes = line->end;
    }
    parsed.contents.tornLine = !torn.empty();
    return parsed;
}

JournalContents readJournal(const std::filesystem::path& document)
{
    const std::filesystem::path path = journalPath(document);
    const FileHandle file = openCompanion(path, CompanionUse::Read);
    return file.isOpen() ? parseJournal(file, path).contents : JournalContents{};
}

std::string findForeign(const JournalContents& journal, const Study& study, const std::filesystem::path& file)
{
    std::string why;
    const std::string identity = computeIdentity(study);
    for (const JournalOwner& owner : journal.owners) {
        if (owner.identity != identity)
            why = "it belongs to another study, \"" + owner.name + "\"";
    }
    if (why.empty())
        why = describeForeignRecord(journal, study);
    return why.empty()
               ? why
               : file.string() + ": these records are not of the study \"" + study.name + "\": " + why +
                     "; none of them is used. Put the study back as it was, or move this file "
                     "away";
}

std::string brokenInWords(const JournalContents& journal, const std::filesystem::path& file)
{
    if (journal.broken.empty())
        return {};
    std::string text = file.string() + ": left out because it cannot be read: ";
    const char* separator = "";
    for (const BrokenLine& line : journal.broken) {
        text += separator + ("line " + std::to_string(line.number) + " (" + line.why + ")");
        separator = ", ";
    }
    const std::size_t more = journal.brokenLines - journal.broken.size();
    return more == 0 ? text : text + " and " + std::to_string(more) + " more";
}

} // namespace quadric::study
