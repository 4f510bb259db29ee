// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/study.h"

#include <QString>

#include <vector>

namespace quadric::widgets {

/// A study as the user wants it, and what that is called in the list of undo.
struct RunChange {
    study::Study after;
    QString label;
    QString mergeKey = {}; ///< changes with the same one in a row become one step; empty: none do
};

/// The runs as if they had never been executed.
RunChange makeRerun(study::Study study, const std::vector<int>& runs);
RunChange makeRetry(study::Study study, const std::vector<int>& failedRuns);
RunChange makeRepetition(study::Study study, const std::vector<int>& disturbedRuns);

/// The results are kept, and no model uses them; and the reverse.
RunChange makeExclusion(study::Study study, const std::vector<int>& runs);
RunChange makeInclusion(study::Study study, const std::vector<int>& runs);

/// How many runs are executed at once, and where baselines come from.
RunChange makeParallel(study::Study study, int runs);
RunChange makeBaselineMode(study::Study study, study::BaselineMode mode);

} // namespace quadric::widgets
