// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>
#include <vector>

namespace quadric::run {

/// Whether the study's command starts quadric_worker.py or quadric_torch.py: these, and scripts that they
/// start, read the values of factors and fixed settings from QUADRIC_SETTINGS.
bool readsSettings(const study::Study& study);

/// Factors that neither the arguments nor the environment of the study's own command mention: only a program
/// that reads QUADRIC_SETTINGS gets to know their values. Empty for those that are known to, and for other
/// workloads.
std::vector<std::string> unmentionedFactors(const study::Study& study);

/// "--name {name}" for each of them.
std::vector<std::string> argumentsForUnmentioned(const study::Study& study);

} // namespace quadric::run
