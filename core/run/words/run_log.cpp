// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/words/run_log.h"

#include "core/study/document/document.h"
#include "core/study/files/companion_file.h"
#include "core/text/numbers.h"

#include <algorithm>

namespace quadric::run {

namespace {

constexpr std::size_t kHeadCost = std::size_t{1} << 20;
constexpr std::size_t kLeastTailCost = std::size_t{1} << 20;
constexpr std::size_t kMarkBytes = 200; ///< room for the line between head and tail

/// Of a line of this length with its end.
std::size_t costOf(std::size_t bytes)
{
    return std::max(bytes, RunLog::kMostBytes / RunLog::kMostLines);
}

} // namespace

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

RunLog::RunLog(std::filesystem::path path)
    : m_path(std::move(path))
{
    writeAnew();
}

void RunLog::write(std::string_view line)
{
    const std::string text = std::string(line) + '\n';
    const std::size_t cost = costOf(text.size());
    const bool isHead = m_tail.empty() && m_headCost + cost <= kHeadCost;
    (isHead ? m_head : m_tail) += text;
    (isHead ? m_headCost : m_tailCost) += cost;
    if (m_headCost + m_tailCost + kMarkBytes > kMostBytes)
        return shorten();
    // What could not be written before may be possible now.
    [[maybe_unused]] const int ignored = study::writeAll(m_file.get(), text);
}

/// Drops the oldest lines of the tail.
void RunLog::shorten()
{
    std::size_t dropped = 0;
    while (m_tailCost > kLeastTailCost) {
        const std::size_t next = m_tail.find('\n', dropped) + 1;
        m_tailCost -= costOf(next - dropped);
        dropped = next;
        ++m_missingLines;
    }
    m_missingBytes += dropped;
    m_tail.erase(0, dropped);
    writeAnew();
}

void RunLog::writeAnew()
{
    constexpr double kBytesPerMib = 1024.0 * 1024.0;
    try {
        m_file = study::openCompanion(m_path, study::CompanionUse::CreateAnew, m_path.parent_path());
    } catch (const study::DocumentError&) {
        m_file = study::FileHandle(); // without a log
    }
    const std::string mark =
        m_missingLines == 0
            ? std::string()
            : "… " + text::formatCount(static_cast<std::int64_t>(m_missingLines), "line") + " (" +
                  text::formatNumber(static_cast<double>(m_missingBytes) / kBytesPerMib, 0.1) +
                  " MiB) are missing here: of a long log the beginning and the end are kept …\n";
    [[maybe_unused]] const int ignored = study::writeAll(m_file.get(), m_head + mark + m_tail);
}

} // namespace quadric::run
