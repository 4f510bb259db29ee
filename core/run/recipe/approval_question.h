// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval_store.h"

namespace quadric::run {

/// What the question is about.
struct QuestionFacts {
    std::string recipe;                ///< canonical JSON
    std::vector<std::string> firstRun; ///< the command with the values of the first run; empty: not known
    std::string program;               ///< where a bare name in argv[0] is found; empty where it is a path
    FileDigests files = {};            ///< that are watched
    LastApproval last = {};
};

/// What is different from what was approved last, and what would run: the command as a shell takes it, as it
/// is written and as the first run fills it in, a line for everything else. See makeLabeledLine() for how
/// lines are broken and quoteWord() for how values are shown.
std::string makeApprovalQuestion(const QuestionFacts& facts);

} // namespace quadric::run
