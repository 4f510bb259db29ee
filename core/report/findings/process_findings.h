// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/process/process.h"

namespace quadric::report {

/// Which of the two predicts settings left out with the smaller error, for every response that has both;
/// empty where none has.
std::string compareProcesses(const std::vector<model::Fit>& fits,
                             const std::vector<model::Process>& processes);

} // namespace quadric::report
