// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/provenance.h"

namespace quadric::study {

enum class RunKind { Design, Center, Axial, Baseline, Confirmation, Augment };
enum class RunStatus { Pending, Running, Done, Failed, Excluded };

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
