// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

namespace quadric::optimize {

/// The probability of giving a result that settings need to be recommended: the study's own choice, 90 %
/// without one. It is kept among the views of the page "optimize".
double leastRunsProbabilityOf(const study::Study& study);
study::Study withLeastRunsProbability(study::Study study, double probability);

} // namespace quadric::optimize
