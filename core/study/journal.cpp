// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/journal.h"

#include "core/study/document_read.h"
#include "core/study/file.h"
#include "core/study/run_records.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace quadric::study {
namespace {

struct ParsedJournal {
    JournalContents contents;
    std::size_t validBytes = 0; ///< up to here every line is whole
};

Run parseRecord(std::string_view line, const std::string& name)
{
    const Json json = parseJson(line, name);
    ReadContext context{name, {}};
    return readRun(JsonReader(json, {}, context));
}

/// A last line without its line break, or one that cannot be read, is what a killed writer leaves behind.
ParsedJournal parseJournal(std::string_view text, const std::string& name)
{
    ParsedJournal parsed;
    for (int line = 1; parsed.validBytes < text.size(); ++line) {
        const std::size_t end = text.find('\n', parsed.validBytes);
        if (end == std::string_view::npos) {
            parsed.contents.tornLine = true;
            return parsed;
        }
        const std::string_view record = text.substr(parsed.validBytes, end - parsed.validBytes);
        try {
            parsed.contents.runs.push_back(parseRecord(record, name + ": line " + std::to_string(line)));
        } catch (const DocumentError&) {
            if (end + 1 < text.size())
                throw;
            parsed.contents.tornLine = true;
            return parsed;
        }
        parsed.validBytes = end + 1;
    }
    return parsed;
}

/// Empty when there is no journal.
ParsedJournal parseJournalFile(const std::filesystem::path& path)
{
    const std::optional<std::string> text = readTextFileIfThere(path);
    return text ? parseJournal(*text, path.string()) : ParsedJournal{};
}

std::filesystem::path besideDocument(const std::filesystem::path& document, const char* suffix)
{
    std::filesystem::path path = resolved(document);
    path += suffix;
    return path;
}

} // namespace

std::filesystem::path journalPath(const std::filesystem::path& document)
{
    return besideDocument(document, "-journal");
}

JournalWriter::JournalWriter(const std::filesystem::path& document)
    : m_path(journalPath(document))
{
    const std::size_t valid = parseJournalFile(m_path).validBytes;
    FileHandle file(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, kNewFileMode));
    if (!file.isOpen())
        failWithErrno(m_path, "cannot be written", errno);
    if (::ftruncate(file.get(), static_cast<off_t>(valid)) != 0 || ::fsync(file.get()) != 0)
        failWithErrno(m_path, "cannot be written", errno);
    syncFolderOf(m_path);
    m_file = file.release();
}

JournalWriter::~JournalWriter()
{
    ::close(m_file);
}

void JournalWriter::append(const Run& run)
{
    const std::string line = writeRun(run) + "\n";
    const off_t before = ::lseek(m_file, 0, SEEK_END);
    int error = writeAll(m_file, line);
    if (error == 0 && ::fdatasync(m_file) != 0)
        error = errno;
    if (error == 0)
        return;
    // Half a line (a full disk) must not stand in the way of the next one.
    [[maybe_unused]] const int ignored = ::ftruncate(m_file, before);
    failWithErrno(m_path, "run " + std::to_string(run.id) + " cannot be written", error);
}

void JournalWriter::reserve(std::size_t bytes)
{
    const off_t end = ::lseek(m_file, 0, SEEK_END);
    if (::fallocate(m_file, FALLOC_FL_KEEP_SIZE, end, static_cast<off_t>(bytes)) == 0)
        return;
    if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
        failWithErrno(m_path, "there is no room for the results of a run", errno);
}

JournalContents readJournal(const std::filesystem::path& document)
{
    return parseJournalFile(journalPath(document)).contents;
}

void applyJournal(const JournalContents& journal, Study& study)
{
    for (const Run& record : journal.runs)
        putRun(study, record);
}

void foldJournal(const std::filesystem::path& document)
{
    const std::filesystem::path journal = journalPath(document);
    if (identityOf(journal) == FileIdentity{})
        return;
    saveStudy(loadStudy(document).study, document);
    if (::unlink(journal.c_str()) != 0)
        failWithErrno(journal, "cannot be removed", errno);
    syncFolderOf(journal);
}

std::filesystem::path lockPath(const std::filesystem::path& document)
{
    return besideDocument(document, "-lock");
}

} // namespace quadric::study
