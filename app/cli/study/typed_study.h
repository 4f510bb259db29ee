// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>

namespace quadric::app {

/// What stands behind --factor: "name:low:high[:unit[:type[:scale]]]", with levels "fp32|bf16" in place of
/// the low value where the type has some, and ":multiple_of=8" or ":binds=ranks" anywhere behind the name.
/// Throws UsageError.
study::Factor readFactor(const std::string& text);

/// What stands behind --response: "name:goal[:unit[:weight]][:bounds=A..B]", where goal may be target=VALUE.
/// Throws UsageError.
study::Response readResponse(const std::string& text);

} // namespace quadric::app
