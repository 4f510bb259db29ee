// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

namespace quadric::app {

/// Each adds one command of `quadric plan`.
void addPlanQueue(CLI::App& plan);

/// A number above 0. Throws UsageError naming the option.
double requirePositive(const std::string& option, double value);

} // namespace quadric::app
