// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>

namespace quadric::run {

/// The factor that says how many ranks or GPUs a run has; null without one.
const study::Factor* boundToRanks(const study::Study& study);

/// How many ranks the run has by that factor or a setting `ranks`; empty where neither says it. Throws
/// RecipeError for anything but a whole number from 1.
std::optional<int> ranksOf(const study::Study& study, const study::Run& run);

} // namespace quadric::run
