// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/design/base/design.h"

namespace quadric::design {

/// Names of checks that published designs need not pass.
inline constexpr std::string_view kRepeatedRunsCheck = "Repeated runs";
inline constexpr std::string_view kEstimableCheck = "Every term can be estimated";

/// The design is not wrong for want of repeated runs, nor where it cannot estimate every term of a model that
/// was not asked for: screening designs and fractions are made so. Such a check is a remark.
bool isRemark(const Check& check, bool isModelAsked);

} // namespace quadric::design
