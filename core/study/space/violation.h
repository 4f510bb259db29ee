// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/space/constraint.h"

namespace quadric::study {

/// What describeViolation() says; empty too where the constraints cannot be read, of which validate() tells.
std::string findViolation(const Study& study, const Settings& settings);

} // namespace quadric::study
