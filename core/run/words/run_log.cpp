// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_log.h"

#include "core/study/document/document.h"
#include "core/study/files/companion_file.h"

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
    try {
        m_file = study::openCompanion(path, study::CompanionUse::CreateAnew, path.parent_path());
    } catch (const study::DocumentError&) {
        return; // without a log
    }
}

void RunLog::write(std::string_view line)
{
    if (m_written >= kMostBytes)
        return;
    m_written += line.size() + 1;
    if (m_written >= kMostBytes)
        line = "… (log cut here: size limit reached)";
    // What could not be written before may be possible now.
    [[maybe_unused]] const int ignored = study::writeAll(m_file.get(), std::string(line) + '\n');
}

} // namespace quadric::run
