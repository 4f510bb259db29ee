// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <optional>
#include <string_view>

namespace quadric::design {

/// D-efficiency of the study's runs in percent of that of the best design of as many runs and blocks that a
/// D-optimal search of 10 starts finds among the legal settings; above 100 with axial runs outside the
/// region. Empty where the runs cannot estimate the whole model. Searches: a fraction of a second for usual
/// designs. Throws DesignError as computeInformation() and optimalDesign() do.
std::optional<double> computeRelativeDEfficiency(const study::Study& study, std::string_view model);

} // namespace quadric::design
