// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/words/run_samples.h"

namespace quadric::run {

/// A run beside the one whose charts are shown.
struct ComparedRun {
    int run = 0;
    RunSamples samples;
};

/// Lines of more runs in a chart cannot be told apart.
inline constexpr std::size_t kMostComparedRuns = 3;

} // namespace quadric::run
