// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/base/output_option.h"

#include "core/exchange/table/file_kind.h"
#include "core/study/files/file.h"
#include "core/study/files/output_file.h"

#include <filesystem>

#include <sys/stat.h>
#include <unistd.h>

namespace quadric::app {

namespace {

/// What cannot be read is of no kind.
bool isFileOfKind(const std::string& path, std::string_view ending)
{
    try {
        return exchange::isOfKind(study::readTextFile(path), ending);
    } catch (const study::DocumentError&) {
        return false;
    }
}

} // namespace

Option addOutputOption(Command& command, OutputOption& option, const std::string& help)
{
    Option output = command.option("-o,--output", option.path, Kind::file(), "FILE", help);
    command.flag("--force", option.force, "Replace a file of another kind; a study is never replaced");
    return output;
}

void requireReplaceable(const std::string& option, const std::string& path, std::string_view ending,
                        bool force)
{
    if (const std::string found = study::findProtected(path); !found.empty())
        throw UsageError(option + ": " + path + " is " + found +
                         ", expected another file: no output replaces it");
    std::error_code error;
    if (force || !std::filesystem::is_regular_file(path, error) || isFileOfKind(path, ending))
        return;
    throw UsageError(
        option + ": " + path + " is there already, and is not a ." + std::string(ending) +
        " file that Quadric could have written; expected another name, or --force to replace it");
}

void writeOutputFile(const std::string& path, std::string_view text)
{
    try {
        study::writeOutput(path, text);
    } catch (const study::DocumentError& error) {
        throw WorkError(error.what());
    }
}

bool isStandardOutput(const std::string& path)
{
    struct stat file = {};
    struct stat output = {};
    if (path == "-")
        return true;
    return ::stat(path.c_str(), &file) == 0 && ::fstat(STDOUT_FILENO, &output) == 0 &&
           file.st_dev == output.st_dev && file.st_ino == output.st_ino;
}

} // namespace quadric::app
