// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/run.h"

#include <string_view>

namespace quadric::study {

/// The run was throttled or shared the machine while it was measured: its result is no fair comparison.
bool isDisturbed(const Run& run);

/// Why, in words; empty when it was not disturbed or nobody says why.
std::string disturbanceOf(const Run& run);

/// Text behind a key of the provenance that holds a JSON string; empty for anything else.
std::string provenanceString(const Run& run, std::string_view key);

/// Number behind a key of the provenance; empty for anything else.
std::optional<double> provenanceNumber(const Run& run, std::string_view key);

} // namespace quadric::study
