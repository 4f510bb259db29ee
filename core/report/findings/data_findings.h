// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/finding.h"
#include "core/study/study.h"

namespace quadric::report {

/// What is suspicious about results from elsewhere:
/// - replicates that are copies (model::findCopies());
/// - a response whose largest or smallest value is a round number that several runs at different settings
///   share (clamped);
/// - settings outside a factor's range (axial runs of a central composite design excepted);
/// - runs without results.
std::vector<Finding> findInData(const study::Study& study);

} // namespace quadric::report
