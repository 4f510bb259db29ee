// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/runner/runner.h"
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

/// Executes the study in this process until it ends.
run::RunnerSummary execute(const std::filesystem::path& path, const run::RunnerOptions& options = {});

/// Runners that are started from here on are `runner_process`, their workers `fake_worker`.
void useFakePrograms();

/// Fake workers that are "slow", and are started while this is there, work until they are let go: a test has
/// the time that it needs for what it does meanwhile.
class WorkerHold {
public:
    WorkerHold();
    ~WorkerHold();
    void letGo() const;

private:
    QTemporaryDir m_folder;
};

study::Factor wholeNumber(const std::string& name, double low, double high);

/// The speed that the fake worker measures for the settings of a run.
double trueSpeed(const study::Run& run);

/// Why a run failed: the kind, "none" where it did not.
std::string failureKind(const study::Study& study, int id);

/// The text of a file, empty where it cannot be read.
QString textOf(const std::filesystem::path& path);

/// Whatever the test function starts from here on has a word of this function in its environment, which is
/// returned.
QByteArray markProcesses();

/// Processes with this text in their environment.
std::vector<int> processesWith(const std::string& token);

} // namespace quadric::test
