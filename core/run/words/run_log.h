// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/files/file.h"

#include <filesystem>
#include <string_view>

namespace quadric::run {

/// The folder of the logs, beside the document.
std::filesystem::path logFolder(const std::filesystem::path& document);
std::filesystem::path logPath(const std::filesystem::path& document, int runId);

/// What a worker printed in one run, except the events of the protocol. A new file for each attempt, whatever
/// had its name; stops growing at a size limit. A log that cannot be written is not worth a run: problems are
/// ignored.
class RunLog {
public:
    static constexpr std::size_t kMostBytes = std::size_t{4} << 20;

    explicit RunLog(const std::filesystem::path& path);
    void write(std::string_view line);

private:
    study::FileHandle m_file;
    std::size_t m_written = 0;
};

} // namespace quadric::run
