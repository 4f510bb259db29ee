// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/run.h"

#include <string>

namespace quadric::run {

/// What one execution of a study's command gave.
struct TrialReport {
    study::Run run;     ///< done with its results, or failed with the reason
    std::string output; ///< what the program printed, except events of the worker protocol; the end of it
    std::string standardOutput = {}, standardError = {}; ///< where patterns are looked for
};

} // namespace quadric::run
