// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/opinion/opinion.h"
#include "core/plan/study_comparison.h"
#include "core/report/table.h"
#include "core/text/numbers.h"

namespace quadric::plan {

/// "faster", "slower", "better", …, "no difference shown".
std::string_view describeDifference(const ResponseDifference& difference);

/// One sentence on each response: "y: faster, change 4.2 % (95 % interval 3.1 to 5.3 %, 12
/// settings)."
std::string describeResponse(const ResponseDifference& difference, double confidence,
                             text::Typography typography = text::Typography::Plain);

report::Table makeDifferenceTable(const StudyComparison& comparison);

/// What is not the same: fixed settings, then machine, versions and code.
report::Table makeChangeTable(const StudyComparison& comparison);

/// Errors of each kind of model at settings left out; where there are none, only a note that says why.
report::Table makeOpinionTable(const Opinion& opinion);

} // namespace quadric::plan
