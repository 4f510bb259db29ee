// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QTemporaryDir>

#include <filesystem>
#include <vector>

namespace quadric::test {

/// A study on disk whose runs are executed by the fake worker.
class StudyFixture {
public:
    /// One pending run per entry: what its worker does.
    explicit StudyFixture(const std::vector<std::string>& behaviors);

    const std::filesystem::path& path() const { return m_path; }
    study::Study& study() { return m_study; }

    /// Writes the study as it is in memory.
    void save() const;

    /// The study as it is on disk, journal applied.
    study::Study load() const;

private:
    QTemporaryDir m_folder;
    std::filesystem::path m_path;
    study::Study m_study;
};

/// The speed that the fake worker measures for the settings of a run.
double trueSpeed(const study::Run& run);

/// Processes with this text in their environment.
std::vector<int> processesWith(const std::string& token);

} // namespace quadric::test
