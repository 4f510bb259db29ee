// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>
#include <vector>

namespace quadric::run {

/// Factors that neither the arguments nor the environment of the study's own command mention: only a program
/// that reads QUADRIC_SETTINGS gets to know their values. Empty for those that are known to, and for other
/// workloads.
std::vector<std::string> unmentionedFactors(const study::Study& study);

/// "--name {name}" for each of them.
std::vector<std::string> argumentsForUnmentioned(const study::Study& study);

} // namespace quadric::run
