// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/file.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace quadric::run {

/// The folder of the logs, beside the document.
std::filesystem::path logFolder(const std::filesystem::path& document);
std::filesystem::path logPath(const std::filesystem::path& document, int runId);

/// What a worker printed in one run, except the events of the protocol. A new file for each attempt, whatever
/// had its name. Of a long log the first MiB and at least the last are kept, with a line between that says
/// how much is missing; the file is made anew for that, so that its readers notice. A log that cannot be
/// written is not worth a run: problems are ignored.
class RunLog {
public:
    static constexpr std::size_t kMostBytes = std::size_t{4} << 20;
    /// Short lines count more than their bytes, so that whoever shows a log has no more lines than this.
    static constexpr std::size_t kMostLines = kMostBytes / 20;

    explicit RunLog(std::filesystem::path path);
    void write(std::string_view line);

private:
    void shorten();
    void writeAnew();

    std::filesystem::path m_path;
    study::FileHandle m_file;
    std::string m_head, m_tail; ///< whole lines; the tail begins where the head is full
    std::size_t m_headCost = 0, m_tailCost = 0;
    std::size_t m_missingLines = 0, m_missingBytes = 0; ///< between head and tail
};

} // namespace quadric::run
