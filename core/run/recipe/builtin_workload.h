// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string>
#include <vector>

namespace quadric::run {

/// Something that a study asks of the built-in workload and that it would not get.
struct BuiltinGap {
    std::string where; ///< in the study: "factors[1]"
    std::string why;   ///< a sentence without its end
};

/// Factors that are no settings of the built-in workload, and responses that it does not report, or not with
/// these settings, in the order of the study. None for other workloads. Throws RecipeError where the
/// benchmark cannot be read.
std::vector<BuiltinGap> gapsOfBuiltin(const study::Study& study);

/// The gaps in one text, with the names that there are; empty: there are none. Throws like gapsOfBuiltin().
std::string gapsInWords(const study::Study& study);

} // namespace quadric::run
