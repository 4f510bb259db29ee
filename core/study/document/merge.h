// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/study/document/document.h"

namespace quadric::study {

/// Which side counts where both have changed the same thing in different ways.
enum class Prefer { Mine, Theirs };

struct MergeResult {
    Study study;
    /// What both sides have changed in different ways, in words; empty: the study contains all changes.
    std::vector<std::string> conflicts = {};
    /// Runs whose measured results here gave way to others of theirs, by id.
    std::vector<int> replacedRuns = {};
};

/// Three-way merge of studies: `mine` and `theirs` were both made from `base`. Factors and responses are
/// matched by name, runs by id, everything else by its key in the document. What only one side has changed is
/// taken. Results stay whatever the other side has made of their run, and runs that were added on both sides
/// are all kept: mine get new ids where theirs have the same. How pages are arranged is never a conflict:
/// mine counts. Another study in the place of `base` is a conflict as a whole, and so are sides that together
/// have problems (validate()) that neither has alone: the preferred one counts then, with those results of
/// the other that fit it.
MergeResult merge(const Study& base, const Study& mine, const Study& theirs, Prefer prefer = Prefer::Mine);

/// Saves `mine`, which was made from what was loaded as `base`. What another program has saved meanwhile is
/// merged in. Returns what the document contains now. Throws DocumentError, and DocumentChanged where both
/// have changed the same thing.
Study saveMerged(const Study& mine, const LoadedStudy& base, const std::filesystem::path& path);

} // namespace quadric::study
