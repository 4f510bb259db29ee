// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>

namespace quadric::run {

/// Seconds that the pending runs of the built-in workload take, one after the other, as its settings say
/// before any run is done; empty: they do not say.
std::optional<double> expectedSeconds(const study::Study& study);

} // namespace quadric::run
