// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::app {

/// Adds runs to the study's file, with what a runner left in the journal folded in; their ids.
std::vector<int> addRunsToFile(const std::string& path, const std::vector<study::Settings>& settings,
                               study::RunKind kind);

} // namespace quadric::app
