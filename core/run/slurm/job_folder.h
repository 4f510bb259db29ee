// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/slurm/job_status.h"

#include <QByteArray>

#include <cstdint>
#include <filesystem>

namespace quadric::run {

/// The folder that a job and Quadric share: script, output, and the file that the job writes when it ends.
class JobFolder {
public:
    /// `name` is the name of the job. The folder lies beside the study's logs; nothing is made yet.
    JobFolder(const std::filesystem::path& document, const std::string& name);

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path script() const { return m_path / "job.sh"; }

    /// Makes the folder and writes the script. Throws DocumentError.
    void write(const std::string& text) const;

    /// The job that executes the run, as it says itself; empty before it has started.
    std::string claim() const;

    /// What the job wrote when it ended; empty before.
    std::optional<JobEnd> end() const;

    /// The job has ended its program because that printed more than it may.
    bool tooMuch() const;

private:
    std::filesystem::path m_path;
};

/// Reads a file while another process, perhaps on another machine, writes it.
class FileTail {
public:
    explicit FileTail(std::filesystem::path file)
        : m_file(std::move(file))
    {
    }

    /// What has come since the last time. Of more than kMostBytes the beginning is left out. A file that has
    /// become shorter was started afresh and is read from its start.
    QByteArray readMore();

    static constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 20;

private:
    std::filesystem::path m_file;
    std::uintmax_t m_read = 0;
};

} // namespace quadric::run
