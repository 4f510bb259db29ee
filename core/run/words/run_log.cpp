// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_log.h"

#include "core/study/file.h"

namespace quadric::run {

std::filesystem::path logFolder(const std::filesystem::path& document)
{
    std::filesystem::path path = study::resolved(document);
    path += "-logs";
    return path;
}

std::filesystem::path logPath(const std::filesystem::path& document, int runId)
{
    return logFolder(document) / ("run-" + std::to_string(runId) + ".log");
}

RunLog::RunLog(const std::filesystem::path& path)
{
    std::error_code ignored;
    std::filesystem::create_directories(path.parent_path(), ignored);
    m_file.open(path, std::ios::trunc);
}

void RunLog::write(std::string_view line)
{
    if (m_written >= kMostBytes)
        return;
    m_written += line.size() + 1;
    if (m_written >= kMostBytes)
        line = "… (log cut here: size limit reached)";
    m_file.clear(); // what could not be written before may be possible now
    m_file << line << '\n' << std::flush;
}

} // namespace quadric::run
