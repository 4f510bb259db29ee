// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/slurm/job_status.h"
#include "core/run/words/file_tail.h"
#include "core/study/study.h"

namespace quadric::run {

/// The folder that a job and Quadric share: script, output, and the file that the job writes when it ends.
class JobFolder {
public:
    /// `name` is the name of the job. The folder lies beside the study's logs; nothing is made yet.
    JobFolder(const std::filesystem::path& document, const std::string& name);

    const std::filesystem::path& path() const { return m_path; }
    std::filesystem::path script() const { return m_path / "job.sh"; }

    /// A file of the job, read while it grows. Of very much that has come at once the beginning is left out.
    FileTail tailOf(const std::filesystem::path& file) const;

    /// Makes the folder and writes the script, anew: what is submitted is never what somebody else has put
    /// there. Throws DocumentError, also where the job would write through what is there.
    void write(const std::string& text) const;

    /// The job that executes the run, as it says itself; empty before it has started.
    std::string claim() const;

    /// What the job wrote when it ended; empty before.
    std::optional<JobEnd> end() const;

    /// Which line of the setup, from 1, the job was executing when it was last heard of; 0: none yet. Nothing
    /// before the setup and when all of it is done.
    std::optional<int> setupStep() const;

    /// What the setup has written on standard error.
    std::string setupErrors() const;

    /// Why ranks failed, as each of them has left it in failure-RANK.json; the lowest rank first.
    std::vector<study::Failure> rankFailures() const;

    /// The job has ended its program because that printed more than it may.
    bool tooMuch() const;

private:
    void refuseImpostors() const;
    std::string noteIn(const char* name) const;

    std::filesystem::path m_logs, m_path;
};

} // namespace quadric::run
