// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/optimize/answer/optimism.h"
#include "core/text/numbers.h"

namespace quadric::report {

/// "throughput: 27 000 img/s, and 26 200 after correction for selecting the best setting (24 100 – 28 300 for
/// a new run).", for every response with a goal whose prediction at the optimum the correction changes in the
/// digits that are shown. Empty without a correction.
std::vector<std::string> describeCorrection(const study::Study& study, const optimize::Optimum& optimum,
                                            const optimize::OptimumCorrection& correction,
                                            text::Typography typography = text::Typography::Plain);

} // namespace quadric::report
