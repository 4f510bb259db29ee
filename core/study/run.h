// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/factor.h"

#include <optional>

namespace quadric::study {

enum class RunKind { Design, Center, Axial, Baseline, Confirmation, Augment };
enum class RunStatus { Pending, Running, Done, Failed, Excluded };
enum class Source { Unknown, Measured, Simulated, Imported, Typed };

/// Why a run failed: a short kind ("out-of-memory", "timeout", "crash", "bad-output", "cancelled", …) and a
/// sentence.
struct Failure {
    std::string kind = {};
    std::string message = {};
    UnknownKeys unknown = {};
    bool operator==(const Failure&) const = default;
};

/// Where a result comes from. `details` holds everything else that is known (device, versions, command, log),
/// as JSON text per key.
struct Provenance {
    Source source = Source::Unknown;
    UnknownKeys details = {};
    bool operator==(const Provenance&) const = default;
};

/// One execution of one setting. Settings and results live in the same object and are never joined by
/// position or number.
struct Run {
    int id = 0;    ///< standard order, unique in the study
    int order = 0; ///< run order, unique in the study
    int block = 1;
    RunKind kind = RunKind::Design;
    Settings settings = {};
    RunStatus status = RunStatus::Pending;
    std::optional<Failure> failure = {}; ///< RunStatus::Failed only
    std::string reason = {};             ///< RunStatus::Excluded only
    std::map<std::string, double, std::less<>> results = {};
    std::map<std::string, double, std::less<>> spread = {};
    Provenance provenance = {};
    UnknownKeys unknown = {};

    bool operator==(const Run&) const = default;
};

} // namespace quadric::study
