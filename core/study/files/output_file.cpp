// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/study/files/output_file.h"

#include "core/study/document/document.h"
#include "core/study/document/json.h"
#include "core/study/files/file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace quadric::study {

namespace {

constexpr std::string_view kStudyEnding = ".quadric";
constexpr std::string_view kVersionKey = "quadric"; ///< only studies have it at the top

struct Companion {
    std::string_view ending;
    std::string_view name;
};
constexpr auto kCompanions =
    std::to_array<Companion>({{"-journal", "the journal of a study"}, {"-events", "the events of a study"}});

bool isExport(const Json& document)
{
    const auto runs = document.find("runs");
    return runs != document.end() && runs->is_array() && !runs->empty() &&
           std::ranges::all_of(*runs,
                               [](const Json& run) { return run.is_object() && run.contains("coded"); });
}

bool isStudyFile(const std::filesystem::path& path)
{
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
        return false; // reading a pipe takes something out of it
    try {
        const auto text = readTextFileIfThere(path);
        return text && documentKindOf(*text) == DocumentKind::Study;
    } catch (const DocumentError&) {
        return false; // too large for a study, or nothing that may be read
    }
}

std::string protectedCompanion(const std::filesystem::path& path)
{
    const std::string name = path.string();
    for (const Companion& companion : kCompanions) {
        if (!name.ends_with(companion.ending))
            continue;
        const std::string document = name.substr(0, name.size() - companion.ending.size());
        if (document.ends_with(kStudyEnding) || isStudyFile(document))
            return std::string(companion.name);
    }
    return {};
}

std::string protectedAs(const std::filesystem::path& path)
{
    std::error_code error;
    if ((path.extension() == kStudyEnding && std::filesystem::exists(path, error)) || isStudyFile(path))
        return "a study";
    return protectedCompanion(path);
}

bool isOrdinaryOrNew(const std::filesystem::path& path)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

void writeInto(const std::filesystem::path& path, std::string_view text)
{
    FileHandle file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (!file.isOpen())
        failWithErrno(path, "cannot be written", errno);
    if (const int error = writeAll(file.get(), text))
        failWithErrno(path, "cannot be written", error);
    if (::close(file.release()) != 0)
        failWithErrno(path, "cannot be written", errno);
}

} // namespace

DocumentKind documentKindOf(std::string_view text)
{
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string_view::npos || text[start] != '{')
        return DocumentKind::Other;
    try {
        const Json document = parseJson(text, "");
        if (!document.contains(kVersionKey))
            return DocumentKind::Other;
        return isExport(document) ? DocumentKind::Export : DocumentKind::Study;
    } catch (const DocumentError&) {
        const bool namesVersion = text.find("\"quadric\"") != std::string_view::npos;
        return namesVersion ? DocumentKind::Study : DocumentKind::Other;
    }
}

std::string findProtected(const std::filesystem::path& path)
{
    const std::string found = protectedAs(path);
    const std::filesystem::path target = resolved(path);
    return found.empty() && target != path ? protectedAs(target) : found;
}

void writeOutput(const std::filesystem::path& path, std::string_view text)
{
    if (const std::string found = findProtected(path); !found.empty())
        throw DocumentError(path.string() + ": " + found + ", expected another file: it is not replaced");
    if (isOrdinaryOrNew(path))
        replaceFile(resolved(path), text);
    else
        writeInto(path, text);
}

} // namespace quadric::study
