// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/merge.h"

namespace quadric::study {

/// What only one of two sides changed of something that both had from a base.
struct MergeSides {
    const Study& base;
    const Study& mine;
    const Study& theirs;
    Prefer prefer;
};

/// True for results that a worker has measured; those that somebody typed or imported are edits.
bool isMeasured(const Run& run);

/// Everything but the runs, merged. Conflicts are appended. Throws DocumentError where the sides together
/// make no sound study.
Study mergeMembers(const MergeSides& sides, std::vector<std::string>& conflicts);

/// The runs and baselines, merged into `result.study`.
void mergeRuns(const MergeSides& sides, MergeResult& result);

} // namespace quadric::study
