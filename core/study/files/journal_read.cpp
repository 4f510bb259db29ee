// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/journal.h"

#include "core/study/document/document.h"
#include "core/study/document/document_json.h"
#include "core/study/document/json.h"
#include "core/study/files/document_state.h"
#include "core/study/files/file.h"

#include <algorithm>
#include <cerrno>

#include <unistd.h>

namespace quadric::study {

namespace {

/// The longest line that is kept: what a JSON text may be at most. Longer ones are passed over, holes in them
/// without reading.
constexpr std::size_t kLongestLine = kLargestFile;

/// Reads an open file line by line, however large it is.
class LineSource {
public:
    /// The handle must outlive it; `path` is its name in messages.
    LineSource(const FileHandle& file, std::filesystem::path path)
        : m_file(file)
        , m_path(std::move(path))
    {
    }

    struct Line {
        std::string_view text;  ///< without its end, until the next line is asked for
        std::uint64_t end = 0;  ///< offset in the file behind it
        bool isWhole = true;    ///< false: the file ends without a line end
        bool isTooLong = false; ///< what is longer than allowed; there is no text then
    };
    /// Empty at the end of the file. Throws DocumentError where it cannot be read.
    std::optional<Line> next();

private:
    bool readMore();
    /// Where the buffer has been taken to its end: reading goes on behind the hole that is next.
    void skipFileHole();

    const FileHandle& m_file;
    std::filesystem::path m_path;
    std::string m_buffer;
    std::size_t m_start = 0;    ///< of the next line in the buffer
    std::uint64_t m_offset = 0; ///< of that line in the file
};

constexpr std::size_t kPieceBytes = std::size_t{1} << 18;

bool LineSource::readMore()
{
    m_buffer.erase(0, m_start);
    m_start = 0;
    const std::size_t filled = m_buffer.size();
    m_buffer.resize(filled + kPieceBytes);
    ssize_t count = -1;
    do {
        count = ::read(m_file.get(), m_buffer.data() + filled, kPieceBytes);
    } while (count < 0 && errno == EINTR);
    const int error = errno;
    m_buffer.resize(filled + (count > 0 ? static_cast<std::size_t>(count) : 0));
    if (count < 0)
        failWithErrno(m_path, "cannot be read", error);
    return count > 0;
}

/// A hole in a file is zeros, and no line ends in it.
void LineSource::skipFileHole()
{
    const off_t here = ::lseek(m_file.get(), 0, SEEK_CUR);
    off_t data = ::lseek(m_file.get(), here, SEEK_DATA);
    if (data < 0 && errno == ENXIO)
        data = ::lseek(m_file.get(), 0, SEEK_END);
    if (data > here)
        m_offset += static_cast<std::uint64_t>(data - here);
}

std::optional<LineSource::Line> LineSource::next()
{
    bool isTooLong = false;
    std::size_t searched = 0; ///< so much of the line has no end
    std::size_t end = m_buffer.find('\n', m_start);
    while (end == std::string::npos) {
        searched = m_buffer.size() - m_start;
        if (searched > kLongestLine) {
            isTooLong = true;
            m_offset += searched;
            m_start += searched;
            searched = 0;
            skipFileHole();
        }
        if (!readMore())
            break;
        end = m_buffer.find('\n', m_start + searched);
    }
    const bool isWhole = end != std::string::npos;
    const std::size_t length = (isWhole ? end : m_buffer.size()) - m_start;
    if (!isWhole && length == 0 && !isTooLong)
        return std::nullopt;
    isTooLong = isTooLong || length > kLongestLine;
    Line line;
    line.isWhole = isWhole;
    line.isTooLong = isTooLong;
    if (!isTooLong)
        line.text = std::string_view(m_buffer).substr(m_start, length);
    const std::size_t taken = length + (isWhole ? 1 : 0);
    m_start += taken;
    m_offset += taken;
    line.end = m_offset;
    return line;
}

constexpr std::size_t kMostBrokenNamed = 3;
constexpr std::size_t kLongestReason = 200;

/// A run, or a line that says to which study the records belong, or who executes it.
void takeLine(std::string_view line, const std::string& name, JournalContents& contents)
{
    const Json json = parseJson(line, name);
    ReadContext context{name, {}};
    const JsonReader reader(json, {}, context);
    if (json.contains("runner"))
        return;
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
JournalContents parseJournal(const FileHandle& file, const std::filesystem::path& path)
{
    JournalContents contents;
    LineSource lines(file, path);
    std::string torn; ///< why the line before this one cannot be read
    std::uint64_t number = 0;
    for (auto line = lines.next(); line; line = lines.next()) {
        if (!torn.empty())
            noteBroken(number, torn, contents);
        ++number;
        torn = line->isWhole ? whyBroken(*line, path.string() + ": line " + std::to_string(number), contents)
                             : "incomplete";
        if (torn.empty())
            contents.validBytes = line->end;
    }
    contents.tornLine = !torn.empty();
    return contents;
}

JournalContents readJournal(const std::filesystem::path& document)
{
    const std::filesystem::path path = journalPath(document);
    const FileHandle file = openCompanion(path, CompanionUse::Read);
    return file.isOpen() ? parseJournal(file, path) : JournalContents{};
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
