// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/study_output.h"

namespace quadric::app {

/// "batch_per_rank=64, image_size=32": the batch of a baseline, and what else of the factors one rank depends
/// on.
std::string baselineText(const study::Study& study, const study::Run& baseline);

/// "2 done, 1 pending"; empty without baselines.
std::string baselineCounts(const study::Study& study);

/// Number, status and settings of each, and why one has failed.
Json baselinesJson(const study::Study& study);

} // namespace quadric::app
