// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/base/command.h"

namespace quadric::app {

/// Reads "name=expression" into the study; a response without a goal is added where there is none of the
/// name. Returns the name. Throws UsageError.
std::string takeDerived(const std::string& option, const std::string& text, study::Study& study);

} // namespace quadric::app
