// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/record.h"

#include <filesystem>
#include <string>
#include <vector>

namespace quadric::run {

/// One step that a worker has told.
struct StepSample {
    double seconds = 0.0; ///< since the run was started
    double stepMs = 0.0;
    double items = 0.0; ///< that were worked on in it; 0: not told
};

/// A value of a response that a program has printed while it ran.
struct ResponseSample {
    double seconds = 0.0; ///< since the run was started
    std::string response = {};
    double value = 0.0;
};

/// What was sampled while a run executed, oldest first.
struct RunSamples {
    std::vector<StepSample> steps;
    std::string unit; ///< what an item of a step is ("img"); empty: not told
    std::vector<machine::Reading> machine;
    std::vector<ResponseSample> responses = {};

    bool isEmpty() const { return steps.empty() && machine.empty() && responses.empty(); }
};

/// The file of a run's samples, beside its log: JSON objects, one a line (docs/worker-protocol.md).
std::filesystem::path samplesPath(const std::filesystem::path& document, int runId);

/// A line of that file.
std::string writeResponseSample(const ResponseSample& sample);

/// Takes a line of that file in; one that is none of ours changes nothing.
void addSample(RunSamples& samples, std::string_view line);

} // namespace quadric::run
