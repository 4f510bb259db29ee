// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/run.h"

namespace quadric::study {

/// The run was throttled or shared the machine while it was measured: its result is no fair comparison.
bool isDisturbed(const Run& run);

/// Why, in words; empty when it was not disturbed or nobody says why.
std::string disturbanceOf(const Run& run);

} // namespace quadric::study
