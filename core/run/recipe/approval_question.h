// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/recipe/approval_store.h"

namespace quadric::run {

/// What the question is about.
struct QuestionFacts {
    std::string recipe;     ///< canonical JSON
    std::string program;    ///< where a bare name in argv[0] is found; empty where it is a path
    FileDigests files = {}; ///< that are watched
    LastApproval last = {};
};

/// One value a line, as JSON text with an escape for everything that cannot be seen. Lines are broken after
/// at most 72 bytes, where a line of more begins with ">": a value can neither move text out of sight nor
/// look like another line.
std::string makeApprovalQuestion(const QuestionFacts& facts);

} // namespace quadric::run
