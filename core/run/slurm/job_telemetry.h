// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/node_record.h"
#include "core/run/slurm/job_folder.h"
#include "core/run/words/line_reader.h"

#include <map>

namespace quadric::run {

/// What quadric-watch writes on each node of a job (app/watch), read while it grows.
class JobTelemetry {
public:
    explicit JobTelemetry(JobFolder folder);

    /// Where the nodes write.
    static std::filesystem::path folderIn(const std::filesystem::path& folder)
    {
        return folder / "telemetry";
    }

    /// The samples that have come since the last time, the fields of a telemetry event with the `node` each.
    std::vector<std::string> readMore();

    /// What was found on all nodes so far.
    machine::Findings findings() const;

private:
    struct Node {
        FileTail file;
        LineReader lines;
    };

    JobFolder m_job;
    std::filesystem::path m_folder;
    std::map<std::string, Node> m_nodes; ///< by name
};

} // namespace quadric::run
