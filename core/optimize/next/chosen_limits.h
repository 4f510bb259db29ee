// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <string_view>

namespace quadric::optimize {

/// What is done about settings that no run supports (model::Prediction::isExtrapolation): nothing, they are
/// marked, or the search and the profiler stay away from them.
enum class NearRuns { Off, Warn, On };

/// The study's own choice, Warn without one. It is kept among the views of the page "optimize".
NearRuns readNearRuns(const study::Study& study);
study::Study withNearRuns(study::Study study, NearRuns nearRuns);

/// The probability of giving a result that settings need to be recommended: the study's own choice, 90 %
/// without one. It is kept among the views of the page "optimize".
double readLeastRunsProbability(const study::Study& study);
study::Study withLeastRunsProbability(study::Study study, double probability);

} // namespace quadric::optimize
