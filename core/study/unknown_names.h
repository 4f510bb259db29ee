// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>

namespace quadric::study {

/// Which names of a computed response nothing in the study has: no factor, fixed setting, response or result
/// of a run. A program may still report them, as long as no run has shown that it does not. A clause without
/// its full stop, with what was probably meant; empty where all are known, and for responses that are
/// measured.
std::string describeUnknownNames(const Study& study, const std::string& response);

} // namespace quadric::study
